import { expect, test } from "vitest";
import { factsOf, told } from "../support/facts.js";
import { check, column, id, index, key, refers, snapshot, table, unique } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id"), unique("email")] });
const projects = table("projects", {
  columns: [id(), column("user_id", "integer")],
  constraints: [key("id"), refers("user_id", "users")],
});
const base = snapshot([projects, users]);
const teams = (parts: Parameters<typeof table>[1] = {}) =>
  table("teams", {
    columns: [id(), column("name", "text"), column("slug", "text")],
    ...parts,
    constraints: [key("id"), ...(parts.constraints ?? [])],
  });

function about(prefix: string, schema: ReturnType<typeof snapshot>) {
  return told({ schema }, base).filter((line) => line.startsWith(prefix));
}

const linked = (action: "cascade" | "set null" | "restrict" | "no action") =>
  snapshot([
    table("projects", {
      ...projects,
      columns: [...projects.columns, column("team_id", "integer", { attnum: 9 })],
      constraints: [...projects.constraints, { ...refers("team_id", "teams", action), oid: 5 }],
    }),
    teams(),
    users,
  ]);

test.each([
  ["cascade", "deleted with it"],
  ["set null", "kept, `team_id` cleared"],
  ["restrict", "refused while there are any"],
  ["no action", "refused while there are any"],
] as const)("on delete %s is told as what happens to the rows: %s", (action, label) => {
  const fact = factsOf({ schema: linked(action) }, base).find(({ aspect }) => aspect === "on delete");
  expect(fact).toMatchObject({ label, title: "When a team is deleted, what happens to its projects?" });
});

test("restrict and no action are one choice", () => {
  const value = (action: "restrict" | "no action") =>
    factsOf({ schema: linked(action) }, base).find(({ aspect }) => aspect === "on delete")?.value;
  expect(value("restrict")).toBe(value("no action"));
});

test("a cascade onto rows that users already have is marked, one onto a new table is not", () => {
  const risk = (schema: ReturnType<typeof snapshot>) =>
    factsOf({ schema }, base).find(({ aspect }) => aspect === "on delete")?.risk;
  expect(risk(linked("cascade"))).toEqual({ kind: "consequence", text: "existing projects can be lost" });
  const own = snapshot([projects, users, teams({ constraints: [refers("slug", "users", "cascade")] })]);
  expect(risk(own)).toBeNull();
});

test("uniqueness is the same from a constraint, an index or a key", () => {
  const byConstraint = about("unique", snapshot([projects, users, teams({ constraints: [unique("slug")] })]));
  const byIndex = about(
    "unique",
    snapshot([projects, users, teams({ indexes: [{ ...index("slug"), unique: true }] })]),
  );
  const byKey = about(
    "unique",
    snapshot([projects, users, table("teams", { columns: [column("slug", "text")], constraints: [key("slug")] })]),
  );
  expect(byConstraint).toEqual(["unique table public.teams slug · presence: yes"]);
  expect(byIndex).toEqual(byConstraint);
  expect(byKey).toEqual(byConstraint);
});

test("a unique index over part of the rows is another rule", () => {
  const partial = { ...index("slug"), unique: true, predicate: "archived_at IS NULL" };
  expect(about("unique", snapshot([projects, users, teams({ indexes: [partial] })]))).not.toEqual([
    "unique table public.teams slug · presence: yes",
  ]);
});

test("checks on one column are one question, by what they demand and not by name", () => {
  const schema = snapshot([
    projects,
    users,
    teams({ constraints: [{ ...check(["name"], "((name <> ''::text))"), name: "any" }] }),
  ]);
  expect(about("check", schema)).toEqual(["check table public.teams name · rule: `name <> ''`"]);
});

test("a check that only says not null is told as a column that is always filled", () => {
  const facts = factsOf(
    { schema: snapshot([projects, users, teams({ constraints: [check(["name"], "name IS NOT NULL")] })]) },
    base,
  );
  expect(facts.filter(({ slot }) => slot.startsWith("check"))).toEqual([]);
  expect(facts.find(({ slot, aspect }) => slot === "column public.teams.name" && aspect === "nullability")?.value).toBe(
    "not null",
  );
});

