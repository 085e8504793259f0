import { expect, test } from "vitest";
import type { SchemaTable } from "../../src/model/schema.js";
import { libraries, tags, told } from "../support/library.js";
import { reportOf } from "../support/report.js";
import { column, id, key, refers, run, snapshot, table, unique } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const profiles = table("profiles", { columns: [id(), column("bio", "text")], constraints: [key("id")] });
const base = { schema: snapshot([users, profiles]), checks: null };
const teams = (n: number) =>
  table("teams", { salt: n, columns: [id(), column("name", "text", { notNull: true })], constraints: [key("id")] });
const members = (n: number, more: ReturnType<typeof column>[] = []) =>
  table("team_members", {
    salt: n,
    columns: [column("team_id", "integer"), column("user_id", "integer"), ...more],
    constraints: [key("team_id", "user_id"), refers("team_id", "teams"), refers("user_id", "users")],
  });

const linked = (to: SchemaTable, ...columns: ReturnType<typeof column>[]) =>
  table(to.name, {
    ...to,
    columns: [...to.columns, ...columns.map((each, at) => ({ ...each, attnum: 10 + at }))],
    constraints: [
      ...to.constraints,
      ...(columns.some(({ name }) => name === "team_id") ? [refers("team_id", "teams")] : []),
    ],
  });
const link = column("team_id", "integer");

/** Runs with teams, in which membership is modelled as given. */
function modelled(...kinds: [number, (n: number) => SchemaTable[]][]) {
  const makes = kinds.flatMap(([count, make]) => Array.from({ length: count }, () => make));
  return reportOf(
    makes.map((make, at) => run(at + 1, { schema: snapshot([teams(at + 1), ...make(at + 1)]) })),
    base,
  );
}

const byTable = (n: number) => [members(n), users, profiles];
const byUser = () => [linked(users, link), profiles];
const byProfile = () => [users, linked(profiles, link)];
const byNothing = () => [users, profiles];

