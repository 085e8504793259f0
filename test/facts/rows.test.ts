import { expect, test } from "vitest";
import { damage, factsOf } from "../support/facts.js";
import { column, id, key, refers, rowChanges, rowsOf, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = snapshot([users]);
const teams = table("teams", {
  columns: [id(), column("owner_id", "integer")],
  constraints: [key("id"), refers("owner_id", "users")],
});
const link = (distinct: number, targetRows: number) => [
  { columns: ["owner_id"], schema: "public", table: "users", distinct, targetRows },
];

function rowsFact(parts: Parameters<typeof rowsOf>[1] | undefined) {
  const rows = rowChanges(...(parts ? [rowsOf("teams", parts)] : []));
  return factsOf({ schema: snapshot([teams, users]), rows }, base).find(({ aspect }) => aspect === "rows");
}

test("a new table without rows says no, whether the table is listed or not", () => {
  expect(rowsFact(undefined)).toMatchObject({ title: "Do existing users get a team?", label: "no", lack: true });
  expect(rowsFact({ runRows: 0 })?.label).toBe("no");
});

test.each([
  [{ runRows: 12, links: link(12, 12) }, "yes, one each (12 of 12)"],
  [{ runRows: 7, links: link(7, 12) }, "yes, one each for 7 of 12"],
  [{ runRows: 24, links: link(12, 12) }, "yes, 24 rows for 12 of 12"],
  [{ runRows: 1, links: link(1, 12) }, "yes, one each for 1 of 12"],
  [{ runRows: 12, links: link(6, 12) }, "yes, 12 rows for 6 of 12"],
])("rows %j are told as %s", (parts, label) => {
  expect(rowsFact(parts)?.label).toBe(label);
});

test("twelve rows are never called one each where nobody counted whom they point at", () => {
  expect(rowsFact({ runRows: 12 })?.label).toBe("yes, 12 rows");
});

test("a table that points at nothing of base is asked which rows it starts with", () => {
  const plans = table("plans", { columns: [id()], constraints: [key("id")] });
  const fact = factsOf(
    { schema: snapshot([plans, users]), rows: rowChanges(rowsOf("plans", { runRows: 3 })) },
    base,
  ).find(({ aspect }) => aspect === "rows");
  expect(fact).toMatchObject({ title: "Which rows does `plans` start with?", label: "3 rows" });
});

test.each([
  [0, "no, it stays empty"],
  [37, "some (37 of 50)"],
  [50, "yes, all (50 of 50)"],
])("a new column of base filled in %i of 50 rows is told as %s", (filled, label) => {
  const schema = snapshot([
    table("users", { ...users, columns: [...users.columns, column("plan", "text", { attnum: 9 })] }),
  ]);
  const change = rowsOf("users", {
    state: "matched",
    baseRows: 50,
    runRows: 50,
    filledColumns: [{ name: "plan", rows: filled }],
  });
  expect(factsOf({ schema, rows: rowChanges(change) }, base).find(({ aspect }) => aspect === "filled")?.label).toBe(
    label,
  );
});

test("rows of base that are gone or changed are damage, rows added are not", () => {
  const change = rowsOf("users", {
    state: "matched",
    baseRows: 12,
    runRows: 11,
    added: { count: 2, keys: [] },
    removed: { count: 3, keys: [["1"], ["2"], ["3"]] },
    changed: { count: 1, keys: [["4"]] },
    changedColumns: [{ name: "email", rows: 1 }],
  });
  expect(damage({ schema: base, rows: rowChanges(change) }, base)).toEqual([
    "`users`: 1 of 12 rows changed in `email`",
    "`users`: 3 of 12 rows removed",
  ]);
});

type Values = NonNullable<Parameters<typeof rowsOf>[1]["values"]>[number];

function valuesLabel(parts: Partial<Values>, constraints = [key("id")]) {
  const columns = [...users.columns, column("plan", "text", { attnum: 9 })];
  const schema = snapshot([table("users", { ...users, columns, constraints })]);
  const values = { column: "plan", rows: 12, distinct: 12, kind: "own" as const, from: null, value: null, ...parts };
  const change = rowsOf("users", { state: "matched", baseRows: 12, runRows: 12, values: [values] });
  return factsOf({ schema, rows: rowChanges(change) }, base).find(({ aspect }) => aspect === "values")?.label;
}

test.each<[Partial<Values>, string]>([
  [{ kind: "constant", distinct: 1, value: "free" }, "`free` in all"],
  [{ kind: "constant", distinct: 1, value: null }, "one long value"],
  [{ kind: "copy", from: { table: null, column: "email" } }, "the value of `email`"],
  [{ kind: "template", from: { table: "accounts", column: "name" } }, "a text with `accounts.name` in it"],
  [{ kind: "generated" }, "made up by the database or the clock"],
  [{ kind: "own" }, "a value each"],
  [{ kind: "own", distinct: 3 }, "3 values for 12 rows"],
])("values %j are told as %s", (parts, label) => {
  expect(valuesLabel(parts)).toBe(label);
});

test.each([
  [{ distinct: 12 }, "each to another one"],
  [{ distinct: 1 }, "all to the same one"],
  [{ distinct: 4 }, "to 4"],
])("references %j are told by how many rows they lead to: %s", (parts, label) => {
  expect(valuesLabel(parts, [key("id"), refers("plan", "users")])).toBe(label);
});

test("values of a column with a default, and of one that was there, are no choice of their own", () => {
  expect(valuesLabel({ column: "email" })).toBeUndefined();
});

test("references that lead to nothing are damage", () => {
  const change = rowsOf("users", {
    state: "matched",
    baseRows: 12,
    runRows: 12,
    orphans: [{ column: "team_id", schema: "public", table: "teams", rows: 3 }],
  });
  expect(damage({ schema: base, rows: rowChanges(change) }, base)).toEqual([
    "`users.team_id`: 3 rows that lead to nothing in `teams`",
  ]);
});
