import { partsOf } from "../syntax.js";
import { asked, type CodeKind, quoted } from "./kind.js";

/** Whether other files can use a function, class or type. */
export const exported: CodeKind = {
  kind: "export",
  weight: 2.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  ofChanges: true,
  roles: ["function", "class", "type", "declare"],
  read(node, { symbol }) {
    const itself = symbol.definition ? node === symbol.definition : symbol.kind === "value" && node.role === "declare";
    return itself && symbol.exported ? [{ slot: symbol.name, value: "exported" }] : [];
  },
  title: ({ slot, gone }) => asked(`Can other files ${gone ? "still " : ""}use ${quoted(slot, 46)}`),
  label: (_value, { slot, gone }) => `${quoted(slot, 50)} ${gone ? "is no longer" : "becomes"} usable by other files`,
  absent: ({ gone }) => (gone ? "still" : "no"),
};

/** The type a function says it returns. */
export const resultTypes: CodeKind = {
  kind: "result",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  ofChanges: true,
  roles: ["function"],
  read(node, { symbol, spelling }) {
    if (node !== symbol.definition) return [];
    const types = partsOf(node, "result").map((type) => spelling.of(type).replace(/^(?:->|:)\s*/, ""));
    const value = types.filter((type) => type !== "").join(", ");
    return value === "" ? [] : [{ slot: symbol.name, value }];
  },
  title: ({ slot }) => asked(`Which type does ${quoted(slot, 46)} return`),
  label: (value, { gone }) => (gone ? "no type" : quoted(value)),
  absent: () => "as before",
};
