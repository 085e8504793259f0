import { expect, test } from "vitest";
import { libraries, tags, told } from "../support/library.js";
import { check, column, id, index, key, refers, rowChanges, rowsOf, table, unique } from "../support/runs.js";

const uuid = column("id", "uuid", { notNull: true, default: "gen_random_uuid()" });

test("runs that build the same leave no decision", () => {
  expect(told(libraries([10, {}]))).toEqual([]);
});

test("restrict and no action are no difference", () => {
  expect(told(libraries([3, { onDelete: "restrict" }], [7, {}]))).toEqual([]);
});

test("forms of now() are no difference", () => {
  const at = (now: string) => ({ created: ["branches"], now });
  expect(told(libraries([3, at("CURRENT_TIMESTAMP")], [3, at("now()")], [3, at("LOCALTIMESTAMP")]))).toEqual([]);
});

test("foreign keys that are there or not are one choice, and the type of their columns none", () => {
  expect(told(libraries([3, { unlinked: true }], [7, {}]))).toEqual([
    "What does `books.branch_id`, `loans.book_id` refer to? 7:3",
  ]);
});

test("the same rule for deleting on every foreign key is one choice", () => {
  expect(told(libraries([3, { onDelete: "cascade" }], [7, {}]))).toHaveLength(1);
});

test("the type of a foreign key follows that of its key", () => {
  expect(told(libraries([4, { key: uuid }], [6, {}]))).toEqual(["What type are generated ids? 6:4"]);
});

test("ids of text that the application makes are another type of id", () => {
  const text = column("id", "text", { notNull: true });
  expect(told(libraries([4, { key: text }], [6, {}]))).toEqual(["What type are generated ids? 6:4"]);
});

