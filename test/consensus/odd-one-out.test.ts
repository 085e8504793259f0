import { expect, test } from "vitest";
import { type Library, libraries } from "../support/library.js";
import { noBase, reportOf } from "../support/report.js";
import { column, id, index, key, run, snapshot, table } from "../support/runs.js";

const noted = (columns: string[], notNull: boolean): Library => ({
  books: { columns: columns.map((name) => column(name, "date", { notNull })) },
});
const statements = (...kinds: [number, Library][]) => libraries(...kinds).oddOneOut.map((each) => each.statements);

test("what a run alone does alike to several things is one statement", () => {
  const own = ["due", "read"];
  expect(statements([9, noted(own, true)], [1, noted(own, false)])).toEqual([
    ["`books.due`, `books.read` null or not: may be null (others: not null)"],
  ]);
});

test("what it does in two ways is two statements", () => {
  const books = (due: string, read: string): Library => ({
    books: {
      columns: [column("due", "date", { default: due }), column("read", "date", { default: read })],
    },
  });
  expect(statements([9, books("'2020-01-01'", "'2020-01-01'")], [1, books("'2021-01-01'", "'2022-01-01'")])).toEqual([
    [
      "default of `books.due`: `'2021-01-01'` (others: `'2020-01-01'`)",
      "default of `books.read`: `'2022-01-01'` (others: `'2020-01-01'`)",
    ],
  ]);
});

test("deletions are one statement whatever is deleted", () => {
  expect(statements([9, { onDelete: "cascade" }], [1, {}])).toEqual([
    ["books of a deleted branch, loans of a deleted book: refused while there are any (others: deleted with it)"],
  ]);
});

test("of many things the first are named", () => {
  const many = Array.from({ length: 9 }, (_, at) => `day_${at}`);
  const [[statement] = []] = statements([9, noted(many, true)], [1, noted(many, false)]);
  expect(statement).toMatch(/^`books.day_0`, .*`books.day_5` and 3 more null or not: may be null/);
});

test("a run that lets every column be null is told so in one statement, if it is the only one", () => {
  const made = (n: number) => {
    const columns = ["name", "town", "phone", "note"].map((name) => column(name, "text", { notNull: n > 1 }));
    return run(n, { schema: snapshot([table("people", { columns: [id(), ...columns], constraints: [key("id")] })]) });
  };
  const report = reportOf([1, 2, 3, 4, 5, 6].map(made), noBase);
  expect(report.oddOneOut).toEqual([{ run: "r01", statements: ["lets every column but its keys be null"] }]);
});

test("a run with an index of its own is told with all of them", () => {
  const both = { books: { indexes: [index("isbn"), index("title")] } };
  expect(statements([9, {}], [1, both])).toEqual([
    ["what is indexed in `books` beside keys: `isbn`, `title` (others: none)"],
  ]);
});
