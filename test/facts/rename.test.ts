import { expect, test } from "vitest";
import { replaceIdentifiers } from "../../src/facts/identifiers.js";
import { columnId, tableId } from "../../src/facts/ids.js";
import { rename } from "../../src/facts/rename.js";
import { check, column, id, index, key, refers, rowChanges, rowsOf, run, snapshot, table } from "../support/runs.js";

const said = (sql: string, names: Record<string, string>) =>
  replaceIdentifiers(sql, (name) => (Object.hasOwn(names, name) ? names[name] : undefined));

test.each<[string, string, Record<string, string>]>([
  ["(title <> ''::text)", "(name <> ''::text)", { title: "name" }],
  ["(title <> 'title'::text)", "(name <> 'title'::text)", { title: "name" }],
  ["('it''s title' = title)", "('it''s title' = name)", { title: "name" }],
  ['("Title" > 0)', '("Big Name" > 0)', { Title: "Big Name" }],
  ["(text)::text = 'x'::text", "(body)::text = 'x'::text", { text: "body" }],
  ["lower(title) || subtitle", "lower(name) || subtitle", { title: "name" }],
  ["title_2 + constructor", "title_2 + constructor", { title: "name" }],
])("in %s only names are replaced", (sql, expected, names) => {
  expect(said(sql, names)).toBe(expected);
});

const users = table("users", { columns: [id(), column("title", "text")], constraints: [key("id")] });
const base = { schema: snapshot([users]), checks: null };
const publicly = (name: string) => ({ schema: "public", name });
const renaming = new Map([
  [tableId(publicly("groups")), tableId(publicly("teams"))],
  [columnId(publicly("groups"), "title"), columnId(publicly("teams"), "name")],
  [columnId(publicly("users"), "group_id"), columnId(publicly("users"), "team_id")],
]);

const own = run(1, {
  schema: snapshot([
    table("users", {
      columns: [...users.columns, column("group_id", "integer")],
      constraints: [...users.constraints, refers("group_id", "groups")],
      indexes: [index("group_id")],
    }),
    table("groups", {
      columns: [id(), column("title", "text")],
      constraints: [key("id"), check(["title"], "(title <> ''::text)")],
    }),
  ]),
  rows: rowChanges(
    rowsOf("groups", { runRows: 3 }),
    rowsOf("users", { state: "matched", filledColumns: [{ name: "group_id", rows: 3 }] }),
  ),
});

test("what a run made is told under other names, with all that speaks of it", () => {
  const [renamed] = rename([own], base, renaming);
  const [changed, teams] = renamed?.schema?.tables ?? [];
  expect(teams).toMatchObject({ name: "teams", columns: [{ name: "id" }, { name: "name" }] });
  expect(teams?.constraints.at(-1)).toMatchObject({ columns: ["name"], definition: "CHECK ((name <> ''::text))" });
  expect(changed?.constraints.at(-1)).toMatchObject({ columns: ["team_id"], references: { table: "teams" } });
  expect(changed?.indexes).toMatchObject([{ keys: ["team_id"] }]);
  expect(renamed?.rows?.tables).toMatchObject([{ name: "teams" }, { filledColumns: [{ name: "team_id" }] }]);
});

test("what base has keeps its name, also where it is that of something renamed", () => {
  const [renamed] = rename([own], base, renaming);
  expect(renamed?.schema?.tables[0]).toMatchObject({ name: "users", columns: [{ name: "id" }, { name: "title" }, {}] });
});

test("a run that uses no other name is left as it is", () => {
  const plain = run(2, { schema: snapshot([users]) });
  const [renamed] = rename([plain], base, renaming);
  expect(renamed).toBe(plain);
});
