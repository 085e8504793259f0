import { partOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, type Place, quoted } from "./kind.js";
import { raisedBy, raisingRoles } from "./raised.js";
import { negated, operatorOf } from "./reading.js";

const between = " when ";

/** An error together with the test it depends on: what the code refuses. */
export const rejections: CodeKind = {
  kind: "reject",
  weight: 3,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: raisingRoles,
  read(node, place) {
    const error = raisedBy(node, place);
    if (error === undefined) return [];
    const test = testBefore(node, place);
    if (!test) return [];
    return [{ slot: "rejects", value: `${error}${between}${test.value}`, shown: `${error}${between}${test.shown}` }];
  },
  title: ({ gone, where }) => (gone ? asked("What is no longer rejected", where) : "What is rejected, and how?"),
  label(value, { gone }) {
    const [error = "", ...test] = value.split(between);
    return cut(`${gone ? "no longer raises" : "raises"} ${quoted(error, 40)} when ${quoted(test.join(between))}`, 140);
  },
  absent: ({ gone }) => (gone ? "still rejects it" : "rejects nothing new"),
};

interface Test {
  value: string;
  shown: string;
}

/** The test the nearest branch depends on; none where what was caught or a loop decides. */
function testBefore(node: SyntaxNode, { spelling, text }: Place): Test | undefined {
  for (let inner = node; inner.parent; inner = inner.parent) {
    const outer = inner.parent;
    if (outer.role === "function" || outer.role === "class" || outer.role === "catch") return undefined;
    if (outer.role === "case") return ofCase(outer, spelling);
    if (outer.role === "binary" && inner.part === "right" && operatorOf(outer, text) === "??") {
      const left = partOf(outer, "left");
      return { value: `${spelling.of(left)} == null`, shown: `${spelling.shown(left)} == null` };
    }
    if ((outer.role !== "if" && outer.role !== "choose") || inner.part === "condition") continue;
    const condition = conditionOf(outer, inner);
    if (!condition) return undefined;
    const turned = (inner.part === "else") !== outer.type.startsWith("unless");
    const not = (text: string) => (turned ? negated(text) : text);
    return { value: not(spelling.of(condition)), shown: not(spelling.shown(condition)) };
  }
  return undefined;
}

/** Behind `elif`s the last of them decides. */
function conditionOf(branch: SyntaxNode, inner: SyntaxNode): SyntaxNode | undefined {
  const own = partOf(branch, "condition");
  if (inner.part !== "else" || inner.role === "if") return own;
  const others = branch.children.filter(
    ({ part, role, end }) => part === "else" && role === "if" && end <= inner.start,
  );
  const last = others.at(-1);
  return (last && partOf(last, "condition")) ?? own;
}

function ofCase(node: SyntaxNode, spelling: Place["spelling"]): Test | undefined {
  const pattern = partOf(node, "pattern");
  const value = node.parent?.role === "switch" ? partOf(node.parent, "value") : undefined;
  if (!pattern) return undefined;
  const said = (spell: (node: SyntaxNode | undefined) => string) =>
    value ? `${spell(value)} == ${spell(pattern)}` : spell(pattern);
  return { value: said((each) => spelling.of(each)), shown: said((each) => spelling.shown(each)) };
}
