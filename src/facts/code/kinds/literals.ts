import { type CodeKind, cut, quoted } from "./kind.js";
import { isInMessage } from "./messages.js";

const common = new Set(['""', "0", "1", "-1"]);

/** Values and names a text uses: they tell which new functions are the same one, and where a theme lies. */
export const literals: CodeKind = {
  kind: "literal",
  weight: 0.4,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: ["string", "number"],
  read(node, place) {
    const value = place.spelling.of(node);
    if (common.has(value) || value === '"…"' || node.parent?.role === "import" || isInMessage(node, place)) return [];
    return [{ slot: cut(value, 80), value: "used" }];
  },
  title: ({ slot, where }) => `Is ${quoted(slot, 34)} used${where}?`,
  label: (_value, { slot }) => `uses ${quoted(slot)}`,
  absent: () => "no",
};

export const names: CodeKind = {
  kind: "name",
  weight: 0.4,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: ["name"],
  read(node, { spelling }) {
    const name = spelling.source(node);
    return spelling.isLocal(name) || node.part === "name" ? [] : [{ slot: name, value: "used" }];
  },
  title: ({ slot, where }) => `Is ${quoted(slot, 34)} used${where}?`,
  label: (_value, { slot }) => `uses ${quoted(slot)}`,
  absent: () => "no",
};
