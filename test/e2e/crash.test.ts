import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Experiment } from "../../src/model/experiment.js";
import type { LedgerLine } from "../../src/model/ledger.js";
import type { Finding } from "../../src/pipeline/sweep.js";
import { type Ended, ledgerOf, reportIn, type Sandbox, sandbox, until } from "../support/cli.js";
import { marked, useServer } from "../support/postgres.js";

// Without a name sweep is only ever listed here: it looks at the whole machine, and what else lies there is not ours.
const server = useServer();

const open = ["--sandbox", "none"];

/** Three runs, one after the other, each long enough in every state to be hit. */
function begin(place: Sandbox) {
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int PRIMARY KEY);\n");
  const starts = place.write("starts.log", "");
  const command = `echo "$MULTIRUN_RUN" >> ${starts}; sleep 0.5; echo changed > app.txt`;
  const programs = ["--setup", "sleep 0.2", "--check", "sleep 0.3"];
  const flags = ["--parallel", "1", "--database", "embedded", "--seed", seed, ...programs];
  // Agents of all attempts count in one file, which no sandbox would show them.
  return { running: place.experiment(command, { runs: 3, flags: [...flags, ...open] }), starts };
}

function planOf(place: Sandbox): Experiment {
  return JSON.parse(readFileSync(join(place.out, "experiment.json"), "utf8"));
}

/** What a sweep said of this place's experiment. */
function findingOf(place: Sandbox, { stdout }: Ended): Finding | undefined {
  const { id } = planOf(place);
  return JSON.parse(stdout).findings.find((each: Finding) => each.experiment === id);
}

function isIn(out: string, run: string, state: string): boolean {
  return ledgerOf(out).some((line) => line.run === run && line.event === "state" && line.state === state);
}

async function killAt(place: Sandbox, state: string) {
  return killWhen(place, `r02 is ${state}`, () => isIn(place.out, "r02", state));
}

async function killWhen(place: Sandbox, what: string, reached: () => boolean) {
  const { running, starts } = begin(place);
  const ended = running.ended.then((each) => {
    if (each.code !== null) throw new Error(`ended by itself with ${each.code}: ${each.stderr}`);
  });
  await Promise.race([until(what, reached), ended]);
  running.child.kill("SIGKILL");
  await ended;
  return { starts };
}

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

test.each(["running", "checking"] as const)(
  "killed while a run is %s, sweep finds all that is left and gives it back",
  async (state) => {
    const place = sandbox();
    await killAt(place, state);
    expect(place.left()).not.toEqual([]);

    const dry = await place.run("sweep", "--repo", place.repo, "--json");
    expect(findingOf(place, dry)).toMatchObject({ live: false, left: null });
    expect(place.left()).not.toEqual([]);

    const swept = await place.run("sweep", place.out, "--yes", "--json");
    expect(swept.code, swept.stderr).toBe(0);
    expect(findingOf(place, swept)).toMatchObject({ live: false, left: [] });
    expect(place.left()).toEqual([]);
    expect(findingOf(place, await place.run("sweep", "--repo", place.repo, "--json"))).toBeUndefined();
    // What was finished is still there, and the rest can still be done.
    expect(readdirSync(join(place.out, "runs"))).toContain("r01");
    const resumed = await place.run("resume", place.out, "--json");
    expect(reportIn(resumed).runs.every((run) => run.outcome === "completed")).toBe(true);
    expect(place.left()).toEqual([]);
  },
);

test("sweep works though the experiment's folder is gone", async () => {
  const place = sandbox();
  await killAt(place, "running");
  const { id } = planOf(place);
  rmSync(place.out, { recursive: true });
  const swept = await place.run("sweep", id, "--yes", "--json");
  expect(swept.code, swept.stderr).toBe(0);
  expect(place.left()).toEqual([]);
});

test("sweep leaves a living experiment alone", async () => {
  const place = sandbox();
  const { running } = begin(place);
  await until("r01 runs", () => isIn(place.out, "r01", "running"));
  const swept = await place.run("sweep", place.out, "--yes");
  expect(swept.stdout).toContain("is alive: not touched");
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(reportIn(ended).runs.every((run) => run.outcome === "completed")).toBe(true);
});

test("sweep leaves alone what another temporary folder's living experiment runs", async () => {
  const [place, elsewhere] = [sandbox(), sandbox()];
  const { running } = begin(place);
  await until("r01 runs", () => isIn(place.out, "r01", "running"));
  const swept = await elsewhere.run("sweep", "--repo", elsewhere.repo, "--json");
  expect(findingOf(place, swept)).toMatchObject({ live: true });
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(reportIn(ended).runs.every((run) => run.outcome === "completed")).toBe(true);
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

test("after a kill, sweep asks for the URL and with it gives back the databases on the server", async () => {
  const place = sandbox();
  const url = ["--database-url", server.url.reveal()];
  const running = place.experiment("sleep 60", { flags: ["--database", "postgres", ...url] });
  await until("r01 runs", () => ledgerOf(place.out).some((line) => line.event === "state" && line.state === "running"));
  running.child.kill("SIGKILL");
  await running.ended;
  expect(await marked(server)).not.toEqual([]);
  const blind = await place.run("sweep", place.out);
  expect(blind.stderr).toContain("pass --database-url");
  const swept = await place.run("sweep", place.out, ...url, "--yes", "--json");
  expect(swept.code, swept.stderr).toBe(0);
  expect(await marked(server)).toEqual([]);
  expect(place.left()).toEqual([]);
});

test("sweep leaves databases alone that may belong to an experiment elsewhere", async () => {
  const place = sandbox();
  const url = ["--database-url", server.url.reveal()];
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const marker = { multirun: 1, experiment: "far-away", run: "base", repo: "/x", expiresAt: later, state: "ready" };
  await server.query("CREATE DATABASE multirun_far_away_base");
  await server.query(`COMMENT ON DATABASE multirun_far_away_base IS '${JSON.stringify(marker)}'`);
  const swept = await place.run("sweep", "far-away", ...url, "--yes");
  expect(swept.stdout).toContain("far-away is alive: not touched");
  expect(await marked(server)).toHaveLength(1);
  const expired = { ...marker, expiresAt: new Date(0).toISOString() };
  await server.query(`COMMENT ON DATABASE multirun_far_away_base IS '${JSON.stringify(expired)}'`);
  expect((await place.run("sweep", "far-away", ...url, "--yes")).code).toBe(0);
  expect(await marked(server)).toEqual([]);
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
