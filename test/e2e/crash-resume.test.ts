import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LedgerLine } from "../../src/model/ledger.js";
import { ledgerOf, reportIn, sandbox, until } from "../support/cli.js";
import { killAt, killWhen, open } from "../support/crash.js";

const states = ["provisioning", "running", "capturing", "checking", "releasing", "done"] as const;

test.each(states)("killed while a run is %s, resume finishes the experiment and leaves nothing", async (state) => {
  const place = sandbox();
  const { starts } = await killAt(place, state);

  const resumed = await place.run("resume", place.out, "--json");
  expect(resumed.code, resumed.stderr).toBe(0);
  const report = reportIn(resumed);
  expect(report.runs.map((run) => [run.id, run.outcome, run.checks?.passed])).toEqual([
    ["r01", "completed", 1],
    ["r02", "completed", 1],
    ["r03", "completed", 1],
  ]);
  expect(report.resources.leaked).toEqual([]);
  expect(report.resources.released).toBe(report.resources.acquired);
  expect(place.left()).toEqual([]);
  // A finished agent is not paid for twice: only one that was killed in the middle begins again.
  const begun = readFileSync(starts, "utf8").trim().split("\n");
  const again = state === "provisioning" || state === "running" ? 2 : 1;
  expect(begun.filter((run) => run === "r01")).toHaveLength(1);
  expect(begun.filter((run) => run === "r02").length).toBeLessThanOrEqual(again);
});

test.each([
  ["acquire", "work"],
  ["acquire", "server"],
  ["acquire", "database"],
  ["acquired", "database"],
])("killed while base is made (%s %s), sweep and resume leave nothing and lose nothing", async (event, kind) => {
  const place = sandbox();
  const at = (line: LedgerLine) => line.run === "base" && line.event === event && "kind" in line && line.kind === kind;
  await killWhen(place, `${event} ${kind}`, () => ledgerOf(place.out).some(at));
  const swept = await place.run("sweep", place.out, "--yes", "--json");
  expect(swept.code, swept.stderr).toBe(0);
  expect(place.left()).toEqual([]);
  const resumed = await place.run("resume", place.out, "--json");
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(reportIn(resumed).runs.every((run) => run.outcome === "completed")).toBe(true);
  expect(place.left()).toEqual([]);
});

test("two resumes of one experiment share its runs and never do one twice", async () => {
  const place = sandbox();
  const { starts } = await killAt(place, "provisioning");
  const before = readFileSync(starts, "utf8").trim().split("\n").filter(Boolean);
  const both = await Promise.all([place.run("resume", place.out, "--json"), place.run("resume", place.out, "--json")]);
  for (const each of both) {
    expect(each.code, each.stderr).toBe(0);
    expect(reportIn(each).runs.every((run) => run.outcome === "completed")).toBe(true);
  }
  const begun = readFileSync(starts, "utf8").trim().split("\n").slice(before.length);
  expect(new Set(begun).size).toBe(begun.length);
  expect(place.left()).toEqual([]);
});

test("a worker that was stopped past its lease finds its run taken over, stops and keeps its output", async () => {
  const place = sandbox();
  const starts = place.write("starts.log", "");
  const running = place.experiment(`echo "$MULTIRUN_TASK_FILE" | tee -a ${starts}; echo half > app.txt; sleep 5`, {
    flags: open,
  });
  await until("the agent works", () => readFileSync(starts, "utf8") !== "");
  running.child.kill("SIGSTOP");
  // Its lease of twenty seconds runs out; the other one waits for that and takes the run over.
  const resumed = place.run("resume", place.out, "--json");
  await until("r01 is published", () => existsSync(join(place.out, "runs/r01/record.json")), 45_000);
  running.child.kill("SIGCONT");
  const [ended, second] = await Promise.all([running.ended, resumed]);
  expect(second.code, second.stderr).toBe(0);
  expect(ended.stderr).toContain("r01 was taken over");
  expect(readFileSync(join(place.out, "attempts/r01-1/stdout.log"), "utf8")).toContain("r01-1/task.md");
  expect(readFileSync(join(place.out, "runs/r01/stdout.log"), "utf8")).toContain("r01-2/task.md");
  expect(JSON.parse(readFileSync(join(place.out, "runs/r01/record.json"), "utf8"))).toMatchObject({ attempt: 2 });
  expect(place.left()).toEqual([]);
}, 90_000);
