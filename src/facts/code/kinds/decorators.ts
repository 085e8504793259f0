import { asked, type CodeKind, quoted } from "./kind.js";
import { routes } from "./routes.js";

export const decorators: CodeKind = {
  kind: "decorator",
  weight: 1.5,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["decorator"],
  read(node, place) {
    // A route is told as a route, and what a parameter is filled from is a detail.
    if (node.parent?.role === "parameter" || routes.read(node, place).length > 0) return [];
    return [{ slot: place.spelling.of(node, 60), value: "there", shown: place.spelling.shown(node, 60) }];
  },
  title: ({ slot, gone, where }) => asked(`Is ${quoted(slot, 34)} ${gone ? "kept" : "added"}`, where),
  label: (_value, { slot, gone }) => `${gone ? "drops" : "adds"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "kept" : "no"),
};
