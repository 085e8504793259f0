import { cut } from "./kinds/kind.js";
import { type CodeSymbol, type CodeText, partOf, type SyntaxNode } from "./syntax.js";

/**
 * The statement of the old body behind which new statements were put, where nothing else changed: the first line of it,
 * or `the start`. Null where the change is another.
 */
export function insertedAfter(old: [CodeSymbol, CodeText], now: [CodeSymbol, CodeText]): string | null {
  const [before, after] = [statementsOf(old), statementsOf(now)];
  if (after.length <= before.length || before.length === 0) return null;
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  if (head + tail < before.length) return null;
  const last = before[head - 1];
  return last === undefined ? "the start" : cut(last.split("\n")[0]?.trim() ?? "", 40);
}

function statementsOf([symbol, { text }]: [CodeSymbol, CodeText]): string[] {
  const body = symbol.definition && partOf(symbol.definition, "body");
  const statements = body?.children.filter((child) => child.named && child.role !== "comment") ?? [];
  return statements.map(({ start, end }: SyntaxNode) => text.slice(start, end).trim());
}
