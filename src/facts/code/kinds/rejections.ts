import { partOf } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";
import { raisedBy, raisingRoles } from "./raised.js";
import { around } from "./spelling.js";

const guards = new Set(["if", "case", "catch"]);
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
    const guard = around(node, guards);
    const condition = guard?.role === "if" ? partOf(guard, "condition") : undefined;
    if (error === undefined || !condition) return [];
    const [value, shown] = [place.spelling.of(condition), place.spelling.shown(condition)].map(
      (test) => `${error}${between}${test}`,
    );
    return value === undefined ? [] : [{ slot: "rejects", value, ...(shown === undefined ? {} : { shown }) }];
  },
  title: ({ gone, where }) => (gone ? `What is no longer rejected${where}?` : "What is rejected, and how?"),
  label(value, { gone }) {
    const [error = "", ...test] = value.split(between);
    return cut(`${gone ? "no longer raises" : "raises"} ${quoted(error, 40)} when ${quoted(test.join(between))}`, 120);
  },
  absent: ({ gone }) => (gone ? "still rejects it" : "rejects nothing new"),
};
