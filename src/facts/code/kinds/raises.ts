import { asked, type CodeKind, quoted } from "./kind.js";
import { raisedBy, raisingRoles } from "./raised.js";

/** The errors that leave a function. */
export const raises: CodeKind = {
  kind: "raise",
  weight: 2.8,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: raisingRoles,
  read(node, place) {
    const value = raisedBy(node, place);
    return value === undefined ? [] : [{ slot: "raises", value }];
  },
  title: ({ gone, where }) => (gone ? asked("Which error is no longer raised", where) : asked("Which error is raised")),
  label: (value, { gone }) => `${gone ? "no longer raises" : "raises"} ${quoted(value)}`,
  absent: ({ gone }) => (gone ? "still raises it" : "raises nothing new"),
};
