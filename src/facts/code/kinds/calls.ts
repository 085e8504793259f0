import { partOf } from "../syntax.js";
import { type CodeKind, quoted } from "./kind.js";
import { builtIn, isSpeaking } from "./names.js";
import { bare, lastName } from "./spelling.js";

export const calls: CodeKind = {
  kind: "call",
  weight: 2,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["call"],
  read(node, { text, spelling }) {
    const callee = bare(partOf(node, "callee"));
    const name = lastName(callee, text);
    if (name === "" || name.length > 60 || spelling.isLocal(name) || isSpeaking(name)) return [];
    // What is raised is told as raised.
    if (node.parent?.role === "raise") return [];
    return [{ slot: name, value: "called", slight: callee?.role !== "member" && builtIn.has(name) }];
  },
  title: ({ slot, gone, where }) =>
    gone ? `Is the call ${quoted(`${slot}()`, 34)} kept${where}?` : `Is ${quoted(`${slot}()`, 34)} called${where}?`,
  label: (_value, { slot, gone }) => `${gone ? "no longer calls" : "calls"} ${quoted(`${slot}()`)}`,
  absent: ({ gone }) => (gone ? "kept" : "not called"),
};
