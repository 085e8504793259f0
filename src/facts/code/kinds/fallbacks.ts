import type { Language } from "../syntax.js";
import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { branchFallbacks, instead } from "./branches.js";
import { asked, type CodeKind, type Found, type Place, quoted } from "./kind.js";
import { around, bare, lastName, operatorOf } from "./reading.js";
import { stringOf } from "./spelling.js";

/** Operators that give one of their sides. Elsewhere `||` gives true or false. */
const choosing: Partial<Record<Language, ReadonlySet<string>>> = {
  python: new Set(["or"]),
  javascript: new Set(["or", "??"]),
  typescript: new Set(["or", "??"]),
  tsx: new Set(["or", "??"]),
  ruby: new Set(["or"]),
  php: new Set(["??"]),
  "c-sharp": new Set(["??"]),
};
const settingOperators = new Set(["||=", "??=", "or="]);
/** Functions whose last argument is what there is otherwise, and how many arguments they then have. */
const getters: Record<string, number> = {
  getattr: 3,
  get: 2,
  pop: 2,
  setdefault: 2,
  getenv: 2,
  getOrDefault: 2,
  fetch: 2,
  unwrap_or: 1,
  unwrap_or_else: 1,
  orElse: 1,
  orElseGet: 1,
  requireNonNullElse: 2,
  GetValueOrDefault: 1,
  getProperty: 2,
  env: 2,
  config: 2,
};
/** What is asked for an address, not for a value: `requests.get(url, timeout)`. */
const clients = /^(?:requests|session|client|http|https|axios|app|router|api|self\.client|agent|server)$/i;
const booleans = /^(?:is|has|can|should|starts?|ends?|any|all|contains|includes|match|test|equals)(?=$|[A-Z_w])/;

/** What is taken where something is missing. */
export const fallbacks: CodeKind = {
  kind: "fallback",
  weight: 3,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: ["binary", "choose", "if", "call", "assign", "pair"],
  read(node, place) {
    const found = readers[node.role ?? ""]?.(node, place) ?? [];
    return found.filter(({ slot, value }) => slot !== "" && value !== "");
  },
  title: ({ slot, gone }) =>
    asked(gone ? `Does ${quoted(slot, 40)} keep its fallback` : `What does ${quoted(slot, 40)} fall back to`),
  label: (value, { slot, gone }) => (gone ? `no fallback for ${quoted(slot, 40)}` : `falls back to ${quoted(value)}`),
  absent: ({ gone }) => (gone ? "kept" : "no such fallback"),
};

const readers: Record<string, (node: SyntaxNode, place: Place) => Found[]> = {
  binary: ofOperator,
  choose: branchFallbacks,
  if: branchFallbacks,
  call: ofGetter,
  assign: ofAssignment,
  pair: ofPattern,
};

/** `a or b` */
function ofOperator(node: SyntaxNode, place: Place): Found[] {
  const { spelling, text } = place;
  const [left, right] = [bare(partOf(node, "left")), bare(partOf(node, "right"))];
  if (!left || !right || !text.language) return [];
  if (!choosing[text.language]?.has(operatorOf(node, text)) || isTested(node)) return [];
  // One of two tests is true or false.
  if (isTest(left, place) || isTest(right, place) || right.role === "raise") return [];
  return [instead(spelling.shown(left), right, place)];
}

function isTest(node: SyntaxNode, { text }: Place): boolean {
  if (node.role === "unary") return operatorOf(node, text) === "not";
  if (node.role === "binary") return /^(?:==|!=|<=?|>=?|in|not in|and|instanceof)$/.test(operatorOf(node, text));
  return node.role === "call" && booleans.test(lastName(node, text));
}

function isTested(node: SyntaxNode): boolean {
  for (let inner = node; inner.parent; inner = inner.parent) {
    if (inner.part === "condition") return true;
    const { role } = inner.parent;
    if (role === "block" || role === "argument" || role === "call" || role === "assign" || role === "declare")
      return false;
  }
  return false;
}

/** `a ||= b` */
function ofAssignment(node: SyntaxNode, place: Place): Found[] {
  const operator = partOf(node, "operator");
  const value = partOf(node, "value");
  // Some grammars name the operator, others leave the token.
  const written = operator ? [operator] : node.children.filter(({ named }) => !named);
  if (!value || !written.some((each) => settingOperators.has(place.spelling.source(each)))) return [];
  return [instead(place.spelling.shown(partOf(node, "target")), value, place)];
}

const parameter = new Set(["parameter"]);

/** `const { a = 1 } = options` */
function ofPattern(node: SyntaxNode, place: Place): Found[] {
  const value = partOf(node, "default");
  // A parameter's own default is told with the parameter.
  if (around(node, parameter)) return [];
  return value ? [instead(place.spelling.shown(partOf(node, "key")), value, place)] : [];
}

function ofGetter(node: SyntaxNode, place: Place): Found[] {
  const { text } = place;
  const callee = partOf(node, "callee");
  const name = lastName(callee, text);
  const values = partsOf(node, "argument");
  if (!Object.hasOwn(getters, name) || values.length !== getters[name] || around(node, new Set(["decorator"])))
    return [];
  const last = values.at(-1);
  const key = values.length === 1 ? partOf(bare(callee) ?? node, "object") : values.at(-2);
  if (!last || !key || last.role === "argument" || !isGetter(name, { callee, key, last }, place)) return [];
  return [instead(stringOf(key, text) ?? place.spelling.shown(key, 60), last, place)];
}

interface Getter {
  callee: SyntaxNode | undefined;
  key: SyntaxNode;
  last: SyntaxNode;
}

function isGetter(name: string, { callee, key, last }: Getter, { text, spelling }: Place): boolean {
  if (name === "env" || name === "config") return text.language === "php";
  if (name === "pop" || name === "setdefault") return text.language === "python";
  if (name !== "get" && name !== "fetch") return true;
  const object = partOf(bare(callee) ?? key, "object");
  if (callee?.role !== "member" || clients.test(spelling.source(object))) return false;
  if (last.role === "function" || [...walk(last)].some(({ role }) => role === "function")) return false;
  return !/^(?:\/|https?:)/.test(stringOf(key, text) ?? "");
}
