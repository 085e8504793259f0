import type { CodeKind } from "./kind.js";
import { quoted } from "./kind.js";

/** A function that hands out its values one by one: its callers must then go through them. */
export const generators: CodeKind = {
  kind: "generator",
  weight: 2.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["yield"],
  read(node, { symbol }) {
    let owner = node.parent;
    while (owner && owner.role !== "function") owner = owner.parent;
    return owner && owner === symbol.definition ? [{ slot: symbol.name, value: "generator" }] : [];
  },
  title: ({ slot }) => `Is ${quoted(slot, 50)} a generator?`,
  label: (_value, { slot, gone }) => `${quoted(slot, 50)} ${gone ? "is no longer" : "becomes"} a generator`,
  absent: ({ gone }) => (gone ? "still one" : "no"),
};

/** A function that must be waited for. */
export const asynchronous: CodeKind = {
  kind: "async",
  weight: 2,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["function"],
  read(node, { symbol }) {
    const waits = node === symbol.definition && node.children.some(({ type }) => type === "async");
    return waits ? [{ slot: symbol.name, value: "async" }] : [];
  },
  title: ({ slot }) => `Is ${quoted(slot, 50)} asynchronous?`,
  label: (_value, { slot, gone }) => `${quoted(slot, 50)} ${gone ? "is no longer" : "becomes"} asynchronous`,
  absent: ({ gone }) => (gone ? "still" : "no"),
};
