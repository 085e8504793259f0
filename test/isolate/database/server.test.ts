import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { toUrl } from "../../../src/clients/postgres.js";
import { isAlive, startTimeOf } from "../../../src/clients/processes.js";
import { createDatabases } from "../../../src/isolate/database/database.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { openFolder, queryAt } from "../../support/postgres.js";
import { buildProgram, eventually, type Program } from "../../support/program.js";

let folder: string;
let program: Program;

beforeAll(async () => {
  program = await buildProgram("acquire-base.ts");
});

afterAll(() => program.remove());

beforeEach(async () => {
  folder = await openFolder();
});

afterEach(async () => {
  await open([]).server?.release(holder("base"));
  await rm(folder, { recursive: true, force: true });
});

/** As another process of the same experiment would. */
const open = (seeds: string[]) => createDatabases({ experiment: testExperiment(folder, { seeds }), deps: testDeps() });
const data = () => join(folder, "work", "postgres");
const superuser = async () => {
  const { port, password } = JSON.parse(await readFile(`${data()}.json`, "utf8"));
  return toUrl({ host: "127.0.0.1", port, database: "postgres", user: "multirun", password, parameters: {} });
};
const postmaster = async () => Number((await readFile(join(data(), "postmaster.pid"), "utf8")).split("\n")[0]);

test("two processes that start at once share one server and one base", async () => {
  const input = { folder, seeds: ["CREATE TABLE once (a int)", "INSERT INTO once VALUES (1)"] };
  const [one, two] = await Promise.all([program.start(input).ended, program.start(input).ended]);
  expect([one.code, two.code], one.stderr + two.stderr).toEqual([0, 0]);
  expect(one.stdout).toBe(two.stdout);
  const provider = open(input.seeds);
  await provider.server?.acquire(holder("base"));
  const { url } = await provider.databases.acquire(holder("r01"));
  expect(await queryAt(url, "SELECT a FROM once")).toEqual([{ a: 1 }]);
});

test("base is made anew after a process was killed while seeding it", async () => {
  // Waits for ever unless there is a database named "go".
  const wait = `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_database WHERE datname = 'go') THEN PERFORM pg_sleep(600); END IF; END $$`;
  const seeds = ["CREATE TABLE first (a int)", wait];
  const killed = program.start({ folder, seeds });
  const provider = open(seeds);
  await eventually(async () => (await provider.databases.list()).some(({ kind }) => kind === "database"));
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  await provider.server?.acquire(holder("base"));
  await queryAt(await superuser(), "CREATE DATABASE go");
  await provider.databases.acquire(holder("base"));
  const { url } = await provider.databases.acquire(holder("r01"));
  expect(await queryAt(url, "SELECT count(*)::int AS n FROM first")).toEqual([{ n: 0 }]);
});

test("a server that was killed is started again with its databases", async () => {
  const provider = open(["CREATE TABLE t (a int)"]);
  await provider.server?.acquire(holder("base"));
  await provider.databases.acquire(holder("base"));
  const pid = await postmaster();
  process.kill(pid, "SIGKILL");
  await eventually(async () => startTimeOf(pid) === undefined);
  await provider.server?.acquire(holder("base"));
  expect(await postmaster()).not.toBe(pid);
  const { url } = await provider.databases.acquire(holder("r01"));
  expect(await queryAt(url, "SELECT a FROM t")).toEqual([]);
});

test("a server whose data is spoilt is made anew", async () => {
  const provider = open(["CREATE TABLE t (a int)"]);
  await provider.server?.acquire(holder("base"));
  const pid = await postmaster();
  process.kill(pid, "SIGKILL");
  await eventually(async () => startTimeOf(pid) === undefined);
  await rm(join(data(), "global"), { recursive: true });
  await provider.server?.acquire(holder("base"));
  await provider.databases.acquire(holder("base"));
  await provider.databases.acquire(holder("r01"));
}, 60_000);

test("the server gets nothing of the caller's environment and is marked as the experiment's", async () => {
  await open([]).server?.acquire(holder("base"));
  const environment = (await readFile(`/proc/${await postmaster()}/environ`, "utf8")).split("\0").filter(Boolean);
  expect(environment.map((entry) => entry.split("=")[0]).sort()).toEqual([
    "LC_ALL",
    "MULTIRUN_EXPERIMENT",
    "MULTIRUN_RUN",
    "MULTIRUN_WORK",
    "PATH",
    "TZ",
  ]);
  expect(environment).toEqual(expect.arrayContaining(["MULTIRUN_EXPERIMENT=add-teams", "MULTIRUN_RUN=server"]));
});

test("a released server is gone with its files, also when it does not answer", async () => {
  const provider = open([]);
  expect(await provider.server?.list()).toEqual([]);
  await provider.server?.acquire(holder("base"));
  expect(await provider.server?.list()).toEqual([{ kind: "server", id: data(), holder: holder("base") }]);
  const pid = await postmaster();
  const startTime = startTimeOf(pid) ?? 0;
  process.kill(pid, "SIGSTOP");
  await provider.server?.release(holder("base"));
  await provider.server?.release(holder("base"));
  expect(isAlive(pid, startTime)).toBe(false);
  expect(await provider.server?.list()).toEqual([]);
  await expect(stat(`${data()}.json`)).rejects.toThrow("ENOENT");
}, 30_000);

test("only the caller can read how to reach the server", async () => {
  await open([]).server?.acquire(holder("base"));
  expect((await stat(`${data()}.json`)).mode & 0o777).toBe(0o600);
  expect((await stat(data())).mode & 0o777).toBe(0o700);
});
