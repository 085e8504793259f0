import type { TokenRules } from "./rules.js";
import type { Token } from "./scan.js";

const closing = new Set([")", "]", "}"]);

/** Tokens without comments, trailing commas, and what layout and quotes do not mean in this format. */
export function normalTokens(tokens: readonly Token[], rules: TokenRules): string[] {
  const normal: string[] = [];
  const indents: number[] = [];
  for (const token of tokens) {
    if (token.kind === "comment") continue;
    if (token.indent >= 0 && rules.layout !== "free" && normal.length > 0) normal.push("⏎");
    if (token.indent >= 0 && rules.layout === "indented") normal.push(...indentation(token.indent, indents));
    if (closing.has(token.text) && normal.at(-1) === ",") normal.pop();
    normal.push(token.kind === "string" ? quoted(token.text, rules) : token.text);
  }
  if (normal.at(-1) === ",") normal.pop();
  return normal;
}

function indentation(indent: number, open: number[]): string[] {
  const moves: string[] = [];
  for (let last = open.at(-1); last !== undefined && last > indent; last = open.at(-1)) {
    open.pop();
    moves.push("⇤");
  }
  if (indent > (open.at(-1) ?? -1)) {
    if (open.length > 0) moves.push("⇥");
    open.push(indent);
  }
  return moves;
}

function quoted(source: string, rules: TokenRules): string {
  // What a backslash means hangs on the quotes.
  if (rules.quotesMatter || source.includes("\\")) return source;
  const quote = rules.quotes.find((each) => source.startsWith(each))?.length ?? 0;
  return JSON.stringify(source.slice(quote, source.length - quote));
}
