import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, type Found, type Place, quoted } from "./kind.js";
import { functionOf } from "./reading.js";

const receivers = new Set(["self", "this", "cls", "&self", "&mut self", "mut self"]);
const byDefault = "default ";

/** A parameter of the function itself, and its default. */
export const parameters: CodeKind = {
  kind: "param",
  weight: 3,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: ["parameter"],
  read(node, { symbol, spelling }) {
    if (!symbol.definition || (functionOf(node) ?? node.parent) !== symbol.definition) return [];
    const value = partOf(node, "default");
    const taken = value ? `${byDefault}${spelling.of(value, 60)}` : "required";
    return namesOf(node, spelling)
      .filter(({ slot }) => !receivers.has(slot))
      .map((each) => ({ ...each, value: each.value || taken }));
  },
  title: ({ slot, where }) => asked(`How is parameter ${quoted(slot, 24)} taken`, where),
  label(value, { slot, gone }) {
    if (gone) return `parameter ${quoted(slot, 30)} is gone`;
    return value.startsWith(byDefault) ? `default ${quoted(value.slice(byDefault.length))}` : "required";
  },
  absent: ({ gone }) => (gone ? "kept" : "as before"),
};

/** One, several (`a, b int`), or the members of what is taken apart (`{ a, b = 1 }`). */
function namesOf(node: SyntaxNode, spelling: Place["spelling"]): Found[] {
  const names = partsOf(node, "name");
  if (names.length === 0) return [{ slot: cut(spelling.source(node).replace(/\s+/g, " "), 60), value: "" }];
  return names.flatMap((name) => {
    const members = name.role === "map" ? partsOf(name, "pair") : [name];
    return members.map((member) => {
      const value = partOf(member, "default");
      return {
        slot: cut(spelling.source(partOf(member, "key") ?? member).replace(/\s+/g, " "), 60),
        value: value ? `${byDefault}${spelling.of(value, 60)}` : "",
      };
    });
  });
}
