import { partOf } from "../syntax.js";
import { fallbacks } from "./fallbacks.js";
import { asked, type CodeKind, quoted } from "./kind.js";
import { negated } from "./reading.js";
import { typeTests } from "./type-tests.js";

/** A test the flow depends on. */
export const conditions: CodeKind = {
  kind: "cond",
  weight: 2,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["if", "choose", "assert", "loop"],
  read(node, place) {
    const { spelling } = place;
    const condition = partOf(node, "condition");
    const value = spelling.of(condition);
    if (!condition || value === "" || value === "_") return [];
    // Counting is no test; `while` is one.
    if (node.role === "loop" && !node.type.startsWith("while")) return [];
    // Which type is tested for, and what is taken instead, are questions of their own.
    const tested = condition.role === "unary" ? (partOf(condition, "value") ?? condition) : condition;
    if (typeTests.roles.some((role) => role === tested.role) && typeTests.read(tested, place).length > 0) return [];
    if (node.role === "choose" && fallbacks.read(node, place).length > 0) return [];
    const word = node.role === "assert" ? "assert" : node.role === "loop" ? "while" : "if";
    const said = (test: string) => `${word} ${node.type.startsWith("unless") ? negated(test) : test}`;
    return [{ slot: said(value), value: "tested", shown: said(spelling.shown(condition)) }];
  },
  title: ({ slot, gone, where }) => asked(`Is there ${gone ? "still " : ""}a test ${quoted(slot, 34)}`, where),
  label: (value, { slot, gone }) =>
    `${gone ? "drops the test" : "tests"} ${quoted(value === "tested" || value === "" ? slot : value)}`,
  absent: ({ gone }) => (gone ? "kept" : "no such test"),
};
