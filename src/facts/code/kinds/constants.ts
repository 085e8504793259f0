import { partOf } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";

/** The value of a name that stands at the top of a file or class. */
export const constants: CodeKind = {
  kind: "const",
  weight: 3,
  answer: "value",
  scope: "symbol",
  loss: false,
  roles: ["declare", "assign"],
  read(node, { symbol, spelling }) {
    const target = partOf(node, node.role === "declare" ? "name" : "target");
    const value = partOf(node, "value");
    if (symbol.kind !== "value" || target?.role !== "name" || !value || value.role === "function") return [];
    return [
      { slot: spelling.source(target), value: cut(spelling.of(value), 400), shown: cut(spelling.shown(value), 90) },
    ];
  },
  title: ({ slot }) => `What is the value of ${quoted(slot, 50)}?`,
  label: (value) => quoted(value, 70),
  absent: () => "unchanged",
};
