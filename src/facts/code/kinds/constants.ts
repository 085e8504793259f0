import { partOf } from "../syntax.js";
import { asked, type CodeKind, quoted } from "./kind.js";

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
    // What stands deeper belongs to a function or class inside the value.
    for (let outer = node.parent; outer; outer = outer.parent) if (outer.role === "function") return [];
    return [{ slot: spelling.source(target), value: spelling.of(value), shown: spelling.shown(value, 90) }];
  },
  title: ({ slot }) => asked(`What is the value of ${quoted(slot, 50)}`),
  label: (value) => quoted(value, 70),
  absent: () => "unchanged",
};
