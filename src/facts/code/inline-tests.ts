import type { SymbolChange } from "../../model/code.js";
import type { CodeText } from "./syntax.js";

/** Rust's marks before a module or a function; a derived name such as `tokio::test` is one too. */
const mark = /^(?:\s*#!?\[[^\]]*\])*?\s*#\[\s*(?:cfg\s*\(\s*(?:all\s*\(\s*)?test\b|(?:\w+::)*test\s*[\](])/;

/**
 * Names of the symbols that are tests although their file is none. Rust keeps tests beside what they test; in other
 * languages a file is one or the other, by its path.
 */
export function inlineTests(text: CodeText | null): ReadonlySet<string> {
  const names = new Set<string>();
  if (text?.language !== "rust") return names;
  for (const { name, kind, nodes } of text.symbols.values()) {
    const [node] = nodes;
    if (!node || (kind !== "class" && kind !== "function")) continue;
    if (mark.test(text.text.slice(node.start, node.end))) names.add(name);
  }
  const modules = [...names].map((name) => `${name}.`);
  for (const name of text.symbols.keys()) if (modules.some((module) => name.startsWith(module))) names.add(name);
  return names;
}

/** What a run does to the program, and what to the tests that stand in the same file. */
export function splitInlineTests(
  changes: readonly SymbolChange[],
  before: CodeText | null,
  after: CodeText | null,
): { program: SymbolChange[]; tests: SymbolChange[] } {
  const [was, is] = [inlineTests(before), inlineTests(after)];
  const isTest = ({ name, movedTo }: SymbolChange) => was.has(name) || is.has(movedTo ?? name);
  return { program: changes.filter((each) => !isTest(each)), tests: changes.filter(isTest) };
}
