import { partOf } from "../syntax.js";
import { asked, type CodeKind, cut, quoted } from "./kind.js";
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
    const value = place.spelling.of(node, 80);
    if (common.has(value) || value === '"…"' || node.parent?.role === "import" || isInMessage(node, place)) return [];
    return [{ slot: value, value: "used" }];
  },
  title: ({ slot, where }) => asked(`Is ${quoted(slot, 34)} used`, where),
  label: (_value, { slot }) => `uses ${quoted(slot)}`,
  absent: () => "no",
};

/** Names that are used, and members that are read: evidence only. */
export const names: CodeKind = {
  kind: "name",
  weight: 0.4,
  answer: "presence",
  scope: "symbol",
  loss: false,
  roles: ["name", "member"],
  read(node, { spelling }) {
    if (node.role === "member") {
      const read = spelling.source(partOf(node, "name"));
      return node.part === "callee" || read === "" ? [] : [{ slot: `.${cut(read, 60)}`, value: "used" }];
    }
    const name = cut(spelling.source(node), 60);
    return spelling.isLocal(name) || node.part === "name" ? [] : [{ slot: name, value: "used" }];
  },
  title: ({ slot, where }) => asked(`Is ${quoted(slot, 34)} used`, where),
  label: (_value, { slot }) => `uses ${quoted(slot)}`,
  absent: () => "no",
};
