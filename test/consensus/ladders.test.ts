import { expect, test } from "vitest";
import { libraries, told } from "../support/library.js";
import { check, column, index, refers } from "../support/runs.js";

test("columns that must be filled in the same runs are one choice over all tables", () => {
  const report = libraries([3, { loose: true }], [7, {}]);
  expect(told(report)).toHaveLength(1);
  expect(report.decisions[0]?.title).toBe("Are `books.fee`, `books.title`, `branches.name` and 2 more required?");
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual(["all of them", "none of them"]);
});

test("checks of one table that ever fewer runs make are one row", () => {
  const price = check(["fee"], "fee >= (0)::numeric");
  const long = check(["isbn"], "length(isbn) > 3");
  const report = libraries(
    [3, { books: { constraints: [price, long] } }],
    [4, { books: { constraints: [price] } }],
    [3, {}],
  );
  expect(told(report)).toEqual(["Does a check guard `fee`, `isbn` of `books`? 4:3:3"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual(["only `fee`", "all of them", "none of them"]);
});

test("indexes are one row wherever they stand", () => {
  const both = { books: { indexes: [index("branch_id")] }, loans: { indexes: [index("book_id")] } };
  expect(told(libraries([4, both], [6, {}]))).toEqual([
    "Are there indexes on `book_id` of `loans`, `branch_id` of `books`? 6:4",
  ]);
});

test("sets that are not nested are rows of their own", () => {
  const a = check(["fee"], "fee >= (0)::numeric");
  const b = check(["isbn"], "length(isbn) > 3");
  const report = libraries([4, { books: { constraints: [a] } }], [4, { books: { constraints: [b] } }], [2, {}]);
  expect(told(report).map((line) => line.split(" ").at(-1))).toEqual(["6:4", "6:4"]);
});

test("whether a column must be filled and its default are one row", () => {
  const beds = (more: object) => ({ branches: { columns: [column("seats", "integer", more)] } });
  const report = libraries([5, beds({})], [3, beds({ notNull: true, default: "0" })], [2, beds({ notNull: true })]);
  expect(told(report)).toEqual(["May `branches.seats` be null? 5:3:2"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual([
    "may be null",
    "not null, from the start with `0`",
    "not null",
  ]);
});

test("a foreign key that must be filled is no step of a ladder", () => {
  const note = (filled: boolean) => column("note", "text", { notNull: filled });
  const link = (filled: boolean) => column("home_id", "integer", { notNull: filled });
  const kind = (a: boolean, b: boolean) => ({
    books: { columns: [note(a), link(b)], constraints: [refers("home_id", "branches")] },
  });
  const report = libraries([4, kind(true, true)], [3, kind(true, false)], [3, kind(false, false)]);
  expect(
    told(report)
      .map((line) => line.split(" ").at(-1))
      .sort(),
  ).toEqual(["6:4", "7:3"]);
});
