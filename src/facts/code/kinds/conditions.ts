import { partOf } from "../syntax.js";
import { type CodeKind, quoted } from "./kind.js";

/** A test the flow depends on. */
export const conditions: CodeKind = {
  kind: "cond",
  weight: 2,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: ["if", "choose", "assert"],
  read(node, { spelling }) {
    const condition = partOf(node, "condition");
    const value = spelling.of(condition);
    // Which type is tested for is a question of its own.
    if (value === "" || value === "_" || /^(?:not )?(?:isinstance|hasattr|callable)\(|\binstanceof\b/.test(value))
      return [];
    const word = node.role === "assert" ? "assert" : "if";
    return [{ slot: `${word} ${value}`, value: "tested", shown: `${word} ${spelling.shown(condition)}` }];
  },
  title: ({ slot, gone, where }) =>
    `Is there ${gone ? "still " : ""}a test ${quoted(slot, where === "" ? 50 : 34)}${where}?`,
  label: (_value, { slot, gone }) => `${gone ? "drops the test" : "tests"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "no such test"),
};
