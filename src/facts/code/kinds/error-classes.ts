import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Found, type Place, quoted } from "./kind.js";

const errors = /(?:Error|Exception|Throwable|Warning)\b/;

/** A class of errors. In Go it is what has a method `Error`. */
export const errorClasses: CodeKind = {
  kind: "error-class",
  weight: 2,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: ["class", "function"],
  read: (node, place) => (node.role === "function" ? byMethod(node, place) : byBase(node, place)),
  title: ({ slot, gone }) =>
    asked(gone ? `Is the error ${quoted(slot, 40)} kept` : `Is there an error class ${quoted(slot, 40)}`),
  label: (value, { slot, gone }) => (gone ? `removes ${quoted(slot, 40)}` : `a kind of ${quoted(value)}`),
  absent: ({ gone }) => (gone ? "kept" : "no"),
};

function byBase(node: SyntaxNode, { spelling }: Place): Found[] {
  const base = partsOf(node, "base")
    .map((each) => spelling.of(each, 60))
    .find((name) => errors.test(name));
  const name = spelling.source(partOf(node, "name"));
  return base === undefined || name === "" ? [] : [{ slot: name, value: base }];
}

function byMethod(node: SyntaxNode, { symbol, text }: Place): Found[] {
  if (text.language !== "go" || node !== symbol.definition || !symbol.name.endsWith(".Error")) return [];
  return [{ slot: symbol.name.slice(0, -".Error".length), value: "error" }];
}
