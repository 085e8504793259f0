import { partOf } from "../syntax.js";
import { type CodeKind, quoted } from "./kind.js";

export const catches: CodeKind = {
  kind: "catch",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: ["catch"],
  read: (node, { spelling }) => [{ slot: "catches", value: spelling.of(partOf(node, "type")) || "anything" }],
  title: ({ gone, where }) => (gone ? `Which error is no longer caught${where}?` : `Which error is caught${where}?`),
  label: (value, { gone }) =>
    `${gone ? "no longer catches" : "catches"} ${value === "anything" ? "anything" : quoted(value)}`,
  absent: ({ gone }) => (gone ? "still catches it" : "catches nothing new"),
};
