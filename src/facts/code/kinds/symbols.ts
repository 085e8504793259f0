import { asked, type CodeKind, quoted } from "./kind.js";

const read = () => [];

/** A function, class or value that came or went. */
export const symbols: CodeKind = {
  kind: "symbol",
  weight: 2,
  answer: "presence",
  scope: "anywhere",
  loss: true,
  roles: [],
  read,
  title: ({ slot, gone }) => asked(`Is ${quoted(slot, 50)} ${gone ? "removed" : "added"}`),
  label: (_value, { gone }) => (gone ? "removed" : "added"),
  absent: ({ gone }) => (gone ? "kept" : "no"),
};

/** A call that is made more often than before. */
export const again: CodeKind = {
  kind: "again",
  weight: 2,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: [],
  read,
  title: ({ slot, where }) => asked(`Is ${quoted(`${slot}()`, 34)} called once more`, where),
  label: (_value, { slot }) => `one more call of ${quoted(`${slot}()`)}`,
  absent: () => "as before",
};
