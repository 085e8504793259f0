import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";
import { isSpeaking, isSpoken } from "./names.js";
import { lastName } from "./spelling.js";

/** A value that is passed by name. */
export const namedArguments: CodeKind = {
  kind: "kwarg",
  weight: 1.5,
  answer: "value",
  scope: "anywhere",
  loss: false,
  roles: ["argument"],
  read(node, { text, spelling }) {
    const [name, value] = [spelling.source(partOf(node, "name")), partOf(node, "value")];
    const callee = calleeOf(node, text);
    if (name === "" || !value || callee === "" || isSpoken(name)) return [];
    return [{ slot: `${callee}(${name}=)`, value: cut(spelling.of(value), 80), shown: cut(spelling.shown(value), 80) }];
  },
  title: ({ slot }) => `Which value for ${quoted(slot, 50)}?`,
  label: (value) => quoted(value),
  absent: () => "not passed",
};

/** What is passed by place, as text. */
export const passed: CodeKind = {
  kind: "args",
  weight: 1.2,
  answer: "value",
  scope: "symbol",
  loss: false,
  textual: true,
  roles: ["call"],
  read(node, { text, spelling }) {
    const name = lastName(partOf(node, "callee"), text);
    const values = partsOf(node, "argument");
    if (name === "" || spelling.isLocal(name) || isSpeaking(name) || node.parent?.role === "raise") return [];
    if (values.some(({ role }) => role === "function")) return [];
    return [
      {
        slot: name,
        value: cut(values.map((value) => spelling.of(value)).join(", "), 90),
        shown: cut(values.map((value) => spelling.shown(value)).join(", "), 90),
      },
    ];
  },
  title: ({ slot, where }) => `What is passed to ${quoted(`${slot}()`, 30)}${where}?`,
  label: (value, { slot }) => quoted(`${slot}(${value})`),
  absent: () => "otherwise",
};

function calleeOf(argument: SyntaxNode, text: Parameters<typeof lastName>[1]): string {
  for (let outer = argument.parent; outer; outer = outer.parent) {
    if (outer.role === "call" || outer.role === "decorator") return lastName(partOf(outer, "callee"), text);
    if (outer.role === "block") return "";
  }
  return "";
}
