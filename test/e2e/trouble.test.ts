import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerOf, reportIn, type Sandbox, sandbox, until } from "../support/cli.js";

const isRunning =
  (place: Sandbox, run = "r01") =>
  () =>
    ledgerOf(place.out).some((line) => line.run === run && line.event === "state" && line.state === "running");

function workOf(place: Sandbox): string {
  const [work] = readdirSync(place.temporary).filter((name) => name.startsWith("multirun-"));
  if (work === undefined) throw new Error("no work folder");
  return join(place.temporary, work);
}

test("a database server that is killed in the middle is started again, and no run loses its database", async () => {
  const place = sandbox();
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int PRIMARY KEY);\nINSERT INTO notes VALUES (1);\n");
  const flags = ["--database", "embedded", "--seed", seed, "--parallel", "1"];
  const running = place.experiment("sleep 2; echo x >> app.txt", { runs: 2, flags });
  await until("r01 runs", isRunning(place));
  const pid = Number(readFileSync(join(workOf(place), "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(pid, "SIGKILL");
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(reportIn(ended).runs.map((run) => run.outcome)).toEqual(["completed", "completed"]);
  for (const run of ["r01", "r02"]) {
    expect(JSON.parse(readFileSync(join(place.out, "runs", run, "record.json"), "utf8")).unreadable).toEqual([]);
    expect(readFileSync(join(place.out, "runs", run, "schema.json"), "utf8")).toContain("notes");
  }
  expect(place.left()).toEqual([]);
});

test("an experiment whose folder is removed ends with a clear error and leaves nothing", async () => {
  const place = sandbox();
  const running = place.experiment("sleep 60", { runs: 2, flags: ["--database", "embedded"] });
  await until("r01 runs", isRunning(place));
  // The runs write there all the time: removed in one step, not file by file.
  renameSync(place.out, join(place.folder, "removed"));
  const ended = await running.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("was removed while the experiment ran");
  expect(place.left()).toEqual([]);
});

test("resume tries runs again whose agent could never begin", async () => {
  const place = sandbox();
  const gate = join(place.folder, "gate");
  const first = await place.experiment("echo x >> app.txt", { runs: 2, flags: ["--setup", `test -e ${gate}`] }).ended;
  expect(reportIn(first).runs.map((run) => run.outcome)).toEqual(["infra_failed", "infra_failed"]);
  expect(first.code).toBe(1);
  writeFileSync(gate, "");
  const second = await place.run("resume", place.out, "--json");
  expect(second.code, second.stderr).toBe(0);
  expect(reportIn(second).runs.map((run) => run.outcome)).toEqual(["completed", "completed"]);
});

test("a resume does not swallow the wish to cancel that a living worker has yet to see", async () => {
  const place = sandbox();
  const running = place.experiment("sleep 60");
  await until("r01 runs", isRunning(place));
  writeFileSync(join(place.out, "cancel"), "");
  await place.run("resume", place.out);
  expect((await running.ended).code).toBe(130);
  expect(place.left()).toEqual([]);
});

test("artifacts that are not what they claim make their run unreadable and nobody else's", async () => {
  const place = sandbox();
  const agent = 'echo "$MULTIRUN_RUN" >> app.txt';
  expect((await place.experiment(agent, { runs: 4 }).ended).code).toBe(0);
  const runs = join(place.out, "runs");
  writeFileSync(join(runs, "r01/record.json"), readFileSync(join(runs, "r02/record.json")));
  rmSync(join(runs, "r03"), { recursive: true });
  symlinkSync(join(runs, "r02"), join(runs, "r03"));
  const report = reportIn(await place.run("synthesize", place.out, "--json"));
  expect(report.runs.map((run) => run.counted)).toEqual([false, true, false, true]);
  expect(report.runs[0]).toMatchObject({ outcome: "unreadable" });
});

test("a ledger that is no file is refused at once", async () => {
  const place = sandbox();
  expect((await place.experiment("true").ended).code).toBe(0);
  rmSync(join(place.out, "ledger.jsonl"));
  execFileSync("mkfifo", [join(place.out, "ledger.jsonl")]);
  const ended = await place.run("synthesize", place.out);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("ledger.jsonl is no plain file");
});