test("a join table and columns that lead to the same new table are one decision", () => {
  const report = modelled([7, byTable], [2, byUser], [1, byProfile]);
  expect(told(report)).toEqual(["How is membership modelled? 7:2:1"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual([
    "table `team_members`",
    "column `users.team_id`",
    "column `profiles.team_id`",
  ]);
  expect(report.decisions[0]?.notApplicable).toEqual([]);
});

test("runs with none of the ways are an option of their own", () => {
  const report = modelled([6, byTable], [2, byUser], [2, byNothing]);
  expect(told(report)).toEqual(["How is membership modelled? 6:2:2"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toContain("none of these");
});

test("ways that cover fewer than four fifths of the runs stay rows of their own", () => {
  const report = modelled([4, byTable], [3, byUser], [3, byNothing]);
  expect(report.decisions.map(({ title }) => title)).toEqual([
    "Is there a table `team_members`?",
    "Does `users` hold `team_id`?",
  ]);
});

test("a run that has two of the ways keeps them apart", () => {
  const report = modelled([5, byTable], [2, byUser], [3, (n) => [members(n), linked(users, link), profiles]]);
  expect(report.decisions.map(({ title }) => title)).not.toContain("How is membership modelled?");
});

test("a way of one run alone does not hide the others' choice", () => {
  const report = modelled([9, byTable], [1, byUser]);
  expect(told(report)).toEqual([]);
  expect(report.oddOneOut).toEqual([
    { run: "r10", statements: ["how membership is modelled: column `users.team_id` (others: table `team_members`)"] },
  ]);
});

test("an unfinished run that has none of the ways yet is missing", () => {
  const runs = [1, 2, 3, 4, 5, 6].map((n) => {
    const made = n < 4 ? byTable(n) : n < 6 ? byUser() : byNothing();
    const end = n === 6 ? { outcome: "timed_out" as const, partial: true } : {};
    return run(n, { schema: snapshot([teams(n), ...made]), ...end });
  });
  expect(reportOf(runs, base).decisions[0]).toMatchObject({
    title: "How is membership modelled?",
    counted: 5,
    missing: ["r06"],
  });
});

test("a list in a column, a text column named after the table, and the table are one decision", () => {
  const list = { books: { columns: [column("tags", "jsonb")] } };
  const text = { books: { columns: [column("tags", "text")] } };
  const report = libraries([4, list], [4, { more: [tags(1, [key("book_id", "tag")])] }], [2, text]);
  expect(told(report)).toEqual(["How is `books.tags` held? 6:4", "What type is `books.tags`? 4:2"]);
});

test("half of the runs are enough where a plain column is named after the table", () => {
  const text = { books: { columns: [column("tags", "text")] } };
  const report = libraries([3, { more: [tags(1, [key("book_id", "tag")])] }], [3, text], [4, {}]);
  expect(told(report)).toEqual(["How is `books.tags` held? 4:3:3"]);
});

test("a plain column of any name is a way where it is there exactly where the table is not", () => {
  const text = { books: { columns: [column("keywords", "text")] } };
  const table_ = { more: [tags(1, [key("book_id", "tag")])] };
  expect(told(libraries([5, table_], [5, text]))).toEqual(["How is `books.keywords` held? 5:5"]);
  // At nine to one that is chance: the column stays a matter of its own.
  expect(libraries([9, table_], [1, text]).oddOneOut).toHaveLength(1);
});

test("a text column and a reference to a table of that name are one decision", () => {
  const growers = table("growers", { columns: [id(), column("phone", "text")], constraints: [key("id")] });
  const byId = {
    more: [growers],
    branches: { columns: [column("grower_id", "integer")], constraints: [refers("grower_id", "growers")] },
  };
  const report = libraries([4, byId], [6, { branches: { columns: [column("grower", "text")] } }]);
  // The two columns are one by their name, so what is left to ask is the table.
  expect(told(report)).toEqual(["Is there a table `growers`? 6:4"]);
});

test("payload columns are asked about wherever the way that was chosen holds them", () => {
  const role = (type: string) => column("role", type);
  const report = modelled(
    [3, (n) => [members(n, [role("text")]), users, profiles]],
    [3, (n) => [members(n, [role("integer")]), users, profiles]],
    [4, () => [linked(users, link, column("team_role", "text")), profiles]],
  );
  expect(told(report)).toEqual(["How is membership modelled? 6:4", "What type is `team_members.role`? 7:3"]);
});

test("two tables that no run has both of are one decision where they lead to the same new table", () => {
  const beside = (name: string, word: string) => ({
    more: [
      table(name, {
        columns: [id(), column("book_id", "integer"), column(word, "boolean")],
        constraints: [key("id"), refers("book_id", "books")],
      }),
    ],
  });
  const report = libraries([4, beside("book_photos", "blurred")], [4, beside("book_repairs", "paid")], [2, {}]);
  expect(told(report)).toEqual(["Which of `book_photos`, `book_repairs` is there? 4:4:2"]);
});

test("a table with and without the one it leads to are two answers, and the one alone is one whatever it is called", () => {
  const words = (n: number) =>
    table("tags", {
      salt: n,
      columns: [id(), column("label", "text", { notNull: true })],
      constraints: [key("id"), unique("label")],
    });
  const two = (n: number) => [
    table("book_tags", {
      salt: n,
      columns: [column("book_id", "integer", { notNull: true }), column("tag_id", "integer", { notNull: true })],
      constraints: [key("book_id", "tag_id"), refers("book_id", "books"), refers("tag_id", "tags")],
    }),
    words(n),
  ];
  const list = { books: { columns: [column("tags", "jsonb")] } };
  const lone = table("tags", {
    columns: [id(), column("book_id", "integer", { notNull: true }), column("label", "text", { notNull: true })],
    constraints: [key("id"), refers("book_id", "books")],
  });
  const short = { more: [tags(1, [key("book_id", "tag")])] };
  const report = libraries([5, { more: two(1) }], [2, short], [2, { more: [lone] }], [3, list]);
  const [first] = report.decisions;
  expect(first?.title).toBe("How is what `book_tags` holds modelled?");
  expect(first?.options.map(({ label, runs }) => `${label} ${runs.length}`)).toEqual([
    "table `book_tags` and table `tags` 5",
    "one table alone, `book_tags` or `tags` 4",
    "list in `books.tags` 3",
  ]);
});

test("of two columns that are there where the table is not, the one that leads somewhere stands for it", () => {
  const noted = column("a_note", "text", { notNull: true });
  const report = modelled([6, byTable], [4, () => [linked(users, noted, link), profiles]]);
  const how = report.decisions.find(({ title }) => title === "How is membership modelled?");
  expect(how?.options.map(({ label }) => label)).toEqual(["table `team_members`", "column `users.team_id`"]);
});

/** A balance on readers, or on accounts of theirs; with what was paid beside it where said. */
function balances(where: "readers" | "accounts" | "both", { paid = true, loose = false } = {}) {
  const held = [
    column("balance", "integer", { notNull: !loose }),
    ...(paid ? [column("paid", "integer", { notNull: true })] : []),
  ];
  const readers = table("readers", {
    columns: [id(), column("login", "text", { notNull: true }), ...(where === "accounts" ? [] : held)],
    constraints: [key("id")],
  });
  const accounts = table("accounts", {
    columns: [id(), column("reader_id", "integer", { notNull: true }), ...held],
    constraints: [key("id"), refers("reader_id", "readers")],
  });
  return { more: where === "readers" ? [readers] : [readers, accounts] };
}

test("a column that other runs hold in a table of its own is one decision with that table", () => {
  const report = libraries([6, balances("readers")], [4, balances("accounts")]);
  const [first] = report.decisions;
  expect(first?.title).toBe("How is `readers.balance` held?");
  expect(first?.options.map(({ label, runs }) => `${label} ${runs.length}`)).toEqual([
    "column `readers.balance` 6",
    "table `accounts` 4",
  ]);
});

test("what is asked of such a column is asked of it wherever it is held", () => {
  const report = libraries(
    [4, balances("readers", { loose: true })],
    [2, balances("readers")],
    [2, balances("accounts", { loose: true })],
    [3, balances("accounts")],
  );
  expect(told(report)).toContain("May `readers.balance` be null? 6:5");
});

test("a run that has the column and the table keeps them apart", () => {
  const report = libraries([5, balances("readers")], [3, balances("accounts")], [2, balances("both")]);
  expect(told(report).filter((line) => line.startsWith("How is `readers"))).toEqual([]);
});
