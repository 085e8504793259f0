import { expect, test } from "vitest";
import type { Report } from "../../src/model/report.js";
import { demoBase, demoRuns, teamRows, teamTables } from "../support/demo.js";
import { libraries } from "../support/library.js";
import { noBase, reportOf } from "../support/report.js";
import { column, id, key, result, rowChanges, rowsOf, run, snapshot, table } from "../support/runs.js";

const people = (n: number, rows: number) => {
  const schema = snapshot([table("people", { columns: [id(), column("name", "text")], constraints: [key("id")] })]);
  return run(n, { schema, rows: rowChanges(rowsOf("people", { runRows: rows })) });
};

const inDatabase = ({ agreed }: Report) => agreed.filter(({ dimension }) => dimension !== "code");

test("rows that nearly all tables start with are told beside the table", () => {
  const runs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => people(n, n === 1 ? 6 : 5));
  expect(inDatabase(reportOf(runs, noBase))).toMatchObject([
    { title: "`people`", counted: 10 },
    { title: "rows of `people`", label: "5 rows", counted: 9, of: 10 },
  ]);
});

test("that nobody adds a row is no line", () => {
  const none = [1, 2, 3].map((n) => people(n, 0));
  expect(inDatabase(reportOf(none, noBase)).map(({ title }) => title)).toEqual(["`people`"]);
});

test("what holds where the thing is there, and few have it, is not shared by many", () => {
  const shelf = (notNull: boolean) => ({ books: { columns: [column("shelf", "text", { notNull })] } });
  const { agreed } = libraries([5, {}], [4, shelf(true)], [1, shelf(false)]);
  expect(JSON.stringify(agreed)).not.toContain("shelf");
});

test("checks that not all runs were asked about are named", () => {
  const design = { onDelete: "cascade" as const, personal: true };
  const made = (n: number, checks: string[]) =>
    run(n, {
      schema: snapshot(teamTables(n, design)),
      rows: teamRows(design),
      checks: checks.map((each) => result(each)),
    });
  const runs = [1, 2, 3, 4, 5].map((n) => made(n, n === 1 ? ["lint", "unit"] : ["lint", "unit", "types", "start"]));
  expect(reportOf(runs, demoBase).agreed.filter(({ dimension }) => dimension === "checks")).toMatchObject([
    { title: "2 checks", label: "pass", counted: 5 },
    { title: "`start`, `types`", label: "pass", counted: 4 },
  ]);
});

test("runs that differ only in what one of them alone did are two designs", () => {
  const runs = [1, 2, 3, 4, 5, 6].map((n) => people(n, n === 1 ? 6 : 5));
  const { decisions, summary } = reportOf(runs, noBase);
  expect(decisions).toEqual([]);
  expect(summary.distinctDesigns).toBe(2);
});

test("runs that answer all alike are one design", () => {
  expect(
    reportOf(
      [1, 2, 3].map((n) => people(n, 5)),
      noBase,
    ).summary.distinctDesigns,
  ).toBe(1);
  expect(reportOf(demoRuns(), demoBase).summary.distinctDesigns).toBe(5);
});
