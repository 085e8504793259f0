import { expect, test } from "vitest";
import type { CheckResult } from "../../src/model/record.js";
import { type Report, reportSchema } from "../../src/model/report.js";
import { renderMarkdown } from "../../src/report/markdown.js";
import { renderTerminal } from "../../src/report/terminal.js";
import { demoBase, demoRuns, teamRows, teamTables, titles } from "../support/demo.js";
import { expectGolden } from "../support/golden.js";
import { noBase, reportOf } from "../support/report.js";
import { reporting, result, run, snapshot } from "../support/runs.js";

const design = { onDelete: "cascade" as const, personal: true };
const checks = titles.map((title) => result(title));

function alike(n: number) {
  return run(n, { schema: snapshot(teamTables(n, design)), rows: teamRows(design), checks });
}

const reports: Record<string, () => Report> = {
  demo: () => reportOf(demoRuns(), demoBase),
  "all-agree": () => reportOf([1, 2, 3, 4, 5].map(alike), demoBase),
  "nothing-changed": () =>
    reportOf(
      [1, 2, 3].map((n) => run(n, { outcome: "no_change", files: [], schema: demoBase.schema, checks })),
      demoBase,
    ),
  failures: () => {
    const failed = (n: number, outcome: "over_budget" | "crashed", reason: string) =>
      run(n, { outcome, reason, files: [] });
    const broken = [
      failed(8, "over_budget", "spent $2.00 of $2.00"),
      failed(9, "over_budget", "spent $2.00 of $2.00"),
      failed(10, "crashed", "exit code 137"),
    ];
    const resources = { acquired: 21, released: 20, leaked: ["multirun_demo_r09_1"], kept: ["multirun/demo/r01"] };
    return reportOf([...demoRuns().slice(0, 7), ...broken], demoBase, {
      resources,
      experiment: { notEnforced: ["budget", "network"] },
    });
  },
  tests: () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `unit › works ${index}`);
    const told = (status: CheckResult["status"], ...tests: string[]) =>
      run(++last, { checks: [reporting("npm test", status, [...many, ...tests])] });
    let last = 0;
    const good = () => told("pass", "teams › makes one", "teams › renames one", "names › keeps case");
    const broken = ["teams › makes one: fail", "teams › renames one: fail", "names › keeps case"];
    const runs = [
      ...[good(), good(), good()],
      ...[told("fail", ...broken), told("fail", ...broken)],
      told("pass", "teams › makes one", "teams › renames one", "mine"),
      told("unstable", "teams › makes one", "teams › renames one", "names › keeps case: unstable"),
      run(8, { checks: [{ ...result("npm test"), unread: "junit.xml: the check did not write it" }] }),
    ];
    return reportOf(runs, { schema: null, checks: good().checks });
  },
  "no-run-counted": () =>
    reportOf(
      [1, 2].map((n) => run(n, { outcome: "infra_failed", reason: "no space left", files: [] })),
      noBase,
    ),
};

test.each(Object.keys(reports))("the report of %s reads as it should", async (name) => {
  const report = reports[name]?.();
  if (report === undefined) throw new Error(name);
  expect(reportSchema.parse(report)).toEqual(report);
  await expectGolden(`${name}.md`, renderMarkdown(report));
  await expectGolden(`${name}.txt`, renderTerminal(report, { where: ".multirun/demo" }));
});