test("a foreign key wider than its key says so", () => {
  const odd = { books: { columns: [column("old_id", "bigint")], constraints: [refers("old_id", "branches")] } };
  const even = { books: { columns: [column("old_id", "integer")], constraints: [refers("old_id", "branches")] } };
  const report = libraries([4, odd], [6, even]);
  expect(told(report)).toEqual(["How wide is `books.old_id`? 6:4"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual([
    "like the key",
    "`bigint`, wider than the key",
  ]);
});

test("a list of ids follows the key, and so does an id without a foreign key", () => {
  const shelf = (type: string) =>
    table("shelves", {
      columns: [id(type), column("book_ids", `${type}[]`), column("branch_id", type)],
      constraints: [key("id")],
    });
  const report = libraries([5, { key: uuid, more: [shelf("uuid")] }], [5, { more: [shelf("integer")] }]);
  expect(told(report)).toEqual(["What type are generated ids? 5:5"]);
});

test("a key of two columns and an id with a unique rule on them differ in the key alone", () => {
  const composite = { more: [tags(1, [key("book_id", "tag")])] };
  const surrogate = { more: [tags(1, [key("id"), unique("book_id", "tag")], [id()])] };
  expect(told(libraries([5, composite], [5, surrogate]))).toEqual(["How is a book tag identified? 5:5"]);
});

test("no key and no unique rule, done by the same runs, are two choices", () => {
  const surrogate = { more: [tags(1, [key("id"), unique("book_id", "tag")], [id()])] };
  const report = libraries([8, surrogate], [2, { more: [tags(1, [])] }]);
  expect(told(report).map((line) => line.split(" ").at(-1))).toEqual(["8:2", "8:2"]);
  expect(report.decisions.map(({ sameRunsAs }) => sameRunsAs.length)).toEqual([1, 1]);
});

test("a unique index is a unique rule", () => {
  const rule = { books: { constraints: [unique("isbn")] } };
  const byIndex = { books: { indexes: [{ ...index("isbn"), name: "any", unique: true }] } };
  expect(told(libraries([5, rule], [5, byIndex]))).toEqual([]);
});

test("a natural key and an id beside a unique code differ in the key alone", () => {
  const code = column("code", "text", { notNull: true });
  const natural = {
    more: [table("genres", { columns: [code, column("age", "numeric")], constraints: [key("code")] })],
  };
  const surrogate = {
    more: [
      table("genres", { columns: [id(), code, column("age", "numeric")], constraints: [key("id"), unique("code")] }),
    ],
  };
  expect(told(libraries([6, surrogate], [4, natural]))).toEqual(["How is a genre identified? 6:4"]);
});

test("one way to hold coded values is one choice: enum, check list or a look-up table", () => {
  const list = check(["status"], "status = ANY (ARRAY['in'::text, 'out'::text])");
  const enums = [{ schema: "public", name: "book_status", oid: 7, comment: null, labels: ["in", "out"] }];
  const codes = table("book_statuses", {
    columns: [column("code", "text", { notNull: true }), column("label", "text")],
    constraints: [key("code")],
  });
  const report = libraries(
    [3, { books: { constraints: [list] } }],
    [3, { enums, status: column("status", "book_status", { notNull: true }) }],
    [3, { more: [codes], books: { constraints: [refers("status", "book_statuses")] } }],
  );
  expect(told(report)).toEqual(["What type is `books.status`? 3:3:3"]);
  expect(report.decisions[0]?.options.map(({ label }) => label).sort()).toEqual([
    "a fixed list (check)",
    "a fixed list (enum)",
    "a look-up table, `book_statuses`",
  ]);
});

test("a look-up table by id is the same choice, and what it is made of is none", () => {
  const list = check(["status"], "(status = 'in'::text) OR (status = 'out'::text)");
  const codes = (n: number) =>
    table("book_statuses", {
      columns: [id(n % 2 ? "integer" : "bigint"), column("name", "text", { notNull: n > 1 })],
      constraints: [key("id"), ...(n > 2 ? [unique("name")] : [])],
    });
  const rows = rowChanges(rowsOf("book_statuses", { runRows: 2 }));
  const look = (n: number) => ({
    rows,
    more: [codes(n)],
    status: column("status", "integer", { notNull: true }),
    books: { constraints: [refers("status", "book_statuses")] },
  });
  const report = libraries([4, {}], [3, { books: { constraints: [list] } }], [1, look(1)], [1, look(2)], [1, look(3)]);
  expect(told(report)).toEqual(["What type is `books.status`? 4:3:3"]);
});

test("a table keyed by a text id is no look-up table", () => {
  const desk = table("desks", {
    columns: [column("desk_id", "text", { notNull: true }), column("created_at", "timestamp without time zone")],
    constraints: [key("desk_id")],
  });
  const at = (action: "cascade" | "no action") => ({
    more: [desk],
    branches: {
      columns: [column("desk_id", "text", { notNull: true })],
      constraints: [refers("desk_id", "desks", action)],
    },
  });
  expect(told(libraries([6, at("no action")], [4, at("cascade")]))).toEqual([
    "When a desk is deleted, what happens to its branches? 6:4",
  ]);
});

test("three types of one column are three options", () => {
  expect(told(libraries([4, {}], [3, { fee: "real" }], [2, { fee: "integer" }]))).toEqual([
    "What type is `books.fee`? 4:3:2",
  ]);
});

test("spellings of one check are no difference", () => {
  const rule = (text: string) => ({ books: { constraints: [check(["fee"], text)] } });
  expect(told(libraries([5, rule("(fee >= (0)::numeric)")], [5, rule("((fee >= 0.0))")]))).toEqual([]);
});

test("a table and the foreign key that leads to it are one choice", () => {
  const owners = table("owners", {
    columns: [id(), column("email", "text")],
    constraints: [key("id"), unique("email")],
  });
  const owned = {
    more: [owners],
    branches: { columns: [column("owner_id", "integer")], constraints: [refers("owner_id", "owners")] },
  };
  expect(told(libraries([4, owned], [6, {}]))).toEqual(["Is there a table `owners`? 6:4"]);
});

test("two columns of the same runs are two choices", () => {
  const more = { branches: { columns: [column("area", "numeric")] }, books: { columns: [column("colour", "text")] } };
  const report = libraries([4, more], [6, {}]);
  expect(told(report).map((line) => line.split(" ").at(-1))).toEqual(["6:4", "6:4"]);
  expect(report.decisions.map(({ sameRunsAs }) => sameRunsAs.length)).toEqual([1, 1]);
});

test("what one run alone does is told as its own", () => {
  const alone = {
    branches: { columns: [column("area", "numeric")] },
    more: [table("audits", { columns: [id(), column("what", "text")], constraints: [key("id")] })],
    loose: true,
    time: "date",
  };
  const report = libraries([9, {}], [1, alone]);
  expect(told(report)).toEqual([]);
  expect(report.oddOneOut.map(({ run }) => run)).toEqual(["r10"]);
});

test("what follows from a choice with more answers is a detail of that choice", () => {
  const fee = (type: string, filled: boolean) => ({
    branches: { columns: [column("due", type, { notNull: filled })] },
  });
  const report = libraries([4, fee("numeric", false)], [3, fee("real", false)], [3, fee("integer", true)]);
  expect(told(report)).toEqual(["What type is `branches.due`? 4:3:3"]);
  expect(report.decisions[0]?.facts.map(({ topic }) => topic)).toContain("`branches.due` null or not");
});

test("what follows from a choice about something else stays a row of its own", () => {
  const due = (type: string, colour: boolean) => ({
    branches: { columns: [column("due", type)] },
    books: { columns: colour ? [column("colour", "text")] : [] },
  });
  const report = libraries([4, due("numeric", true)], [3, due("real", true)], [3, due("integer", false)]);
  expect(told(report)).toEqual(["What type is `branches.due`? 4:3:3", "Does `books` hold `colour`? 7:3"]);
});

test("what the only two runs that have a thing differ in is a detail of having it", () => {
  const shelf = (type: string) => ({ books: { columns: [column("shelf", type, { notNull: true })] } });
  const report = libraries([6, {}], [1, shelf("date")], [1, shelf("integer")]);
  expect(told(report)).toEqual(["Does `books` hold `shelf`? 6:2"]);
  expect(report.decisions[0]?.facts.map(({ topic }) => topic)).toContain("type of `books.shelf`");
  // Three of them are enough for a question of their own.
  const three = libraries([6, {}], [2, shelf("date")], [1, shelf("integer")]);
  expect(told(three)).toContain("What type is `books.shelf`? 2:1");
});

test("of a thing that few have, only what somebody did about it is a detail", () => {
  const shelf = { books: { columns: [column("shelf", "date")] } };
  const [decision] = libraries([6, {}], [4, shelf]).decisions;
  expect(decision?.facts.map(({ topic }) => topic)).toEqual(["`books.shelf`", "type of `books.shelf`"]);
});
