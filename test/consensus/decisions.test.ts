import { expect, test } from "vitest";
import type { SchemaTable } from "../../src/model/schema.js";
import { demoBase, demoRuns, demoRunsApart } from "../support/demo.js";
import { noBase, reportOf } from "../support/report.js";
import { column, id, index, key, type RunParts, refers, run, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = { schema: snapshot([users]), checks: null };
const teams = (n: number, parts: Parameters<typeof table>[1] = {}) =>
  table("teams", { salt: n, columns: [id(), column("name", "text")], constraints: [key("id")], ...parts });

/** Runs whose tables, beside users, are those that `make` gives for each. */
function runsOf(n: number, make: (n: number) => SchemaTable[], more: (n: number) => RunParts = () => ({})) {
  return Array.from({ length: n }, (_, at) =>
    run(at + 1, { schema: snapshot([...make(at + 1), users]), ...more(at + 1) }),
  );
}

const titles = (report: ReturnType<typeof reportOf>) => report.decisions.map(({ title }) => title);

test("the demo has two decisions, and both need an answer", () => {
  const { decisions } = reportOf(demoRuns(), demoBase);
  expect(decisions.map(({ id, title, ask, main }) => [id, title, ask, main])).toEqual([
    ["D1", "Do existing users get a team?", true, true],
    ["D2", "When a team is deleted, what happens to its projects?", true, true],
  ]);
  const counts = decisions.map(({ options }) => options.map(({ label, runs }) => [label, runs.length]));
  expect(counts).toEqual([
    [
      ["no", 5],
      ["yes, one each (12 of 12)", 5],
    ],
    [
      ["deleted with it", 5],
      ["kept, `team_id` cleared", 5],
    ],
  ]);
  expect(decisions.map(({ counted, of, notApplicable }) => [counted, of, notApplicable])).toEqual([
    [10, 10, []],
    [10, 10, []],
  ]);
});

test("the rows of a table and of the tables that point at it are one choice", () => {
  const [rows] = reportOf(demoRuns(), demoBase).decisions;
  expect(rows?.facts.map(({ slot }) => slot)).toEqual(["rows public.teams", "rows public.team_members"]);
});

/** What keeps r07's tables apart from those of the others. */
const distinct = [
  ["teams", "groups"],
  ["team_members", "group_members"],
  ["projects.team_id", "projects.group_id"],
];

test("a question about something a run does not have is not applicable to it, and never a no", () => {
  for (const { notApplicable, options } of reportOf(demoRunsApart(), demoBase, { experiment: { distinct } })
    .decisions) {
    expect(notApplicable).toEqual(["r07"]);
    expect(options.flatMap(({ runs }) => runs)).not.toContain("r07");
  }
});

test("a run whose tables are other things than those of the others is one statement", () => {
  const { oddOneOut, naming } = reportOf(demoRunsApart(), demoBase, { experiment: { distinct } });
  expect(naming).toEqual([]);
  expect(oddOneOut.find(({ run }) => run === "r07")?.statements).toEqual([
    "has `group_members`, `groups`, `projects.group_id` instead of `team_members`, `teams`, `projects.team_id`",
  ]);
});

test("a run that only names its tables differently is no odd one out", () => {
  const { oddOneOut, naming } = reportOf(demoRuns(), demoBase);
  expect(oddOneOut.map(({ run }) => run)).toEqual(["r05"]);
  expect(naming.map(({ title, options }) => [title, options.map(({ label, runs }) => [label, runs.length])])).toEqual([
    [
      "Names of `team_members`, `teams` and 1 more",
      [
        ["`team_members`, `teams`, `projects.team_id`", 9],
        ["`group_members`, `groups`, `projects.group_id`", 1],
      ],
    ],
  ]);
});

test("what an unfinished run has counts, and what it lacks is missing", () => {
  const unfinished = { outcome: "timed_out" as const, partial: true };
  const runs = runsOf(
    10,
    (n) => (n <= 4 ? [] : [teams(n)]),
    (n) => (n === 4 || n === 10 ? unfinished : { files: ["a"] }),
  );
  const [decision] = reportOf(runs, base).decisions;
  expect(decision).toMatchObject({ title: "Is the database schema changed?", counted: 9, missing: ["r04"] });
  expect(decision?.options.map(({ label, runs }) => [label, runs.length])).toEqual([
    ["yes: `teams`", 6],
    ["no", 3],
  ]);
});

test("an unfinished run that has given nobody a team yet is missing, and no no", () => {
  const runs = demoRuns().map((each) =>
    each.id === "r02" && each.record
      ? { ...each, record: { ...each.record, outcome: "timed_out" as const, partial: true } }
      : each,
  );
  const rows = reportOf(runs, demoBase).decisions.find(({ title }) => title === "Do existing users get a team?");
  expect(rows).toMatchObject({ missing: ["r02"], counted: 9 });
});

test("a run that failed before it changed anything is excluded and shown", () => {
  const crash = { outcome: "crashed" as const, files: [], schema: base.schema, reason: "exit code 1" };
  const report = reportOf(
    [...runsOf(9, (n) => [teams(n, { rowSecurity: n > 4 ? "on" : "off" })]), run(10, crash)],
    base,
  );
  expect(report.decisions[0]).toMatchObject({ of: 9, counted: 9, missing: [], notApplicable: [] });
  expect(report.runs[9]).toMatchObject({ counted: false, outcome: "crashed", reason: "exit code 1" });
});

test("a run that crashed with work done counts for what it has", () => {
  const report = reportOf(
    [...runsOf(9, (n) => [teams(n)]), run(10, { outcome: "crashed", schema: snapshot([users, teams(10)]) })],
    base,
  );
  expect(report.runs[9]).toMatchObject({ counted: true, partial: true });
});

test("a planned run without artifacts is missing in every decision", () => {
  const report = reportOf(
    runsOf(8, (n) => [teams(n, { rowSecurity: n > 2 ? "on" : "off" })]),
    base,
    { planned: 10 },
  );
  expect(report.decisions[0]).toMatchObject({
    of: 10,
    counted: 8,
    missing: ["r09", "r10"],
    worstClass: "split",
    bestClass: "strong",
  });
  expect(report.runs[9]).toMatchObject({ id: "r10", counted: false, outcome: "cancelled" });
});

test("a run whose schema cannot be read is missing there", () => {
  const runs = runsOf(
    10,
    (n) => [teams(n, { rowSecurity: n > 5 ? "on" : "off" })],
    (n) => (n === 1 ? { schema: null } : {}),
  );
  expect(reportOf(runs, base).decisions[0]).toMatchObject({ counted: 9, missing: ["r01"] });
});

test("runs that changed nothing are one state, and not a no to everything else", () => {
  const idle = { outcome: "no_change" as const, schema: base.schema, files: [] };
  const runs = runsOf(10, (n) => [teams(n)]).map((each, at) => (at < 4 ? run(at + 1, idle) : each));
  const report = reportOf(runs, base);
  expect(titles(report)).toEqual(["Is anything changed at all?"]);
  expect(report.decisions[0]?.options.map(({ label, runs }) => [label, runs.length])).toEqual([
    ["yes: `teams`, `src/store.js`", 6],
    ["no", 4],
  ]);
  const alone = reportOf(
    runs.map((each, at) => (at < 3 ? ({ ...runsOf(3, (n) => [teams(n)])[at], id: each.id } as typeof each) : each)),
    base,
  );
  expect(alone.decisions).toEqual([]);
  expect(alone.oddOneOut).toEqual([{ run: "r04", statements: ["has no changes"] }]);
});

test("questions that divide the runs alike without being tied stay two, and say so", () => {
  const runs = runsOf(10, (n) => [
    teams(n, {
      columns: [id(), column("name", "text"), ...(n > 5 ? [column("slug", "text"), column("motto", "text")] : [])],
    }),
  ]);
  const report = reportOf(runs, base);
  expect(titles(report)).toEqual(["Does `teams` hold `motto`?", "Does `teams` hold `slug`?"]);
  expect(report.decisions.map(({ sameRunsAs }) => sameRunsAs)).toEqual([["D2"], ["D1"]]);
  expect(report.summary.expectedDifferences).toBeCloseTo(2 * (5 / 9), 3);
});

test("decisions that the same runs took alike carry the same letters", () => {
  const runs = runsOf(10, (n) => [
    teams(n, { rowSecurity: n > 5 ? "on" : "off", columns: [id(n > 5 ? "bigint" : "uuid"), column("name", "text")] }),
  ]);
  const { decisions } = reportOf(runs, base);
  expect(decisions.map(({ title }) => title)).toEqual([
    "Is row-level security on for `teams`?",
    "What type is the id of `teams`?",
  ]);
  const letters = decisions.map(({ options }) => options.map(({ id, runs: [first] }) => [id, first]));
  expect(letters[1]).toEqual(letters[0]);
});

test("row-level security on several tables is one choice that names them", () => {
  const runs = runsOf(10, (n) => {
    const rowSecurity = n > 5 ? ("on" as const) : ("off" as const);
    return [teams(n, { rowSecurity }), table("invites", { salt: n, rowSecurity, constraints: [key("id")] })];
  });
  const report = reportOf(runs, base);
  expect(titles(report)).toEqual(["Is row-level security on for `invites`, `teams`?"]);
});

test("a table and the column that leads to it are one choice", () => {
  const runs = Array.from({ length: 10 }, (_, at) => {
    const n = at + 1;
    if (n <= 5)
      return run(n, {
        schema: snapshot([{ ...users, columns: [...users.columns, column("plan", "text", { attnum: 8 })] }]),
      });
    const linked = table("users", {
      ...users,
      columns: [...users.columns, column("plan", "text", { attnum: 8 }), column("team_id", "integer", { attnum: 9 })],
      constraints: [...users.constraints, refers("team_id", "teams")],
    });
    return run(n, { schema: snapshot([linked, teams(n)]) });
  });
  const report = reportOf(runs, base);
  expect(titles(report)).toEqual(["Is there a table `teams`?"]);
  expect(report.decisions[0]?.facts.map(({ slot }) => slot)).toContain("column public.users.team_id");
});

test("a decision counted by fewer than half of the runs stays out of the main table", () => {
  const runs = runsOf(10, (n) =>
    n <= 6 ? [teams(n)] : [teams(n), table("plans", { salt: n, rowSecurity: n > 8 ? "on" : "off" })],
  );
  const report = reportOf(runs, base);
  const few = report.decisions.find(({ title }) => title.startsWith("Is row-level security"));
  expect(few).toMatchObject({ counted: 4, main: false, ask: false });
  expect(report.decisions[0]).toMatchObject({ title: "Is there a table `plans`?", main: true });
});

test("the main table ends at eight lines", () => {
  const names = Array.from({ length: 12 }, (_, at) => `extra_${String.fromCharCode(97 + at)}`);
  const runs = runsOf(10, (n) => [
    teams(n, {
      columns: [id(), ...names.filter((_, at) => (n * (at + 3)) % 11 > 5).map((name) => column(name, "text"))],
    }),
  ]);
  const report = reportOf(runs, base);
  const lines = new Set(
    report.decisions
      .filter(({ main }) => main)
      .map(({ options }) =>
        options
          .map(({ runs }) => runs.join())
          .sort()
          .join("|"),
      ),
  );
  expect(report.decisions.length).toBeGreaterThan(8);
  expect(lines.size).toBeLessThanOrEqual(8);
});

test("an index is no reason to ask anybody", () => {
  const runs = runsOf(10, (n) => [teams(n, { indexes: n > 5 ? [index("name")] : [] })]);
  expect(reportOf(runs, base).decisions).toMatchObject([
    { title: "Is there an index on `name` of `teams`?", ask: false },
  ]);
});

test("damage is a risk even where all runs did it", () => {
  const report = reportOf(
    Array.from({ length: 10 }, (_, at) => run(at + 1, { schema: snapshot([]) })),
    base,
  );
  expect(report.decisions).toEqual([]);
  expect(report.risks).toEqual([{ title: "drops table `users`", runs: report.runs.map(({ id }) => id), of: 10 }]);
});

test("without a database the report says which files differ, and nothing it cannot know", () => {
  const runs = Array.from({ length: 4 }, (_, at) => run(at + 1, { files: at < 2 ? ["a.js"] : ["a.js", "b.js"] }));
  const report = reportOf(runs, noBase);
  expect(report.decisions).toMatchObject([{ title: "Is `b.js` changed?", main: false, ask: false }]);
});
