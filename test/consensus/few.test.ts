import { expect, test } from "vitest";
import { renderTerminal } from "../../src/report/terminal.js";
import { demoBase, demoRuns, teamRows, teamTables } from "../support/demo.js";
import { reportOf } from "../support/report.js";
import { run, snapshot } from "../support/runs.js";

const alike = (n: number, onDelete: "cascade" | "set null" = "cascade", word: "team" | "group" = "team") => {
  const design = { onDelete, personal: true, word };
  return run(n, { schema: snapshot(teamTables(n, design)), rows: teamRows(design), files: ["src/store.js"] });
};
const crash = (n: number) => ({ ...run(n, {}), record: null });

test("what two counted runs of three share is told", () => {
  const { agreed } = reportOf([alike(1), alike(2), crash(3)], demoBase);
  expect(agreed.map(({ title, counted, of }) => [title, counted, of])).toContainEqual(["`teams`", 2, 3]);
});

test("one run agrees with nobody, and is no candidate for want of others", () => {
  const report = reportOf([alike(1)], demoBase);
  const text = renderTerminal(report);
  expect(text).not.toMatch(/agree[^m]|agrees most/);
  expect(report.candidate).toMatchObject({ run: null, reason: "there is no other run to compare with" });
});

test("of runs that agree alike, one that uses the common names is taken", () => {
  const runs = [alike(1, "cascade", "group"), alike(2), alike(3), alike(4)];
  expect(reportOf(runs, demoBase).candidate.run).not.toBe("r01");
  const smaller = runs.map((each, at) =>
    at === 0
      ? {
          ...each,
          record: each.record && { ...each.record, patch: each.record.patch && { ...each.record.patch, added: 1 } },
        }
      : each,
  );
  expect(reportOf(smaller, demoBase).candidate.run).not.toBe("r01");
});

test("two runs that differ are not said to need no answer, nor to be one design", () => {
  const late = { ...alike(2, "set null") };
  const partial = { ...late, record: late.record && { ...late.record, outcome: "timed_out" as const, partial: true } };
  expect(reportOf([alike(1), partial], demoBase).summary.headline).toBe(
    "Two random runs differ on 1.0 of 1 decision. 2 runs are too few to tell agreement from chance.",
  );
  expect(reportOf(demoRuns(), demoBase).summary.headline).toContain("5 distinct designs");
});
