import { type CodeKind, cut, quoted } from "./kind.js";

export const deletions: CodeKind = {
  kind: "del",
  weight: 1.5,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: ["delete"],
  read: (node, { spelling }) => [{ slot: cut(spelling.shown(node), 60), value: "deleted" }],
  title: ({ slot, where }) => `Does it ${quoted(slot, 40)}${where}?`,
  label: (_value, { slot }) => quoted(slot),
  absent: () => "no",
};
