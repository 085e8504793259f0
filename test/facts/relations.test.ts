import { expect, test } from "vitest";
import type { SchemaConstraint } from "../../src/model/schema.js";
import { factsOf } from "../support/facts.js";
import { check, column, id, key, refers, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id()], constraints: [key("id")] });
const base = snapshot([users]);

function teams(rule: SchemaConstraint) {
  const columns = [id(), column("owner_id", "integer")];
  return table("teams", { columns, constraints: [key("id"), rule] });
}

const linked = (onUpdate: "cascade" | "restrict" | "no action" | "set null", more: Partial<SchemaConstraint> = {}) => {
  const rule = refers("owner_id", "users");
  return { ...rule, ...more, references: rule.references && { ...rule.references, onUpdate } };
};

function labelOf(aspect: string, rule: SchemaConstraint) {
  return factsOf({ schema: snapshot([users, teams(rule)]) }, base).find((each) => each.aspect === aspect)?.label;
}

test.each([
  ["cascade", "updated with it"],
  ["set null", "cleared"],
  ["restrict", "refused while there are any"],
  ["no action", "refused while there are any"],
] as const)("on update %s is told as what happens to the references: %s", (action, label) => {
  expect(labelOf("on update", linked(action))).toBe(label);
});

test.each([
  [{}, undefined],
  [{ deferrable: true }, "where a transaction asks for that"],
  [{ deferrable: true, initiallyDeferred: true }, "yes, at the end of the transaction"],
])("a foreign key that can be checked late says so: %#", (more, label) => {
  expect(labelOf("time of checking", linked("no action", more))).toBe(label);
});

test("a foreign key and a check that leave out the rows from before say so", () => {
  expect(labelOf("validity", linked("no action", { validated: false }))).toBe("yes (`NOT VALID`)");
  expect(labelOf("validity", linked("no action"))).toBeUndefined();
  const rule = check(["owner_id"], "owner_id > 0");
  expect(labelOf("validity", { ...rule, validated: false })).toBe("yes (`NOT VALID`)");
  expect(labelOf("validity", rule)).toBeUndefined();
});

test("a foreign key of base tells only what the run changed about it", () => {
  const before = snapshot([users, teams(linked("no action"))]);
  const facts = factsOf({ schema: snapshot([users, teams(linked("cascade"))]) }, before);
  const told = facts.filter(({ slot }) => slot.includes("owner_id")).map(({ aspect, label }) => [aspect, label]);
  expect(told).toEqual([["on update", "updated with it"]]);
});
