import { partsOf } from "../syntax.js";
import { asked, type CodeKind, quoted } from "./kind.js";

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
    const values = partsOf(node, "value");
    const value = values.length > 1 ? node : values[0];
    if (!value) return [{ slot: "returns", value: "nothing" }];
    return [{ slot: "returns", value: spelling.of(value), shown: spelling.shown(value, 80) }];
  },
  title: ({ where }) => asked("What is returned", where),
  label: (value) => `returns ${value === "nothing" ? value : quoted(value, 50)}`,
  absent: () => "as before",
};
