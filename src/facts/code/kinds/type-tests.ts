import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { type CodeKind, type Found, type Place, quoted } from "./kind.js";
import { bare, lastName, stringOf } from "./spelling.js";

/** Methods whose presence makes a value one of a kind. */
const protocols: Record<string, string> = {
  __iter__: "Iterable",
  __len__: "Sized",
  __call__: "Callable",
  __next__: "Iterator",
  __contains__: "Container",
  __hash__: "Hashable",
};
/** Telling text from bytes is housekeeping nearly everywhere. */
const slight = new Set(["str", "bytes", "unicode", "basestring", "_", "string", "String"]);
const tests: Record<string, string> = {
  isArray: "Array",
  callable: "Callable",
  is_array: "array",
  is_string: "string",
};

/** Which kind of value is told from others. */
export const typeTests: CodeKind = {
  kind: "typetest",
  weight: 2.5,
  answer: "value",
  scope: "anywhere",
  loss: false,
  roles: ["call", "binary", "case"],
  read: (node, place) =>
    typesOf(node, place).map((value): Found => ({ slot: "type test", value, slight: slight.has(value) })),
  title: () => "Which type is tested for?",
  label: (value) => quoted(value),
  absent: () => "no type test",
};

function typesOf(node: SyntaxNode, place: Place): string[] {
  if (node.role === "call") return ofCall(node, place);
  if (node.role === "binary") return ofOperator(node, place);
  return [];
}

function ofCall(node: SyntaxNode, { text, spelling }: Place): string[] {
  const name = lastName(partOf(node, "callee"), text);
  const values = partsOf(node, "argument");
  if (name === "isinstance" || name === "is_a?" || name === "kind_of?") {
    const types = bare(values.at(-1));
    return types ? (types.role === "list" ? partsOf(types, "element") : [types]).map((type) => spelling.of(type)) : [];
  }
  if (name === "hasattr") {
    const protocol = protocols[stringOf(values[1], text) ?? ""];
    return protocol === undefined ? [] : [protocol];
  }
  const tested = Object.hasOwn(tests, name) ? tests[name] : undefined;
  return tested === undefined ? [] : [tested];
}

function ofOperator(node: SyntaxNode, { text, spelling }: Place): string[] {
  const operator = spelling.source(partOf(node, "operator"));
  const [left, right] = [bare(partOf(node, "left")), partOf(node, "right")];
  if (operator === "instanceof" || (operator === "is" && text.language === "c-sharp")) return [spelling.of(right)];
  const asksType = left?.role === "unary" && spelling.source(left).startsWith("typeof");
  const type = stringOf(right, text);
  return asksType && type !== undefined ? [type] : [];
}
