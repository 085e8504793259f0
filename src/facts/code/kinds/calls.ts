import { partOf } from "../syntax.js";
import { environment } from "./environment.js";
import { asked, type CodeKind, quoted } from "./kind.js";
import { builtIn, isCall } from "./names.js";
import { bare, lastName } from "./reading.js";
import { routes } from "./routes.js";
import { statusCodes } from "./status-codes.js";

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
    if (!isCall(node, place) || name.length > 60) return [];
    // Those are told as what they are.
    if ([routes, environment, statusCodes].some((kind) => kind.read(node, place).length > 0)) return [];
    return [
      { slot: name, value: "called", slight: (callee?.role !== "member" || /\W$/.test(name)) && builtIn.has(name) },
    ];
  },
  title: ({ slot, gone, where }) =>
    asked(gone ? `Is the call ${quoted(`${slot}()`, 34)} kept` : `Is ${quoted(`${slot}()`, 34)} called`, where),
  label: (_value, { slot, gone }) => `${gone ? "no longer calls" : "calls"} ${quoted(`${slot}()`)}`,
  absent: ({ gone }) => (gone ? "kept" : "not called"),
};