test("a rule of base that is gone is told, one under another name is not", () => {
  const named = { ...unique("email"), name: "other", oid: 3 };
  expect(
    about("dropped", snapshot([projects, { ...users, constraints: [...users.constraints.slice(0, 1), named] }])),
  ).toEqual([]);
  const dropped = about("dropped", snapshot([projects, { ...users, constraints: users.constraints.slice(0, 1) }]));
  expect(dropped).toEqual(["dropped unique table public.users email UNIQUE (email) · presence: dropped"]);
});

test("an index is told by its form, and those behind a constraint belong to it", () => {
  const owned = { ...index("id"), name: "teams_pkey" };
  const schema = snapshot([projects, users, teams({ indexes: [owned, index("name")] })]);
  expect(about("index", schema)).toEqual(['index table public.teams ["btree",["name"],[],null] · presence: yes']);
});

test("indexes on the same keys that differ otherwise are called differently", () => {
  const indexes = [
    index("name"),
    { ...index("name"), method: "hash" },
    { ...index("name"), include: ["slug"] },
    { ...index("name"), predicate: "(slug IS NOT NULL)" },
  ];
  const facts = factsOf({ schema: snapshot([projects, users, teams({ indexes })]) }, base);
  const subjects = facts.filter(({ slot }) => slot.startsWith("index")).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual([
    "`name` by hash of `teams`",
    "`name` of `teams`",
    "`name` with `slug` of `teams`",
    "`name`, where `slug IS NOT NULL` of `teams`",
  ]);
});

test("row-level security is a choice of every new table, and its policies by what they allow", () => {
  const policy = {
    name: "any",
    oid: 1,
    permissive: true,
    command: "select" as const,
    roles: ["public"],
    using: "true",
    check: null,
    comment: null,
  };
  const schema = snapshot([projects, users, teams({ rowSecurity: "on", policies: [policy] })]);
  expect(about("row security", schema)).toEqual([
    "row security public.teams · policies: select any row",
    "row security public.teams · row security: yes",
  ]);
});

test("switching row-level security off for a table of base is damage", () => {
  const safe = snapshot([{ ...users, rowSecurity: "on" as const }]);
  const facts = factsOf({ schema: snapshot([users]) }, safe);
  expect(facts.flatMap(({ risk }) => risk?.text ?? [])).toEqual(["switches row-level security off for `users`"]);
});

test("views, functions and triggers are told by presence and definition, those of base by change", () => {
  const view = {
    schema: "public",
    name: "active",
    oid: 1,
    comment: null,
    materialised: false,
    definition: "SELECT 1",
    options: [],
    indexes: [],
    triggers: [],
    grants: [],
  };
  const trigger = {
    name: "t",
    oid: 2,
    definition: "CREATE TRIGGER t BEFORE UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION f()",
    enabled: "enabled",
    comment: null,
  };
  const added = snapshot([projects, { ...users, triggers: [trigger] }], { views: [view] });
  expect(told({ schema: added }, base)).toEqual([
    "trigger public.users before update · definition: runs `f()`",
    "trigger public.users before update · presence: yes",
    "view public.active · definition: `SELECT 1`",
    "view public.active · options: none",
    "view public.active · presence: yes",
  ]);
  const changed = { ...added, views: [{ ...view, definition: "SELECT 2" }] };
  expect(told({ schema: changed }, added)).toEqual(["view public.active · definition: changed"]);
});

test("which of two columns stands first means nothing where both must be equal or unlike", () => {
  const rule = (text: string) => {
    const teams = table("teams", {
      columns: [id(), column("owner_id", "integer"), column("deputy_id", "integer")],
      constraints: [key("id"), check(["owner_id", "deputy_id"], text)],
    });
    return factsOf({ schema: snapshot([users, teams]) }, base).find(({ aspect }) => aspect === "rule")?.value;
  };
  expect(rule("owner_id <> deputy_id")).toBe(rule("deputy_id <> owner_id"));
  expect(rule("owner_id < deputy_id")).not.toBe(rule("deputy_id < owner_id"));
});
