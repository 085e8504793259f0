import { partOf } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";

/** A parameter of the function itself, and its default. */
export const parameters: CodeKind = {
  kind: "param",
  weight: 3,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: ["parameter"],
  read(node, { symbol, spelling }) {
    let owner = node.parent;
    while (owner && owner.role !== "function") owner = owner.parent;
    const name = spelling.source(partOf(node, "name")) || spelling.source(node);
    if (!owner || owner !== symbol.definition || name === "self" || name === "this" || name === "cls") return [];
    const value = partOf(node, "default");
    return [{ slot: cut(name, 60), value: value ? `default ${cut(spelling.of(value), 60)}` : "required" }];
  },
  title: ({ slot, where }) => `How is parameter ${quoted(slot, 30)} taken${where}?`,
  label: (value, { slot, gone }) =>
    gone
      ? `parameter ${quoted(slot, 30)} is gone`
      : value === "required"
        ? "required"
        : `default ${quoted(value.slice(8))}`,
  absent: ({ gone }) => (gone ? "kept" : "no such parameter"),
};
