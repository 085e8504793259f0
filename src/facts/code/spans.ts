import type { SymbolChange } from "../../model/code.js";
import { differences } from "./differences.js";
import type { CodeSymbol, CodeText } from "./syntax.js";
import { type NamesUsed, namesIn, wordsOf } from "./undefined-names.js";

/** Whole lines of a text that hold one or more declarations, with the comments above them. */
interface Segment {
  text: string;
  symbols: CodeSymbol[];
}

/** What a run has in place of some segments of base. */
interface Span {
  /** Segments of base, the end exclusive. */
  from: number;
  to: number;
  text: string;
  /** Lines of the run's text before it. */
  offset: number;
}

/** What is said of one span, its lines counted from its own first one. */
interface SpanRead {
  changes: SymbolChange[];
  names: string[];
  used: NamesUsed;
  /** The changes by how many lines stand before the span: runs that do alike above it have as many. */
  below: Map<number, SymbolChange[]>;
}

/** What is gone in one place and new in another may be one thing that moved or has another name. */
function mayHaveMoved(read: readonly SpanRead[]): boolean {
  const came = read.filter(({ changes }) => changes.some(({ status }) => status === "added"));
  const went = read.filter(({ changes }) => changes.some((each) => each.status === "removed" || each.movedTo));
  return went.length > 0 && new Set([...came, ...went]).size > 1;
}

export interface SpansRead {
  symbols: SymbolChange[];
  undefinedNames: { name: string; line: number }[];
}

