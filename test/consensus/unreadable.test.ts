import { expect, test } from "vitest";
import type { RunArtifacts } from "../../src/model/fact.js";
import { renderMarkdown } from "../../src/report/markdown.js";
import { renderTerminal } from "../../src/report/terminal.js";
import { demoBase, teamRows, teamTables } from "../support/demo.js";
import { reportOf } from "../support/report.js";
import { type RunParts, run, snapshot } from "../support/runs.js";

const design = { onDelete: "cascade" as const, personal: true };
const refused = { what: "database", reason: "connect ECONNREFUSED 127.0.0.1:5432" };
const withDatabase = { database: { provider: "embedded", lineage: "clone" as const } };

const whole = (n: number, parts: RunParts = {}) =>
  run(n, { schema: snapshot(teamTables(n, design)), rows: teamRows(design), sha256: "same", ...parts });
const blind = (n: number, parts: RunParts = {}) =>
  run(n, { schema: null, rows: null, sha256: "same", record: withDatabase, unreadable: [refused], ...parts });

function everyDecisionOf(runs: readonly RunArtifacts[]) {
  return reportOf(runs, demoBase).decisions.filter(({ dimension }) => dimension !== "code");
}

test("a run whose database could not be read is missing, and neither a no nor the same as another", () => {
  const runs = [1, 2, 3, 4].map((n) => whole(n));
  const report = reportOf([...runs, blind(5), blind(6)], demoBase);
  expect(report.agreed.filter(({ dimension }) => dimension !== "code").map(({ counted }) => counted)).toEqual([
    4, 4, 4, 4, 4,
  ]);
  expect(report.decisions).toEqual([]);
  expect(report.runs.map(({ relatives }) => relatives.length)).toEqual([3, 3, 3, 3, 0, 0]);
  expect(report.runs.map(({ flags }) => flags)).toEqual([[], [], [], [], ["unreadable"], ["unreadable"]]);
});

test("where a decision splits, a run that could not be read is missing from it", () => {
  const runs = [1, 2, 3, 4].map((n) => whole(n, { rows: teamRows({ ...design, personal: n > 2 }) }));
  const decisions = everyDecisionOf([...runs, blind(5)]);
  expect(decisions.map(({ missing }) => missing)).toEqual([["r05"]]);
});

test("a run that changed no file and whose database could not be read is not said to have changed nothing", () => {
  const runs = [blind(1, { files: [] }), blind(2, { files: [] }), blind(3, { files: [] })];
  const { summary } = reportOf(runs, demoBase);
  expect(summary.headline).not.toMatch(/changed nothing|changed anything/);
  expect(summary.headline).toContain("What 3 runs left could not all be read.");
  const mixed = reportOf([whole(1), whole(2), whole(3), blind(4, { files: [] })], demoBase);
  expect(mixed.decisions).toEqual([]);
  expect(JSON.stringify([mixed.oddOneOut, mixed.risks])).not.toContain("r04");
});

test.each([
  ["its database", refused],
  ["its patch", { what: "patch", reason: "git failed" }],
  ["its checks", { what: "checks.json", reason: "is not valid" }],
])("a run is no candidate where %s could not be read", (_name, unreadable) => {
  const runs = [1, 2, 3].map((n) => whole(n, { unreadable: [unreadable] }));
  expect(reportOf(runs, demoBase).candidate.run).toBeNull();
  expect(reportOf([...runs, whole(4)], demoBase).candidate.run).toBe("r04");
});

test("a run whose claims could not be read may be the candidate", () => {
  const unreadable = [{ what: "claims.json", reason: "too large" }];
  const report = reportOf(
    [1, 2, 3].map((n) => whole(n, { unreadable })),
    demoBase,
  );
  expect(report.candidate.run).toBe("r01");
  expect(report.runs[0]?.flags).toEqual([]);
});

test("a run with a database that left no schema file is missing in it, though nothing says why", () => {
  const report = reportOf([whole(1), whole(2), blind(3, { unreadable: [] })], demoBase);
  expect(report.runs[2]?.unreadable.map(({ what }) => what)).toEqual(["schema.json", "rows.json"]);
  expect(report.candidate.run).not.toBe("r03");
});

test("rows of one table that could not be read leave only that table's questions open", () => {
  const reason = "canceling statement due to statement timeout";
  const partly = (n: number, name: string) => {
    const rows = teamRows(design);
    const left = rows.tables.filter((each) => each.name !== name);
    const unreadable = [{ what: `rows of public.${name}`, reason }];
    return whole(n, {
      rows: { ...rows, tables: left, unreadable: [{ object: `public.${name}`, reason }] },
      unreadable,
    });
  };
  const runs = [1, 2, 3, 4].map((n) => whole(n, { rows: teamRows({ ...design, personal: n > 2 }) }));
  const decisions = everyDecisionOf([...runs, partly(5, "teams")]);
  expect(decisions.map(({ missing }) => missing)).toEqual([[]]);
  const saidBy = (slot: string) =>
    decisions[0]?.facts.find((each) => each.slot === slot)?.answers.flatMap((answer) => answer.runs);
  expect(saidBy("rows public.team_members")).toContain("r05");
  expect(saidBy("rows public.teams")).toHaveLength(4);
  expect(saidBy("rows public.teams")).not.toContain("r05");
});

test("the terminal and the Markdown say in one line what could not be read", () => {
  const report = reportOf([whole(1), whole(2), whole(3), blind(4), blind(5)], demoBase);
  const line = "Could not be read: r04, r05 database (connect ECONNREFUSED 127.0.0.1:5432)";
  expect(renderTerminal(report)).toContain(`  ${line}\n`);
  expect(renderTerminal(report)).toMatch(/r04 ⚠ partly read/);
  expect(renderMarkdown(report)).toContain(
    "⚠ Could not be read: r04, r05 `database` (`connect ECONNREFUSED 127.0.0.1:5432`)",
  );
});
