import { partOf } from "../syntax.js";
import { asked, type CodeKind, quoted } from "./kind.js";
import { builtIn, isCall } from "./names.js";
import { bare, lastName } from "./reading.js";
import { routes } from "./routes.js";

/** A function that is called. */
export const calls: CodeKind = {
  kind: "call",
  weight: 2,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["call"],
  read(node, place) {
    const callee = bare(partOf(node, "callee"));
    const name = lastName(callee, place.text);
    // A route is told as a route.
    if (!isCall(node, place) || name.length > 60 || routes.read(node, place).length > 0) return [];
    return [{ slot: name, value: "called", slight: callee?.role !== "member" && builtIn.has(name) }];
  },
  title: ({ slot, gone, where }) =>
    asked(gone ? `Is the call ${quoted(`${slot}()`, 34)} kept` : `Is ${quoted(`${slot}()`, 34)} called`, where),
  label: (_value, { slot, gone }) => `${gone ? "no longer calls" : "calls"} ${quoted(`${slot}()`)}`,
  absent: ({ gone }) => (gone ? "kept" : "not called"),
};
