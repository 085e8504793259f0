import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, quoted } from "./kind.js";
import { bare } from "./reading.js";

/** An attribute or key that is set. */
export const assignments: CodeKind = {
  kind: "set",
  weight: 2.2,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["assign"],
  read: (node, { spelling }) =>
    targetsOf(node)
      .filter(isOutside)
      .map((target) => ({
        slot: cut(
          target.role === "subscript" ? spelling.shown(target) : spelling.source(target).replace(/\s+/g, ""),
          60,
        ),
        value: "assigned",
      })),
  title: ({ slot, gone, where }) => asked(`Is ${quoted(slot, 34)} ${gone ? "still " : ""}assigned`, where),
  label: (_value, { slot, gone }) => `${gone ? "no longer assigns" : "assigns"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "not assigned"),
};

/** What a name is set to, as text. */
export const assigned: CodeKind = {
  kind: "assign",
  weight: 1.8,
  answer: "value",
  scope: "symbol",
  loss: false,
  textual: true,
  roles: ["assign", "declare"],
  read(node, { symbol, spelling }) {
    const target = bare(partOf(node, node.role === "assign" ? "target" : "name"));
    const value = partOf(node, "value");
    const changes = spelling.source(partOf(node, "operator"));
    if (symbol.kind !== "function" || !target || !value || (changes !== "" && changes !== "=" && changes !== ":="))
      return [];
    if (value.role === "function") return [];
    return [
      {
        slot: spelling.shown(target, 60),
        value: spelling.of(value),
        shown: spelling.shown(value, 90),
      },
    ];
  },
  title: ({ slot, where }) => asked(`What is ${quoted(slot, 30)} set to`, where),
  label: (value) => quoted(value, 70),
  absent: () => "otherwise",
};

/** Whether others see it: an attribute, a key, Ruby's `@name` and `self.name = x`. */
function isOutside({ role, type, children }: SyntaxNode): boolean {
  if (role === "call") return children.every(({ part }) => part !== "argument");
  return role === "member" || role === "subscript" || type === "instance_variable";
}

function targetsOf(node: SyntaxNode): SyntaxNode[] {
  const target = bare(partOf(node, "target"));
  if (!target) return [];
  if (target.role === "list") return partsOf(target, "element");
  return target.role === null ? target.children.filter(({ named }) => named) : [target];
}