/** A declaration begins at the margin; what else may stand there belongs to the one above. */
const begins = /^(?:[\p{L}_@#/$])/u;
const continues = /^(?:else|elif|except|finally|catch|rescue|ensure|end|and|or|in|instanceof|then|case|when|default)\b/;
/** Without a first word of its own the rest of such a file is no program. */
const needsWhole = new Set(["php"]);
/** Segments that are looked for where one is missing. */
const reach = 30;

/**
 * A text of base by its declarations, so that of what each run made of it only those that it changed need to be read, and
 * what several runs made alike only once.
 */
export class Outline {
  readonly #segments: Segment[] = [];
  readonly #read = new Map<string, SpanRead | null>();
  readonly #words: ReadonlySet<string>;
  readonly #isOpen: boolean;

  /** Undefined where a text cannot be taken apart. */
  static of(before: CodeText, read: (text: string) => CodeText): Outline | undefined {
    const { root, language, broken } = before;
    if (!root || language === null || needsWhole.has(language) || broken.length > 0) return undefined;
    return new Outline(before, read);
  }

  private constructor(
    private readonly before: CodeText,
    private readonly read: (text: string) => CodeText,
  ) {
    this.#words = wordsOf(before.text);
    this.#isOpen = namesIn(before).isOpen;
    this.#divide();
  }

  /** The same as reading both texts whole; undefined where only that tells. */
  differences(after: string): SpansRead | undefined {
    const spans = this.#spansOf(after);
    const read = spans?.map((span) => this.#readOnce(span));
    if (!spans || !read?.every((each) => each !== null)) return undefined;
    const names = read.flatMap((each) => each.names);
    if (new Set(names).size < names.length || mayHaveMoved(read)) return undefined;
    const symbols = read.flatMap((each, at) => below(each, spans[at]?.offset ?? 0));
    const bound = read.map(({ used }) => used.bound);
    const undefinedNames = read.flatMap(({ used }, at) =>
      [...used.unbound]
        .filter(([name]) => !bound.some((each) => each.has(name)))
        .map(([name, line]) => ({ name, line: line + (spans[at]?.offset ?? 0) })),
    );
    const isOpen = this.#isOpen || read.some(({ used }) => used.isOpen);
    return {
      symbols: symbols.sort((a, b) => (a.name < b.name ? -1 : 1)),
      undefinedNames: isOpen ? [] : firstOfEach(undefinedNames),
    };
  }

  #divide(): void {
    const { root, text, symbols } = this.before;
    const ends: number[] = [];
    const nodes = root?.children.filter(({ named, role }) => named && role !== "comment") ?? [];
    for (const [at, node] of nodes.entries()) {
      const newline = text.indexOf("\n", Math.max(node.start, node.end - 1));
      const end = newline < 0 ? text.length : newline + 1;
      if ((nodes[at + 1]?.start ?? end) < end) continue;
      ends.push(end);
    }
    let start = 0;
    for (const end of ends) {
      if (end > start) this.#segments.push({ text: text.slice(start, end), symbols: [] });
      start = Math.max(start, end);
    }
    if (start < text.length) this.#segments.push({ text: text.slice(start), symbols: [] });
    const starts = this.#segments.map(({ text }) => text.length);
    this.#place([...symbols.values()], starts);
  }

  #place(symbols: readonly CodeSymbol[], lengths: readonly number[]): void {
    const sorted = symbols
      .flatMap((symbol) => symbol.nodes.map(({ start }) => ({ symbol, start })))
      .sort((a, b) => a.start - b.start);
    let [at, end] = [0, lengths[0] ?? 0];
    for (const { symbol, start } of sorted) {
      while (start >= end && at < lengths.length - 1) end += lengths[++at] ?? 0;
      this.#segments[at]?.symbols.push(symbol);
    }
  }

  /** Everything that is not a segment of base, to the letter and in base's order. */
  #spansOf(after: string): Span[] | undefined {
    const spans: Span[] = [];
    let [at, segment, lines] = [0, 0, 0];
    while (segment < this.#segments.length || at < after.length) {
      const text = this.#segments[segment]?.text;
      if (text !== undefined && after.startsWith(text, at)) {
        at += text.length;
        lines += linesIn(text);
        segment += 1;
        continue;
      }
      const next = this.#nextKept(after, at, segment);
      const span = { from: segment, to: next.segment, text: after.slice(at, next.at), offset: lines };
      if (!standsAlone(span.text)) return undefined;
      spans.push(span);
      lines += linesIn(span.text);
      [at, segment] = [next.at, next.segment];
    }
    return spans;
  }

  #nextKept(after: string, at: number, segment: number): { at: number; segment: number } {
    for (let next = segment; next < Math.min(this.#segments.length, segment + reach); next++) {
      const text = this.#segments[next]?.text ?? "";
      if (text.trim() === "") continue;
      const found = after.indexOf(text, at);
      if (found >= at && (found === 0 || after[found - 1] === "\n")) return { at: found, segment: next };
    }
    return { at: after.length, segment: this.#segments.length };
  }

  #readOnce(span: Span): SpanRead | null {
    const key = `${span.from} ${span.to} ${span.text}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const read = this.#readSpan(span);
    this.#read.set(key, read);
    return read;
  }

  #readSpan({ from, to, text }: Span): SpanRead | null {
    const now = this.read(text);
    if (!now.root || now.broken.length > 0) return null;
    const old = new Map<string, CodeSymbol>();
    for (const { symbols } of this.#segments.slice(from, to)) for (const each of symbols) old.set(each.name, each);
    const names = [...now.symbols.keys()];
    if ([...old.keys(), ...names].some((name) => apart.has(name))) return null;
    // What stands elsewhere in base may have moved here; of several with one name each is told by its number.
    if ([...old.keys(), ...names].some((name) => this.#standsElsewhere(name, old))) return null;
    const changes = differences({ ...this.before, symbols: old }, now);
    const exported = changes.map((each) => ({
      ...each,
      exported: each.exported || (this.before.symbols.get(each.name)?.exported ?? false),
    }));
    const used = namesIn(now, this.#words);
    return { changes: exported, names: [...new Set([...names, ...old.keys()])], used, below: new Map() };
  }

  #standsElsewhere(name: string, here: ReadonlyMap<string, CodeSymbol>): boolean {
    const { symbols } = this.before;
    const first = name.replace(/#\d+$/, "");
    if (symbols.has(first) && !here.has(first)) return true;
    for (let number = 2; symbols.has(`${first}#${number}`); number++) {
      if (!here.has(`${first}#${number}`)) return true;
    }
    return false;
  }
}

/** Parts of a file that may be anywhere in it. */
const apart = new Set(["<imports>", "<code>"]);

function standsAlone(text: string): boolean {
  const first = /\S/.exec(text);
  if (!first) return true;
  const line = text.slice(text.lastIndexOf("\n", first.index) + 1);
  return begins.test(line) && !continues.test(line);
}

function below({ changes, below: known }: SpanRead, lines: number): SymbolChange[] {
  const before = known.get(lines) ?? changes.map((each) => moved(each, lines));
  known.set(lines, before);
  return before;
}

function moved(change: SymbolChange, lines: number): SymbolChange {
  if (change.status === "removed" || lines === 0) return change;
  const facts = change.facts.map((each) => (each.gone ? each : { ...each, line: each.line + lines }));
  return { ...change, facts, line: change.line + lines, endLine: change.endLine + lines };
}

function firstOfEach(names: readonly { name: string; line: number }[]): { name: string; line: number }[] {
  const seen = new Set<string>();
  return names.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
