import { expect, test } from "vitest";
import type { RunArtifacts } from "../../src/model/fact.js";
import { type CheckResult, tallyChecks } from "../../src/model/record.js";
import { demoBase, demoRuns, teamRows, teamTables, titles } from "../support/demo.js";
import { reportOf } from "../support/report.js";
import { type RunParts, reporting, result, run, snapshot } from "../support/runs.js";

const design = { onDelete: "cascade" as const, personal: false };
const alike = (n: number, parts: RunParts = {}) =>
  run(n, {
    schema: snapshot(teamTables(n, design)),
    rows: teamRows(design),
    checks: titles.map((title) => result(title)),
    ...parts,
  });

function withRecord(artifacts: RunArtifacts, more: Partial<NonNullable<RunArtifacts["record"]>>): RunArtifacts {
  return { ...artifacts, record: artifacts.record && { ...artifacts.record, ...more } };
}

function withChecks(artifacts: RunArtifacts, checks: CheckResult[]): RunArtifacts {
  return { ...withRecord(artifacts, { checks: tallyChecks(checks) }), checks };
}

test("there is no candidate while a decision about schema or data is open, but a best run for each answer", () => {
  const { candidate } = reportOf(demoRuns(), demoBase);
  expect(candidate).toEqual({
    run: null,
    reason: "D1 and D2 are open",
    perOption: {
      D1: { a: expect.any(String), b: expect.any(String) },
      D2: { a: expect.any(String), b: expect.any(String) },
    },
  });
  expect(JSON.stringify(candidate)).not.toMatch(/r02|r08/);
});

test("the candidate is the run that agrees most with the others", () => {
  const runs = [
    ...[1, 2, 3, 4].map((n) => alike(n)),
    run(5, {
      schema: snapshot(teamTables(5, { ...design, onDelete: "set null" })),
      rows: teamRows(design),
      checks: [],
    }),
  ];
  const { candidate } = reportOf(runs, demoBase);
  expect(candidate.run).toMatch(/r0[1-4]/);
});

test.each<[string, (artifacts: RunArtifacts) => RunArtifacts]>([
  ["ran out of time", (each) => withRecord(each, { outcome: "timed_out", partial: true })],
  ["broke its contract", (each) => withRecord(each, { violations: [{ rule: "deny", path: ".github/x" }] })],
  [
    "left a patch that does not apply",
    (each) => withRecord(each, { patch: each.record?.patch ? { ...each.record.patch, applies: false } : null }),
  ],
  ["broke a check", (each) => ({ ...each, checks: titles.map((title) => result(title, "fail")) })],
  [
    "passes a check by turns",
    (each) =>
      withChecks(
        each,
        titles.map((title) => result(title, "unstable")),
      ),
  ],
  [
    "dropped a table",
    (each) => ({ ...each, schema: snapshot(teamTables(1, design).filter(({ name }) => name !== "tasks")) }),
  ],
])("a run that %s is no candidate, however small its change", (_name, spoil) => {
  const small = spoil(alike(1, { files: [], record: {} }));
  const patched = withRecord(small, {
    patch: small.record?.patch ? { ...small.record.patch, added: 0, deleted: 0 } : null,
  });
  const { candidate } = reportOf([patched, alike(2), alike(3), alike(4), alike(5)], demoBase);
  expect(candidate.run).not.toBeNull();
  expect(candidate.run).not.toBe("r01");
});

test("a run that did damage is no candidate, even where most did the same", () => {
  const schema = snapshot(teamTables(1, design).filter(({ name }) => name !== "tasks"));
  const runs = [1, 2, 3, 4].map((n) => ({ ...alike(n), schema }));
  expect(reportOf([...runs, alike(5)], demoBase).candidate.run).toBe("r05");
});

test("of equal runs the smaller change is taken", () => {
  const runs = [
    alike(1),
    alike(2, { files: ["src/store.js"], record: {} }),
    alike(3, { files: ["src/store.js", "+a.js"] }),
  ];
  const bigger = runs.map((each, at) =>
    at === 1 ? each : withRecord(each, { patch: each.record?.patch ? { ...each.record.patch, added: 99 } : null }),
  );
  expect(reportOf(bigger, demoBase).candidate.run).toBe("r02");
});

