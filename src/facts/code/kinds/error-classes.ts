import { partOf, partsOf } from "../syntax.js";
import { type CodeKind, quoted } from "./kind.js";

/** A class of errors that is new. */
export const errorClasses: CodeKind = {
  kind: "error-class",
  weight: 2,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: ["class"],
  read(node, { spelling }) {
    const base = partsOf(node, "base")
      .map((each) => spelling.of(each))
      .find((name) => /(?:Error|Exception|Throwable|Warning)\b/.test(name));
    const name = spelling.source(partOf(node, "name"));
    return base === undefined || name === "" ? [] : [{ slot: name, value: base }];
  },
  title: ({ slot, gone }) =>
    gone ? `Is the error ${quoted(slot, 40)} kept?` : `Is there an error class ${quoted(slot, 40)}?`,
  label: (value, { slot, gone }) => (gone ? `removes ${quoted(slot, 40)}` : `a kind of ${quoted(value)}`),
  absent: ({ gone }) => (gone ? "kept" : "no"),
};
