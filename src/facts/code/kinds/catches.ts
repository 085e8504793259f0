import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Place, quoted } from "./kind.js";
import { bare, lastName } from "./reading.js";

/** Go asks an error what it is instead of catching it. */
const askers = new Set(["errors.Is", "errors.As"]);
const anything = "anything";

/** The errors that are caught, one by one. */
export const catches: CodeKind = {
  kind: "catch",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: ["catch", "call"],
  read: (node, place) => caught(node, place).map((value) => ({ slot: "catches", value })),
  title: ({ gone, where }) => asked(gone ? "Which error is no longer caught" : "Which error is caught", where),
  label: (value, { gone }) =>
    `${gone ? "no longer catches" : "catches"} ${value === anything ? anything : quoted(value)}`,
  absent: ({ gone }) => (gone ? "still catches it" : "catches nothing new"),
};

function caught(node: SyntaxNode, { text, spelling }: Place): string[] {
  if (node.role === "call") {
    if (text.language !== "go" || !askers.has(spelling.source(partOf(node, "callee")))) return [];
    const error = partsOf(node, "argument")[1];
    const name = error?.role === "unary" ? "" : lastName(error, text);
    return name === "" ? [] : [name];
  }
  const types = partsOf(node, "type").flatMap((type) => alternatives(bare(type) ?? type));
  return types.length > 0 ? types.map((type) => spelling.of(type)) : [anything];
}

/** `(A, B)`, `A | B` */
function alternatives(type: SyntaxNode): SyntaxNode[] {
  if (type.role === "list") return partsOf(type, "element");
  const inner = type.children.filter(({ named, role }) => named && role !== "comment");
  return type.role === null && inner.length > 1 ? inner : [type];
}
