import type { CodeSymbol, CodeText } from "./syntax.js";
import { type Block, blocksOf } from "./tokens/blocks.js";
import { normalTokens } from "./tokens/normal.js";
import { rulesOf, type TokenRules } from "./tokens/rules.js";
import { scan } from "./tokens/scan.js";

/** Longer texts are compared by their lines: tokens take fifty times their size. */
const longestText = 1_000_000;

/** Reads a text by its tokens: its symbols have no nodes, and are told from how its format parts them. */
export function lexed(path: string, text: string): CodeText {
  const symbols = new Symbols();
  const rules = rulesOf(path, text);
  if (text.length > longestText) symbols.add(linesOf(text));
  else {
    for (const block of blocksOf(scan(text, rules), rules)) {
      const symbol = symbolOf(block, rules);
      if (symbol) symbols.add(symbol);
    }
  }
  return { path, text, language: null, symbols: symbols.byName, broken: [], root: null };
}

type Read = CodeSymbol & { normalForm: string[] };

/** Of two with one name the second is `name#2`; what belongs to no block is one. */
class Symbols {
  readonly byName = new Map<string, Read>();
  private readonly counts = new Map<string, number>();

  add(symbol: Read): void {
    const { name, kind } = symbol;
    const before = this.byName.get(name);
    if (before && (kind === "code" || kind === "imports")) {
      before.normalForm.push("⏎");
      for (const token of symbol.normalForm) before.normalForm.push(token);
      before.endLine = symbol.endLine;
      return;
    }
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const unique = count === 1 ? name : `${name}#${count}`;
    this.byName.set(unique, { ...symbol, name: unique });
  }
}

function linesOf(text: string): Read {
  const lines = text.split("\n").map((line) => line.trim());
  return { ...empty(), endLine: lines.length, normalForm: lines.filter((line) => line !== "") };
}

function empty(): Read {
  return {
    name: "<code>",
    kind: "code",
    nodes: [],
    definition: null,
    line: 1,
    endLine: 1,
    locals: new Set(),
    normalForm: [],
    documentation: "",
    exported: true,
  };
}

/** Undefined where there is nothing but comments. */
function symbolOf({ name, kind, tokens }: Block, rules: TokenRules): Read | undefined {
  const code = tokens.filter((token) => token.kind !== "comment");
  const [first, last] = [code[0], code.at(-1)];
  if (!first || !last) return undefined;
  const comments = tokens.slice(0, tokens.indexOf(first));
  return {
    ...empty(),
    name,
    kind,
    line: first.line,
    endLine: last.endLine,
    normalForm: normalTokens(tokens, rules),
    documentation: comments.map((token) => token.text).join("\n"),
  };
}
