import { partOf, partsOf } from "../syntax.js";
import { type CodeKind, cut, quoted } from "./kind.js";

/** What a file uses of others: evidence for alignment, and where new packages are seen. */
export const imports: CodeKind = {
  kind: "import",
  weight: 0.4,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["import"],
  read(node, { spelling }) {
    const module = spelling.source(partOf(node, "module")).replace(/^["'`<]|["'`>]$/g, "");
    const names = partsOf(node, "name").map((name) => spelling.source(name).split(/\s+as\s+/)[0] ?? "");
    const slots = names.length === 0 ? [module] : names.map((name) => (module === "" ? name : `${module} ${name}`));
    return slots.filter((slot) => slot.trim() !== "").map((slot) => ({ slot: cut(slot, 90), value: "imported" }));
  },
  title: ({ slot }) => `Is ${quoted(slot, 50)} imported?`,
  label: (_value, { slot, gone }) => `${gone ? "no longer imports" : "imports"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still imported" : "no"),
};
