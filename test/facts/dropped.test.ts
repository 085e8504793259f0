import { expect, test } from "vitest";
import { findDropped } from "../../src/facts/dropped.js";
import { column, id, oidOf, snapshot, table } from "../support/runs.js";

const told = (...compared: Parameters<typeof findDropped>) =>
  findDropped(...compared).map(({ kind, name }) => `${kind} ${name}`);
const state = { schema: "public", name: "state", oid: oidOf("state"), comment: null, labels: ["open"] };
const audit = { name: "audit", oid: oidOf("audit"), comment: null, grants: [] };
const notes = table("notes", { columns: [id(), column("body", "text")] });
const base = snapshot([notes, table("older")], { enums: [state], schemas: [audit] });

test("tables, columns, schemas and types that are gone are told", () => {
  const run = snapshot([table("notes", { columns: [id()] })]);
  const all = ["table older", "column notes.body", "schema audit", "type state"];
  expect(told(run, base, true)).toEqual(all);
  expect(told(run, base, false)).toEqual(all);
});

test("in a clone what was renamed is there, and what was made anew is not", () => {
  const renamed = { ...table("older"), name: "oldest" };
  const kept = { enums: [{ ...state, name: "status" }], schemas: [audit] };
  expect(told(snapshot([notes, renamed], kept), base, true)).toEqual([]);
  const anew = snapshot([notes, table("older", { salt: 1 })], { enums: [state], schemas: [audit] });
  expect(told(anew, base, true)).toEqual(["table older"]);
  expect(told(anew, base, false)).toEqual([]);
});