test("where no run passes the gates there is none, and the reason says so", () => {
  const runs = [1, 2, 3].map((n) => withRecord(alike(n), { outcome: "timed_out", partial: true }));
  expect(reportOf(runs, demoBase).candidate).toEqual({
    run: null,
    reason: "no run passes the gates: completed, all of it read, patch applies, contract kept, nothing broken or lost",
    perOption: {},
  });
});

test("runs that left the same content are relatives, whatever oids their tables got", () => {
  const runs = [alike(1, { sha256: "same" }), alike(2, { sha256: "same" }), alike(3)];
  expect(reportOf(runs, demoBase).runs.map(({ relatives }) => relatives)).toEqual([["r02"], ["r01"], []]);
});

test("times, passwords and the order of keys decide no tie: a second execution picks the same runs", () => {
  const first = demoRuns();
  const again = demoRuns().map((each, at) => {
    const late = { startedAt: "2027-07-07T07:07:07.000Z", durationMs: 1_000 * (10 - at), warnings: [`secret ${at}`] };
    const recorded = withRecord(each, late);
    return { ...recorded, schema: turned(recorded.schema), rows: turned(recorded.rows) };
  });
  expect(reportOf(again, demoBase).candidate).toEqual(reportOf(first, demoBase).candidate);
  const alikeRuns = [1, 2, 3].map((n) => alike(n));
  const turnedRuns = alikeRuns.map((each, at) => (at === 1 ? { ...each, schema: turned(each.schema) } : each));
  expect(reportOf(turnedRuns, demoBase).candidate).toEqual(reportOf(alikeRuns, demoBase).candidate);
});

/** The same document with its keys the other way round, as another execution may leave it. */
function turned<T>(value: T): T {
  const turn = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(turn);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(
      Object.entries(each)
        .reverse()
        .map(([key, inner]) => [key, turn(inner)]),
    );
  };
  return turn(value) as T;
}

test("no run is the candidate while what happens to base's rows is split", () => {
  const runs = [1, 2, 3, 4].map((n) => {
    const tables = teamTables(n, { ...design, onDelete: n > 2 ? "cascade" : "set null" });
    return alike(n, { schema: snapshot(tables) });
  });
  const { decisions, candidate } = reportOf(runs, demoBase);
  expect(decisions.map(({ weight, ask }) => [weight, ask])).toEqual([[3, true]]);
  expect(candidate).toMatchObject({ run: null, reason: "D1 is open", perOption: { D1: { a: expect.any(String) } } });
});

test("a run that takes a risk in a decision that is not settled is no candidate", () => {
  const runs = [1, 2].map((n) => {
    const tables = teamTables(n, { ...design, onDelete: n === 1 ? "cascade" : "set null" });
    return alike(n, { schema: snapshot(tables) });
  });
  const report = reportOf(runs, demoBase);
  expect(report.decisions.map(({ class: kind }) => kind)).toEqual(["insufficient"]);
  expect(report.candidate.run).toBe("r02");
});

test("where a check is unstable in every run, that is said of the candidate", () => {
  const runs = [1, 2, 3].map((n) => alike(n, { checks: [result("npm test", "unstable"), result("npm run lint")] }));
  const { candidate } = reportOf(runs, demoBase);
  expect(candidate.run).not.toBeNull();
  expect(candidate.reason).toContain("but 1 of 2 checks fail and pass in it by turns");
});

test("a run that does not tell its tests is no candidate where others tell theirs", () => {
  const suite = reporting("npm test", "pass", ["a", "b"]);
  const silent = alike(1, { checks: [{ ...result("npm test"), unread: "out.xml: the check did not write it" }] });
  const runs = [silent, ...[2, 3, 4].map((n) => alike(n, { checks: [suite] }))];
  expect(reportOf(runs, { ...demoBase, checks: [suite] }).candidate.run).toMatch(/r0[2-4]/);
  expect(reportOf([silent], { ...demoBase, checks: [] }).candidate.reason).toBe(
    "there is no other run to compare with",
  );
});
