import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, quoted } from "./kind.js";
import { isCall, isSpoken } from "./names.js";
import { lastName } from "./reading.js";

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
    // What a route answers is told as a route.
    const isRoute = (/^(?:route|api_route)$/.test(callee) && name === "methods") || name === "to";
    if (name === "" || !value || callee === "" || isSpoken(name) || isRoute) return [];
    if (/^status(?:_?code)?$/i.test(name) && /^"?:?\w+"?$/.test(spelling.of(value))) return [];
    return [{ slot: `${callee}(${name}=)`, value: spelling.of(value, 80), shown: spelling.shown(value, 80) }];
  },
  title: ({ slot }) => asked(`Which value for ${quoted(slot, 50)}`),
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
  read(node, place) {
    const { text, spelling } = place;
    const name = lastName(partOf(node, "callee"), text);
    const values = partsOf(node, "argument").filter(({ role }) => role !== "argument");
    // The value of a name at the top is told as a whole.
    if (
      place.symbol.kind === "value" ||
      !isCall(node, place) ||
      name.length > 60 ||
      values.length === 0 ||
      values.some(({ role }) => role === "function")
    )
      return [];
    return [
      {
        slot: name,
        value: values.map((value) => spelling.of(value)).join(", "),
        shown: cut(values.map((value) => spelling.shown(value)).join(", "), 90),
      },
    ];
  },
  title: ({ slot, where }) => asked(`What is passed to ${quoted(`${slot}()`, 30)}`, where),
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
