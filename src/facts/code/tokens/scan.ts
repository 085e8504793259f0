import type { TokenRules } from "./rules.js";

/** A token of a text without a tree. */
export interface Token {
  /** As it is written. */
  text: string;
  kind: "word" | "string" | "sign" | "comment";
  line: number;
  endLine: number;
  /** Columns before the first token of its line; -1 for the tokens after it. */
  indent: number;
}

const word = /[\p{L}_$@][\p{L}\p{N}_$]*|\d[\p{L}\p{N}_.]*/uy;
/** An option of a command, where the ends of lines mean something: `--ci`, `-rf`, a lone `--`. */
const option = /--(?=\s|$)|--?[\p{L}_][\p{L}\p{N}_-]*/uy;
const blank = /[^\S\n]+|\\\r?\n/y;

/**
 * The tokens of a text, comments among them, in one pass: a quote that is never closed is a sign, and is not looked for
 * again, so that no text takes longer than its length.
 */
export function scan(text: string, rules: TokenRules): Token[] {
  return new Scanner(text, rules).all();
}

class Scanner {
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private first = true;
  private readonly tokens: Token[] = [];
  /** Per quote: up to where it is known not to be closed. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly text: string,
    private readonly rules: TokenRules,
  ) {}

  all(): Token[] {
    const { text } = this;
    while (this.at < text.length) {
      if (text[this.at] === "\n") {
        this.take(this.at + 1);
        this.first = true;
        continue;
      }
      const gap = this.match(blank);
      if (gap > this.at) {
        this.take(gap);
        continue;
      }
      this.token();
    }
    return this.tokens;
  }

  private token(): void {
    const comment = this.comment();
    if (comment !== undefined) {
      this.push("comment", comment);
      return;
    }
    const string = this.string();
    if (string !== undefined) {
      this.push("string", string);
      return;
    }
    const end = this.isOption() ? this.match(option) : this.match(word);
    if (end > this.at) this.push("word", end);
    else this.push("sign", this.at + String.fromCodePoint(this.text.codePointAt(this.at) ?? 0).length);
  }

  /** Behind a blank only: `fast-check` is no option. At the beginning of a line a dash is an element of a list. */
  private isOption(): boolean {
    return (
      this.rules.layout !== "free" &&
      !this.first &&
      /\s/.test(this.text[this.at - 1] ?? "") &&
      this.match(option) > this.at
    );
  }

  private comment(): number | undefined {
    const { text, at } = this;
    for (const [begin, end] of this.rules.blockComments) {
      if (!text.startsWith(begin, at)) continue;
      const closed = text.indexOf(end, at + begin.length);
      return closed < 0 ? text.length : closed + end.length;
    }
    for (const begin of this.rules.lineComments) {
      if (!text.startsWith(begin, at)) continue;
      // `a#b` is one word in formats whose comments begin with one character.
      if (begin.length === 1 && at > 0 && !/\s/.test(text[at - 1] ?? "")) continue;
      const end = text.indexOf("\n", at);
      return end < 0 ? text.length : end;
    }
    return undefined;
  }

  private string(): number | undefined {
    const quote = this.rules.quotes.find((each) => this.text.startsWith(each, this.at));
    if (!quote || this.at < (this.open.get(quote) ?? 0)) return undefined;
    const spans = quote.length > 1 || quote === "`" || this.rules.quotesMatter;
    for (let at = this.at + quote.length; at < this.text.length; at++) {
      if (this.text[at] === "\\") at++;
      else if (this.text.startsWith(quote, at)) return at + quote.length;
      else if (!spans && this.text[at] === "\n") return this.unclosed(quote, at);
    }
    return this.unclosed(quote, this.text.length);
  }

  private unclosed(quote: string, until: number): undefined {
    this.open.set(quote, until);
    return undefined;
  }

  private match(pattern: RegExp): number {
    pattern.lastIndex = this.at;
    return pattern.test(this.text) ? pattern.lastIndex : this.at;
  }

  private push(kind: Token["kind"], end: number): void {
    const text = this.text.slice(this.at, end);
    const indent = this.first ? this.at - this.lineStart : -1;
    const line = this.line;
    if (kind !== "comment") this.first = false;
    this.take(end);
    this.tokens.push({ text, kind, line, endLine: this.line, indent });
  }

  private take(end: number): void {
    for (let at = this.at; at < end; at++) {
      if (this.text.charCodeAt(at) !== 10) continue;
      this.line++;
      this.lineStart = at + 1;
    }
    this.at = end;
  }
}
