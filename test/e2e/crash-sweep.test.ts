import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerOf, reportIn, sandbox, until } from "../support/cli.js";
import { begin, findingOf, isIn, killAt, planOf } from "../support/crash.js";
import { marked, useServer } from "../support/postgres.js";

// Without a name sweep is only ever listed here: it looks at the whole machine, and what else lies there is not ours.
const server = useServer();

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
