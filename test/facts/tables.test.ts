import { expect, test } from "vitest";
import { readFacts } from "../../src/facts/facts.js";
import { damage, factsOf, told } from "../support/facts.js";
import { column, id, key, refers, rowChanges, rowsOf, run, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = snapshot([users]);

test("what a run left as it was is no fact", () => {
  expect(factsOf({ schema: base, files: [] }, base)).toEqual([]);
});

test("a new table is a fact, and so are the form and the type of its key", () => {
  const teams = table("teams", { columns: [id("bigint")], constraints: [key("id")] });
  expect(told({ schema: snapshot([users, teams]) }, base)).toEqual([
    "key public.teams · form: by a generated id",
    "key public.teams · type: `bigint`",
    "row security public.teams · row security: no",
    "rows public.teams · rows: none",
    "table public.teams · presence: yes",
  ]);
});

test.each([
  ["a generated uuid", [column("id", "uuid", { default: "gen_random_uuid()" })], [key("id")], "by a generated id"],
  ["a serial", [column("id", "integer", { default: "nextval('x'::regclass)" })], [key("id")], "by a generated id"],
  ["a code", [column("code", "text")], [key("code")], "by its `code`"],
  ["two columns", [column("b", "integer"), column("a", "integer")], [key("b", "a")], "by `a`, `b` together"],
  [
    "another table's key",
    [column("user_id", "integer")],
    [key("user_id"), refers("user_id", "users")],
    "by the key of `users`",
  ],
  ["no key", [column("a", "integer")], [], "by nothing, it has no primary key"],
])("%s is told as the form of the key", (_name, columns, constraints, label) => {
  const form = factsOf({ schema: snapshot([users, table("things", { columns, constraints })]) }, base).find(
    ({ aspect }) => aspect === "form",
  );
  expect(form?.label).toBe(label);
});

test("a table of base that is gone is damage", () => {
  expect(damage({ schema: snapshot([]) }, base)).toEqual(["drops table `users`"]);
});

test("rows that go with a dropped table are counted", () => {
  const dropped = (baseRows: number) => rowChanges(rowsOf("users", { state: "dropped", baseRows }));
  const said = (baseRows: number) => damage({ schema: snapshot([]), rows: dropped(baseRows) }, base);
  expect(said(12)).toEqual(["drops table `users` with its 12 rows"]);
  expect(said(1)).toEqual(["drops table `users` with its 1 row"]);
  expect(said(0)).toEqual(["drops table `users`"]);
});

test("in a clone, the same name with a new oid is a table dropped and made again", () => {
  expect(damage({ schema: snapshot([{ ...users, oid: 1 }]) }, base)).toEqual([
    "drops table `users` and creates it again",
  ]);
});

test("in a database of its own, oids say nothing and names decide", () => {
  const schema = snapshot([{ ...users, oid: 1 }]);
  const independent = { database: { provider: "embedded", lineage: "independent" as const } };
  expect(factsOf({ schema, files: [], record: independent }, base)).toEqual([]);
});

test("in a clone, a renamed table is one fact and its columns keep their identity", () => {
  const renamed = { ...users, name: "people" };
  expect(told({ schema: snapshot([renamed]) }, base)).toEqual(["table public.users · name: renamed to `people`"]);
});

test("without a schema of base everything is new", () => {
  const [facts] = readFacts([run(1, { schema: base })], { schema: null, checks: null });
  expect(facts?.facts.some(({ slot }) => slot === "table public.users")).toBe(true);
});

test("a run whose schema could not be read is unreadable there and says nothing", () => {
  const [facts] = readFacts([run(1, { schema: null })], { schema: base, checks: null });
  expect(facts?.dimensions).toMatchObject({ schema: "unreadable", data: "unreadable", code: "complete" });
});

test("a schema that could be read in part only leaves its silence open", () => {
  const unreadable = [{ object: "view x", reason: "permission denied" }];
  const [facts] = readFacts([run(1, { schema: { ...base, unreadable } })], { schema: base, checks: null });
  expect(facts?.dimensions.schema).toBe("partial");
});
