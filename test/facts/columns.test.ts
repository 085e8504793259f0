import { expect, test } from "vitest";
import { valueList } from "../../src/facts/values.js";
import { damage, factsOf, told } from "../support/facts.js";
import { check, column, id, key, refers, snapshot, table } from "../support/runs.js";

const users = table("users", {
  columns: [id(), column("email", "text"), column("name", "text")],
  constraints: [key("id")],
});
const base = snapshot([users]);
const withColumns = (...columns: ReturnType<typeof column>[]) =>
  snapshot([
    table("users", {
      ...users,
      columns: [...users.columns, ...columns.map((each, at) => ({ ...each, attnum: 9 + at }))],
    }),
  ]);

test("a new column of a table of base is told with its type, whether it must be filled, and what it starts out as", () => {
  expect(
    told({ schema: withColumns(column("plan", "text", { notNull: true, default: "'free'::text" })) }, base),
  ).toEqual([
    "column public.users.plan · default: `'free'`",
    "column public.users.plan · length: any length",
    "column public.users.plan · nullability: not null",
    "column public.users.plan · presence: yes",
    "column public.users.plan · type: text",
  ]);
});

test("a foreign key has the type of its key, so its type is no choice", () => {
  const teams = table("teams", {
    columns: [id(), column("owner_id", "integer")],
    constraints: [key("id"), refers("owner_id", "users")],
  });
  const facts = factsOf({ schema: snapshot([users, teams]) }, base);
  expect(facts.filter(({ slot, aspect }) => slot === "column public.teams.owner_id" && aspect === "type")).toEqual([]);
});

test("what a key fills is told as filled, and is no news by itself", () => {
  const likes = table("likes", {
    columns: [column("film_id", "integer", { notNull: true }), column("note", "text", { notNull: true })],
    constraints: [key("film_id")],
  });
  const facts = factsOf({ schema: snapshot([users, likes]) }, base).filter(({ aspect }) => aspect === "nullability");
  expect(facts.map(({ slot, value, quiet }) => [slot, value, quiet === true])).toEqual([
    ["column public.likes.film_id", "not null", true],
    ["column public.likes.note", "not null", false],
  ]);
});

test("spellings of now() and casts of literals are one default", () => {
  const labels = ["now()", "CURRENT_TIMESTAMP", "('now'::text)::timestamp with time zone"].map((text) => {
    const facts = factsOf({ schema: withColumns(column("at", "timestamp with time zone", { default: text })) }, base);
    return facts.find(({ aspect }) => aspect === "default")?.value;
  });
  expect(new Set(labels)).toEqual(new Set(["now()"]));
});

test.each([
  ["a type of the schema", "'a'::public.st", "'a'"],
  ["a quoted type", '\'a\'::"Weird"."St"', "'a'"],
  ["a text that looks like a cast", "('a'::text || 'b'::text)", "('a'::text || 'b'::text)"],
])("a literal is one default whatever it is cast to: %s", (_name, text, value) => {
  const facts = factsOf({ schema: withColumns(column("state", "text", { default: text })) }, base);
  expect(facts.find(({ aspect }) => aspect === "default")?.value).toBe(value);
});

test("an identity and a sequence both start out as the next number", () => {
  const labels = [
    column("no", "bigint", { identity: "always" }),
    column("no", "bigint", { identity: "by default" }),
    column("no", "bigint", { default: "nextval('public.no_seq'::regclass)" }),
  ].map((each) => factsOf({ schema: withColumns(each) }, base).find(({ aspect }) => aspect === "default")?.label);
  expect(labels).toEqual(["the next number", "the next number", "the next number"]);
});

test("columns that are computed differently differ", () => {
  const computed = (text: string) =>
    told({ schema: withColumns(column("twice", "numeric", { default: text, generated: "stored" })) }, base).find(
      (line) => line.includes("default"),
    );
  expect(computed("(total * (2)::numeric)")).toBe("column public.users.twice · default: always `total * 2`");
  expect(computed("(total * (3)::numeric)")).toBe("column public.users.twice · default: always `total * 3`");
});

test("a key of base that counts no more is told", () => {
  const [, ...others] = users.columns;
  const uncounted = snapshot([
    { ...users, columns: [{ ...users.columns[0], ...id(), identity: null, attnum: 1 }, ...others] },
  ]);
  expect(told({ schema: uncounted }, base)).toEqual([
    "column public.users.id · counter: gone, who adds rows must number them",
  ]);
});

test("an enum and a check list are two ways to hold one list of values", () => {
  const role = { schema: "public", name: "role", oid: 1, comment: null, labels: ["owner", "member"] };
  const asEnum = factsOf({ schema: { ...withColumns(column("role", "role")), enums: [role] } }, base);
  const list = check(["role"], "role = ANY (ARRAY['member'::text, 'owner'::text])");
  const [table_] = withColumns(column("role", "text")).tables;
  const asCheck = factsOf(
    { schema: snapshot(table_ ? [{ ...table_, constraints: [...table_.constraints, list] }] : []) },
    base,
  );
  const of = (facts: typeof asEnum, aspect: string) =>
    facts.filter((fact) => fact.slot.endsWith(".role") && fact.aspect === aspect);
  expect(of(asEnum, "type").map(({ label }) => label)).toEqual(["a fixed list (enum)"]);
  expect(of(asCheck, "type").map(({ label }) => label)).toEqual(["a fixed list (check)"]);
  expect(of(asEnum, "values").map(({ value }) => value)).toEqual(of(asCheck, "values").map(({ value }) => value));
  expect(asEnum.filter(({ slot }) => slot.startsWith("enum"))).toEqual([]);
  expect(asCheck.filter(({ slot }) => slot.startsWith("check"))).toEqual([]);
});

test.each([
  ["CHECK ((role = ANY (ARRAY['a'::text, 'b'::text])))", ["a", "b"]],
  ["CHECK (((role)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[])))", ["a", "it's"]],
  ["CHECK (((role = 'a'::text) OR (role = 'b'::text)))", ["a", "b"]],
  ["CHECK ((role <> 'a'::text))", undefined],
  ["CHECK ((length(role) > 3))", undefined],
])("the values of %s are %j", (definition, values) => {
  expect(valueList(definition)).toEqual(values);
});

test("a column of base that is gone is damage, and in a clone one made again under its name is too", () => {
  const without = snapshot([{ ...users, columns: users.columns.filter(({ name }) => name !== "email") }]);
  expect(damage({ schema: without }, base)).toEqual(["drops column `users.email`"]);
  const again = snapshot([
    { ...users, columns: users.columns.map((each) => (each.name === "email" ? { ...each, attnum: 7 } : each)) },
  ]);
  expect(damage({ schema: again }, base)).toEqual(["drops column `users.email`"]);
});

test("in a clone, a renamed column is one fact", () => {
  const renamed = snapshot([
    { ...users, columns: users.columns.map((each) => (each.name === "name" ? { ...each, name: "full_name" } : each)) },
  ]);
  expect(told({ schema: renamed }, base)).toEqual(["column public.users.name · name: renamed to `full_name`"]);
});

test("a column of base that was altered is told by what changed", () => {
  const altered = users.columns.map((each) =>
    each.name === "email" ? { ...each, type: "citext", notNull: true } : each,
  );
  expect(told({ schema: snapshot([{ ...users, columns: altered }]) }, base)).toEqual([
    "column public.users.email · nullability: no longer null",
    "column public.users.email · type: `text` becomes `citext`",
  ]);
});
