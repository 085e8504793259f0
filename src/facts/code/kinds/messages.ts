import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { asked, type CodeKind, type Found, type Place, quoted } from "./kind.js";
import { isSpeaking, isSpoken } from "./names.js";
import { bare, lastName } from "./reading.js";

/** Words for people: counted and shown as wording, never as a choice. */
export const messages: CodeKind = {
  kind: "message",
  weight: 0.3,
  answer: "value",
  scope: "anywhere",
  loss: false,
  roles: ["raise", "call", "argument", "assert"],
  read(node, place) {
    const { text, spelling } = place;
    if (node.role === "assert") return said("assert", partOf(node, "message"), place);
    if (node.role === "argument") {
      const name = spelling.source(partOf(node, "name"));
      return isSpoken(name) ? said(`${name}=`, partOf(node, "value"), place) : [];
    }
    const call = node.role === "raise" ? bare(partOf(node, "value")) : node;
    if (call?.role !== "call") return [];
    const name = lastName(partOf(call, "callee"), text);
    if (node.role === "call" && (!isSpeaking(name) || node.parent?.role === "raise")) return [];
    const where = node.role === "raise" ? name : `${name}()`;
    return partsOf(call, "argument").flatMap((argument) =>
      argument.role === "argument" ? [] : said(where, argument, place),
    );
  },
  title: ({ slot }) => asked(`How is ${quoted(slot, 40)} worded`),
  label: (value) => quoted(value, 70),
  absent: () => "no message",
};

function said(slot: string, node: SyntaxNode | undefined, { spelling }: Place): Found[] {
  if (!node || ![...walk(node)].some(({ role }) => role === "string")) return [];
  const value = spelling.source(node).replace(/\s+/g, " ").slice(0, 300);
  return [{ slot, value, shown: includedIn(node, spelling) }];
}

/** The names whose values a message tells; empty for fixed text. */
function includedIn(node: SyntaxNode, spelling: Place["spelling"]): string {
  const names = [...walk(node)]
    .filter((each) => each.role === "name" && isValue(each))
    .map((each) => spelling.source(each));
  return [...new Set(names)].sort().join(", ");
}

/** Not a function that is called, and not a field's own name. */
function isValue({ part, parent }: SyntaxNode): boolean {
  return (
    part !== "callee" &&
    !(parent?.role === "member" && part === "name") &&
    !(parent?.role === "argument" && part === "name")
  );
}

/** True where what stands here is words for people. */
export function isInMessage(node: SyntaxNode, { text, spelling }: Place): boolean {
  for (let inner = node; inner.parent; inner = inner.parent) {
    const outer = inner.parent;
    if (outer.role === "raise") return true;
    if (outer.role === "argument" && isSpoken(spelling.source(partOf(outer, "name")))) return true;
    if (outer.role === "call" && isSpeaking(lastName(partOf(outer, "callee"), text))) return true;
    if (outer.role === "assert" && inner.part === "message") return true;
    if (outer.role === "block") return false;
  }
  return false;
}
