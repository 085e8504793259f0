import { partOf } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";

/** What a function gives back, as text. */
export const returns: CodeKind = {
  kind: "return",
  weight: 1.5,
  answer: "value",
  scope: "symbol",
  loss: false,
  textual: true,
  roles: ["return"],
  read(node, { spelling }) {
    const value = partOf(node, "value");
    if (!value) return [{ slot: "returns", value: "nothing" }];
    return [{ slot: "returns", value: cut(spelling.of(value), 80), shown: cut(spelling.shown(value), 80) }];
  },
  title: ({ where }) => `What is returned${where}?`,
  label: (value) => `returns ${value === "nothing" ? value : quoted(value, 50)}`,
  absent: () => "as before",
};
