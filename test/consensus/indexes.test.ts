import { expect, test } from "vitest";
import type { SchemaIndex } from "../../src/model/schema.js";
import { type Library, libraries, told } from "../support/library.js";
import { column, index, key, refers, table } from "../support/runs.js";

const books = (...indexes: SchemaIndex[]): Library => ({ books: { indexes } });
const gin = (...keys: string[]): SchemaIndex => ({ ...index(...keys), method: "gin" });
const labels = (report: ReturnType<typeof libraries>, at = 0) =>
  report.decisions[at]?.options.map(({ label, runs }) => `${label} ${runs.length}`);

/** A table in which two columns lead elsewhere. */
const pairs = (...indexes: SchemaIndex[]): Library => ({
  more: [
    table("pairs", {
      columns: [
        column("book_id", "integer", { notNull: true }),
        column("loan_id", "integer", { notNull: true }),
        column("noted", "text", { notNull: true }),
        column("place", "text", { notNull: true }),
      ],
      constraints: [refers("book_id", "books"), refers("loan_id", "loans"), key("noted", "place")],
      indexes,
    }),
  ],
});

test("which columns of a table are indexed is one question", () => {
  const report = libraries([4, books(index("title"))], [3, books(index("isbn"))], [3, {}]);
  expect(told(report)).toEqual(["What is indexed in `books` beside keys? 4:3:3"]);
  expect(labels(report)).toEqual(["`title` 4", "`isbn` 3", "none 3"]);
});

test("the exact indexes are details of what is indexed", () => {
  const report = libraries([4, books(index("title"))], [3, books(index("isbn", "title"))], [3, {}]);
  expect(report.decisions[0]?.facts.slice(1).map(({ topic }) => topic)).toEqual([
    "index on `isbn`, `title` of `books`",
    "index on `title` of `books`",
  ]);
});

test("one index that is in question keeps the question about itself", () => {
  expect(told(libraries([6, books(index("title"))], [4, {}]))).toEqual([
    "Is there an index on `title` of `books`? 6:4",
  ]);
});

test("indexes that lead with one column are told by what else they hold", () => {
  const report = libraries([4, books(index("title"))], [3, books(index("title", "isbn"))], [3, {}]);
  expect(told(report)).toEqual(["How is `title` of `books` indexed? 4:3:3"]);
  expect(labels(report)).toEqual(["`title` of `books` 4", "`title`, `isbn` of `books` 3", "none 3"]);
});

test("an index on all references of a table is one answer", () => {
  const report = libraries(
    [3, pairs(index("book_id"), index("loan_id"))],
    [2, pairs(index("book_id"), index("loan_id"), index("noted"))],
    [2, pairs(index("loan_id"))],
    [3, pairs()],
  );
  expect(labels(report)).toEqual(["its references 3", "none 3", "`loan_id` 2", "its references, `noted` 2"]);
});

test("what one run alone indexes besides parts it from no other", () => {
  const report = libraries([5, books(index("title"))], [1, books(index("title"), index("isbn"))], [4, {}]);
  expect(labels(report)).toEqual(["`title` 6", "none 4"]);
});

test("a run with the table and without the columns has none of the indexes", () => {
  const shelf: Library = {
    books: { columns: [column("shelf", "text", { notNull: true })], indexes: [index("shelf"), index("title")] },
  };
  const report = libraries([5, shelf], [5, {}]);
  const indexed = report.decisions.flatMap(({ facts }) => facts).find(({ aspect }) => aspect === "look-ups");
  expect(indexed?.answers.map(({ label, runs }) => [label, runs.length])).toEqual([
    ["`shelf`, `title`", 5],
    ["none", 5],
  ]);
});

test("search indexes are told by what they find, and by their kind where runs take several", () => {
  const report = libraries(
    [3, books(gin("title public.gin_trgm_ops"))],
    [3, books({ ...index("title public.gist_trgm_ops"), method: "gist" })],
    [2, books(gin("to_tsvector('simple'::regconfig, title)"))],
    [4, {}],
  );
  expect(told(report)).toEqual([
    "What do search indexes of `books` find? 6:4:2",
    "Which index finds trigrams in `books`? 3:3",
  ]);
  expect(labels(report)).toEqual(["trigrams 6", "none 4", "full text 2"]);
  expect(labels(report, 1)).toEqual(["gin 3", "gist 3"]);
});
