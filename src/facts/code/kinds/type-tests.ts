import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, type Found, type Place, quoted } from "./kind.js";
import { bare, lastName, operatorOf } from "./reading.js";
import { stringOf } from "./spelling.js";

/** Methods whose presence makes a value one of a kind. */
const protocols: Record<string, string> = {
  __iter__: "Iterable",
  __len__: "Sized",
  __call__: "Callable",
  __next__: "Iterator",
  __contains__: "Container",
  __hash__: "Hashable",
  each: "Iterable",
  call: "Callable",
};
/** Telling text from bytes is housekeeping nearly everywhere. */
const slight = new Set(["str", "bytes", "unicode", "basestring", "_", "string", "String"]);
/** Functions that ask for one type. */
const askers: Record<string, string> = {
  isArray: "Array",
  callable: "Callable",
  is_array: "array",
  is_string: "string",
  is_int: "int",
  is_callable: "callable",
  is_iterable: "iterable",
  is_numeric: "numeric",
};
const typeAskers = new Set(["isinstance", "issubclass", "is_a?", "kind_of?", "instance_of?"]);

/** Which kind of value is told from others. */
export const typeTests: CodeKind = {
  kind: "typetest",
  weight: 2.5,
  answer: "value",
  scope: "anywhere",
  loss: false,
  roles: ["call", "binary", "case", "declare", "assign", "if"],
  read: (node, place) =>
    (readers[node.role ?? ""]?.(node, place) ?? [])
      .filter((value) => value !== "")
      .map((value): Found => ({ slot: "type test", value, slight: slight.has(value) })),
  title: () => asked("Which type is tested for"),
  label: (value) => quoted(value),
  absent: () => "no type test",
};

const readers: Record<string, (node: SyntaxNode, place: Place) => string[]> = {
  call: ofCall,
  binary: ofOperator,
  case: ofCase,
  declare: ofAssertion,
  assign: ofAssertion,
  if: ofPattern,
};

function ofCall(node: SyntaxNode, place: Place): string[] {
  const { text, spelling } = place;
  const name = lastName(partOf(node, "callee"), text);
  const values = partsOf(node, "argument");
  if (typeAskers.has(name)) {
    const types = bare(values.at(-1));
    if (!types) return [];
    return (types.role === "list" ? partsOf(types, "element") : [types]).map((type) => spelling.of(type));
  }
  if (name === "hasattr" || name === "respond_to?") {
    const method = stringOf(values.at(-1), text) ?? spelling.source(values.at(-1)).replace(/^:/, "");
    return Object.hasOwn(protocols, method) ? [protocols[method] ?? ""] : [];
  }
  if (node.type === "macro_invocation") {
    return name.startsWith("matches") ? variantOf(/,([^,]*)\)$/.exec(spelling.source(node))?.[1] ?? "") : [];
  }
  return Object.hasOwn(askers, name) ? [askers[name] ?? ""] : [];
}

function ofOperator(node: SyntaxNode, place: Place): string[] {
  const { text, spelling } = place;
  const operator = operatorOf(node, text);
  const [left, right] = [bare(partOf(node, "left")), partOf(node, "right")];
  if (operator === "instanceof") return [spelling.of(right ?? partOf(node, "type"))];
  if (operator === "is" && text.language === "c-sharp") return csharpType(right, place);
  if (operator !== "==" && operator !== "!=") return [];
  if (left?.role === "unary" && spelling.source(left).startsWith("typeof")) {
    const type = stringOf(right, text);
    return type === undefined || type === "undefined" ? [] : [type];
  }
  // `type(x) is dict`
  const asks = left?.role === "call" && spelling.source(partOf(left, "callee")) === "type";
  return asks && text.language === "python" ? [spelling.of(right)] : [];
}

function csharpType(right: SyntaxNode | undefined, { spelling }: Place): string[] {
  const written = spelling.source(right).replace(/^not\s+/, "");
  const [type] = /^[A-Z][\w.<>[\]?]*|^(?:string|int|long|bool|double|decimal|object)\b/.exec(written) ?? [];
  return type === undefined ? [] : [type];
}

/** Go's type switch, Ruby's `when Hash`, Python's `case dict():`, Java's and C#'s `case Circle c`. */
function ofCase(node: SyntaxNode, { text, spelling }: Place): string[] {
  const patterns = partsOf(node, "pattern");
  switch (text.language) {
    case "go":
      return node.type === "type_case"
        ? patterns.map((each) => spelling.source(each)).filter((type) => type !== "nil")
        : [];
    case "ruby":
      return patterns.map((each) => spelling.source(each)).filter((type) => /^[A-Z]\w*[a-z]\w*(?:::\w+)*$/.test(type));
    case "python":
      return patterns.flatMap((each) => /^([A-Za-z_]\w*)\(/.exec(spelling.source(each))?.[1] ?? []);
    case "java":
    case "c-sharp":
      return patterns.flatMap((each) => /^([A-Z]\w*) \w+$/.exec(spelling.source(each))?.[1] ?? []);
    default:
      return [];
  }
}

/** `m, ok := value.(map[string]any)` */
function ofAssertion(node: SyntaxNode, { text, spelling }: Place): string[] {
  if (text.language !== "go") return [];
  const [, type] = /\.\(((?:[^()]|\(\))+)\)$/.exec(spelling.source(partOf(node, "value"))) ?? [];
  return type === undefined || type === "type" ? [] : [type];
}

/** `if let Some(x) = …` */
function ofPattern(node: SyntaxNode, { text, spelling }: Place): string[] {
  if (text.language !== "rust") return [];
  const [, pattern] = /^let\s+([^=]+)=/.exec(spelling.source(partOf(node, "condition"))) ?? [];
  return pattern === undefined ? [] : variantOf(pattern);
}

function variantOf(pattern: string): string[] {
  return pattern.split("|").flatMap((each) => /^\s*&?([A-Z]\w*(?:::\w+)*|\w+(?:::\w+)+)/.exec(each)?.[1] ?? []);
}
