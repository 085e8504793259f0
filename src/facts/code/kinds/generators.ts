import type { SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Place, quoted } from "./kind.js";
import { functionOf } from "./reading.js";

/** A function that hands out its values one by one: its callers must then go through them. */
export const generators: CodeKind = {
  kind: "generator",
  weight: 2.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  ofChanges: true,
  roles: ["yield"],
  read(node, { symbol, text }) {
    // In Ruby `yield` calls the block.
    if (text.language === "ruby") return [];
    return functionOf(node) === symbol.definition && symbol.definition
      ? [{ slot: symbol.name, value: "generator" }]
      : [];
  },
  title: ({ slot }) => asked(`Is ${quoted(slot, 50)} a generator`),
  label: (_value, { slot, gone }) => `${quoted(slot, 50)} ${gone ? "is no longer" : "becomes"} a generator`,
  absent: ({ gone }) => (gone ? "still one" : "no"),
};

/** A function that must be waited for. */
export const asynchronous: CodeKind = {
  kind: "async",
  weight: 2,
  answer: "presence",
  scope: "symbol",
  loss: true,
  ofChanges: true,
  roles: ["function"],
  read(node, place) {
    const { symbol } = place;
    return node === symbol.definition && isAsync(node, place) ? [{ slot: symbol.name, value: "async" }] : [];
  },
  title: ({ slot }) => asked(`Is ${quoted(slot, 50)} asynchronous`),
  label: (_value, { slot, gone }) => `${quoted(slot, 50)} ${gone ? "is no longer" : "becomes"} asynchronous`,
  absent: ({ gone }) => (gone ? "still" : "no"),
};

/** Whether the word stands before the name; grammars keep it in different places. */
function isAsync(node: SyntaxNode, { text }: Place): boolean {
  const before = node.children.filter(({ part }) => part === null || part === "modifier");
  const end = node.children.find(({ part }) => part === "name" || part === "parameter" || part === "body")?.start;
  return before.some(
    ({ start, end: until }) => until <= (end ?? node.end) && /\basync\b/.test(text.text.slice(start, until)),
  );
}
