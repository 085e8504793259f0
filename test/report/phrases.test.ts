import { expect, test } from "vitest";
import type { Report, ReportRun } from "../../src/model/report.js";
import { headlineOf } from "../../src/report/headline.js";
import { agreementsOf, candidateSentence, domainOf, referenceSentence } from "../../src/report/phrases.js";
import { demoBase, demoRuns, teamRows, teamTables } from "../support/demo.js";
import { libraries } from "../support/library.js";
import { reportOf } from "../support/report.js";
import { column, run, snapshot } from "../support/runs.js";

const alike = (n: number) => {
  const design = { onDelete: "cascade" as const, personal: true };
  return run(n, { schema: snapshot(teamTables(n, design)), rows: teamRows(design) });
};

test("two runs that agree are both of them", () => {
  const report = reportOf([alike(1), alike(2)], demoBase);
  expect(agreementsOf(report).map(({ who }) => who)).toEqual(["Both agree"]);
  expect(report.summary.headline).toMatch(/^Both counted runs agree on everything/);
});

test("a reference without a decision to hold it against is held against none", () => {
  const runs: Report["runs"] = reportOf([alike(1), alike(2), alike(3)], demoBase).runs.map((each) =>
    each.id === "r03" ? { ...each, variant: "pr", reference: true } : each,
  );
  const report = { ...reportOf([alike(1), alike(2)], demoBase), runs };
  expect(referenceSentence(report)).toBe(
    "Reference: `pr` is not counted, and there is no decision to hold it against.",
  );
});

/** Ten runs that differ in nine columns, each of which two or three other runs lack. */
function scattered(): Report {
  const kinds = Array.from({ length: 10 }, (_, n) => {
    const names = Array.from({ length: 10 }, (_, at) => `part${"abcdefghij"[at]}`);
    const own = names.filter((_, at) => ((n + 1) * (at + 3)) % 11 > 4);
    const columns = own.map((name) => column(name, "date", { notNull: true }));
    return [1, { books: { columns } }] as [number, Parameters<typeof libraries>[0][1]];
  });
  return libraries(...kinds);
}

test("where more needs an answer than the table holds, the headline says how many it holds", () => {
  const report = scattered();
  const asked = report.decisions.filter(({ ask }) => ask);
  const shown = asked.filter(({ main }) => main);
  expect(shown.length).toBeLessThan(asked.length);
  expect(headlineOf({ ...report, ...report.summary })).toMatch(
    new RegExp(`^${asked.length} decisions need an answer; the table holds the first ${shown.length}\\.`),
  );
});

test("of many open decisions the first three are told with their best runs", () => {
  const sentence = candidateSentence(scattered()) ?? "";
  expect(sentence).toMatch(/^No candidate: D1, D2, D3 and \d+ more are open\. Best run per answer: D1 a r\d\d, /);
  expect(sentence.match(/; D\d+ /g)).toHaveLength(2);
  expect(sentence).toMatch(/; \d+ more\.$/);
});

test("runs to which a decision does not apply are named up to three, and idle ones are not", () => {
  const report = reportOf(demoRuns(), demoBase);
  const [decision] = report.decisions;
  if (decision === undefined) throw new Error("the demo has decisions");
  const [r01, r02, r03, r04] = report.runs.map(({ id }) => id) as [ReportRun["id"], ...ReportRun["id"][]];
  const without = (...notApplicable: (ReportRun["id"] | undefined)[]) =>
    domainOf({ ...decision, notApplicable: notApplicable.flatMap((each) => each ?? []) }, report.runs);
  const idle = report.runs.map((each) => (each.id === r01 ? { ...each, outcome: "no_change" as const } : each));
  expect(without(r01, r02)).toBe("does not apply to r01, r02");
  expect(without(r01, r02, r03, r04)).toBe("does not apply to 4 other runs");
  expect(domainOf({ ...decision, notApplicable: [r01] }, idle)).toBeUndefined();
});
