import { partsOf } from "../syntax.js";
import { asked, type CodeKind, quoted } from "./kind.js";

/** A name, key or element that is deleted. */
export const deletions: CodeKind = {
  kind: "del",
  weight: 1.5,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: ["delete"],
  read: (node, { spelling }) =>
    partsOf(node, "value")
      .map((value) => spelling.of(value, 60))
      .filter((slot) => slot !== "" && slot !== "_")
      .map((slot) => ({ slot, value: "deleted" })),
  title: ({ slot, where }) => asked(`Is ${quoted(slot, 34)} deleted`, where),
  label: (_value, { slot }) => `deletes ${quoted(slot)}`,
  absent: () => "not deleted",
};
