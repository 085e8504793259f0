import { expect, test } from "vitest";
import { libraries, told } from "../support/library.js";
import { column, id, key, table } from "../support/runs.js";

const uuid = column("id", "uuid", { notNull: true });
const genres = (own = id()) =>
  table("genres", { columns: [own, column("age", "numeric")], constraints: [key(own.name)] });

test("whether strings have a length is one choice of a run", () => {
  const report = libraries([5, { text: "character varying(255)" }], [5, {}]);
  expect(told(report)).toEqual(["What type are strings? 5:5"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual(["`text`", "`varchar(n)`"]);
});

test("whether times know their zone is one choice of a run", () => {
  const at = (time: string) => ({ time, created: ["books"] });
  const zoned = { time: "timestamp with time zone" };
  expect(told(libraries([5, zoned], [5, {}]))).toHaveLength(1);
  expect(told(libraries([5, at("timestamp with time zone")], [5, at("timestamp without time zone")]))).toHaveLength(1);
});

test("a column that notes when rows were made is one choice on all tables", () => {
  const report = libraries([4, { created: ["branches", "books", "loans"] }], [3, { created: ["loans"] }], [3, {}]);
  expect(told(report)).toEqual(["Do tables hold `created_at`? 4:3:3"]);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual(["yes", "no", "only `loans`"]);
  expect(told(libraries([4, { created: ["branches", "books", "loans"] }], [6, {}]))).toHaveLength(1);
});

test("one table keyed otherwise is a choice about that table", () => {
  const odd = { more: [genres(column("id", "text", { notNull: true }))] };
  expect(told(libraries([6, odd], [4, { more: [genres()] }]))).toEqual(["What type is the id of `genres`? 6:4"]);
});

test("tables of a single run do not turn its habit", () => {
  const own = ["a", "b", "c", "d"].map((name) => table(name, { columns: [uuid], constraints: [key("id")] }));
  const report = libraries([5, { key: uuid }], [5, {}], [1, { more: own }]);
  expect(told(report)).toEqual(["What type are generated ids? 6:5"]);
});

test("an object that leaves its run's habit is told beside the habit", () => {
  const report = libraries([4, { key: uuid, more: [genres()] }], [6, { more: [genres()] }]);
  expect(told(report)).toEqual(["What type are generated ids? 6:4"]);
  const left = libraries(
    [3, { more: [genres(uuid)] }],
    [3, { key: uuid, more: [genres(uuid)] }],
    [4, { more: [genres()] }],
  );
  expect(
    told(left)
      .map((line) => line.split(" ").at(-1))
      .sort(),
  ).toEqual(["6:4", "7:3"]);
});

test("what all runs do by habit is agreed in one line", () => {
  const { agreed } = libraries([5, { fee: "real" }], [5, {}]);
  expect(agreed.filter(({ title }) => title.startsWith("type of"))).toMatchObject([
    { title: "type of generated ids", label: "integer", counted: 10 },
  ]);
});

test("runs that only have other objects have no other habit", () => {
  const sized = (name: string, type: string) =>
    table(name, { columns: [id(), column("size", type)], constraints: [key("id")] });
  const one = { more: [sized("genres", "smallint")] };
  const both = { more: [sized("genres", "smallint"), sized("shelves", "integer"), sized("rooms", "integer")] };
  const wide = libraries([5, one], [5, both]).decisions.filter(({ title }) => /wide/.test(title));
  expect(wide).toEqual([]);
});

test("lengths that differ though all runs limit them are told, those that go together in one row", () => {
  const report = libraries([5, { text: "character varying(255)" }], [5, { text: "character varying(50)" }]);
  expect(told(report)).toHaveLength(1);
  expect(report.decisions[0]?.title).toMatch(/^How long may `.*books\.isbn.*` and \d more be\?$/);
  expect(report.decisions[0]?.options.map(({ label }) => label)).toEqual([
    "at most 255 characters",
    "at most 50 characters",
  ]);
});

test("that nobody limits a length is no agreement worth a line", () => {
  const { agreed } = libraries([10, {}]);
  expect(JSON.stringify(agreed)).not.toContain("length");
});

test("whether numbers with a fraction are exact is one choice of a run, and so are their digits after the point", () => {
  const paid = (...types: [string, string]) => ({
    fee: types[0],
    more: [table("fines", { columns: [id(), column("sum", types[1], { notNull: true })], constraints: [key("id")] })],
    days: "integer",
  });
  const report = libraries(
    [4, paid("numeric(10,2)", "numeric(8,2)")],
    [3, paid("numeric(10,4)", "numeric(8,4)")],
    [3, paid("real", "real")],
  );
  expect(told(report)).toEqual([
    "What type is `books.fee`, `fines.sum`? 7:3",
    "How precise is `books.fee`, `fines.sum`? 4:3",
  ]);
  expect(report.decisions[1]?.options.map(({ label }) => label)).toEqual([
    "2 digits after the point",
    "4 digits after the point",
  ]);
});

test("numbers that are exact in one column and not in another are no agreement on numbers", () => {
  const report = libraries([5, { fee: "numeric(10,2)" }], [5, { fee: "real" }]);
  expect(told(report)).toEqual(["What type is `books.fee`? 5:5"]);
  expect(report.agreed.map(({ title }) => title)).not.toContain("numbers with a fraction");
});
