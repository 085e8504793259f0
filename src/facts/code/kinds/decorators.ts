import { type CodeKind, cut, quoted } from "./kind.js";

export const decorators: CodeKind = {
  kind: "decorator",
  weight: 1.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["decorator"],
  read: (node, { spelling }) => [{ slot: cut(spelling.source(node).replace(/\s+/g, " "), 60), value: "there" }],
  title: ({ slot, gone, where }) => `Is ${quoted(slot, 34)} ${gone ? "kept" : "added"}${where}?`,
  label: (_value, { slot, gone }) => `${gone ? "drops" : "adds"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "no"),
};
