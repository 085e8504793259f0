import { visible } from "../../../model/text.js";
import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, type Place, quoted } from "./kind.js";

/** Stands between elements in a value: no source text holds it. */
export const elementEnd = "\u0002";
const named: Record<string, string> = { declare: "name", assign: "target", argument: "name", pair: "key" };
/** Java's lists are made by calls. */
const makers = /^(?:List|Set|Map|EnumSet|ImmutableList|ImmutableSet|Arrays|Stream)\.(?:of|asList)$/;
const longestElement = 200;

/** What a literal collection holds. Two texts are compared by what it gained and lost, so order never splits a decision. */
export const elements: CodeKind = {
  kind: "items",
  weight: 3,
  answer: "value",
  scope: "symbol",
  loss: false,
  roles: ["list", "map", "call"],
  read(node, place) {
    const { spelling } = place;
    // A pattern or an index holds no values.
    if (node.part !== null && /^(?:target|name|index|parameter|pattern|type)$/.test(node.part)) return [];
    if (node.role === "call" && !makers.test(spelling.source(partOf(node, "callee")))) return [];
    const part = node.role === "list" ? "element" : node.role === "map" ? "pair" : "argument";
    const values = partsOf(node, part).map((each) => spelling.of(each));
    const slot = ownerOf(node, place) ?? (node.role === "list" ? firstOf(values) : undefined);
    if (slot === undefined || values.length === 0 || values.some(({ length }) => length > longestElement)) return [];
    return [{ slot, value: values.join(elementEnd) }];
  },
  title: ({ slot }) => asked(`What is added to ${quoted(slot, 50)}`),
  label: (value) => cut(visible(value).trim(), 300) || "other elements",
  absent: () => "unchanged",
};

function ownerOf(node: SyntaxNode, { spelling }: Place): string | undefined {
  let [inner, owner] = [node, node.parent];
  while (owner && holdsOnly(owner, inner)) [inner, owner] = [owner, owner.parent];
  const part = owner?.role ? named[owner.role] : undefined;
  return (owner && part && spelling.shown(partOf(owner, part))) || undefined;
}

/** `frozenset([…])`, `Object.freeze([…])`, `[…].freeze` */
function holdsOnly(owner: SyntaxNode, inner: SyntaxNode): boolean {
  if (owner.role === null) return true;
  if (owner.role === "member") return inner.part === "object" && owner.part === "callee";
  if (owner.role !== "call") return false;
  return inner.part === "callee" || partsOf(owner, "argument").length === 1;
}

/** A list without a name is known by its first element, if all of it is text. */
function firstOf(values: readonly string[]): string | undefined {
  return values.length > 1 && values.every((value) => value.startsWith('"')) ? `[${values[0]}, …]` : undefined;
}

/** What a collection gained and lost, in words; undefined where nothing. */
export function elementChange(before: string, after: string): string | undefined {
  const [old, now] = [before.split(elementEnd), after.split(elementEnd)];
  const [had, has] = [new Set(old), new Set(now)];
  const gained = [...has].filter((each) => !had.has(each)).sort();
  const lost = [...had].filter((each) => !has.has(each)).sort();
  const told = [
    ...(gained.length > 0 ? [`adds ${list(gained)}`] : []),
    ...(lost.length > 0 ? [`drops ${list(lost)}`] : []),
  ];
  return told.length > 0 ? told.join("; ") : undefined;
}

const told = 6;

function list(values: readonly string[]): string {
  const shown = values.slice(0, told).map((value) => quoted(value, 40));
  return values.length > told ? `${shown.join(", ")} and ${values.length - told} more` : shown.join(", ");
}
