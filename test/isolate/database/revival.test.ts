import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseAddress, toUrl } from "../../../src/clients/postgres.js";
import { listMarked, startTimeOf } from "../../../src/clients/processes.js";
import { createDatabases, type DatabaseProvider } from "../../../src/isolate/database/database.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { openFolder, queryAt } from "../../support/postgres.js";
import { buildProgram, eventually, type Program } from "../../support/program.js";

const seeds = ["CREATE TABLE t (a int)"];
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
  await open().server?.release(holder("base"));
  await rm(folder, { recursive: true, force: true });
});

/** As another process of the same experiment would. */
const open = () => createDatabases({ experiment: testExperiment(folder, { seeds }), deps: testDeps() });
const work = () => join(folder, "work");
const unfinished = async () =>
  (await readdir(work()).catch(() => [])).filter((name) => name.startsWith("postgres.init-"));
const initdbs = () => listMarked({ run: "server" }).filter((each) => each.work === work() && each.name === "initdb");

/** A sealed base and a run's database with a row. */
async function openRun(): Promise<{ provider: DatabaseProvider; url: Awaited<ReturnType<typeof acquireRun>> }> {
  const provider = open();
  await provider.server?.acquire(holder("base"));
  await provider.databases.acquire(holder("base"));
  await provider.seal();
  return { provider, url: await acquireRun(provider) };
}

async function acquireRun(provider: DatabaseProvider) {
  const { url } = await provider.databases.acquire(holder("r01"));
  await queryAt(url, "INSERT INTO t VALUES (1)");
  return url;
}

async function killServer(): Promise<void> {
  const pid = Number((await readFile(join(work(), "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
  process.kill(pid, "SIGKILL");
  await eventually(async () => startTimeOf(pid) === undefined);
}

test("a killed process's initdb, which goes on, disturbs nobody and is swept away", async () => {
  const killed = program.start({ folder, seeds });
  await eventually(async () => initdbs().length > 0 && (await unfinished()).length > 0);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  expect(await open().server?.list()).toEqual([expect.objectContaining({ kind: "server" })]);
  const provider = open();
  await provider.server?.acquire(holder("base"));
  expect(initdbs()).toEqual([]);
  expect(await unfinished()).toEqual([]);
  await provider.databases.acquire(holder("base"));
  expect(await queryAt((await provider.databases.acquire(holder("r01"))).url, "SELECT a FROM t")).toEqual([]);
});

test("what a killed initdb left is released with the server", async () => {
  const killed = program.start({ folder, seeds });
  await eventually(async () => initdbs().length > 0);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  await open().server?.release(holder("base"));
  expect(initdbs()).toEqual([]);
  expect(await unfinished()).toEqual([]);
  expect(await open().server?.list()).toEqual([]);
});

test("a base and a run's database that a killed process could not mark any more are made anew", async () => {
  const { provider } = await openRun();
  const { port, password } = JSON.parse(await readFile(join(work(), "postgres.json"), "utf8"));
  const admin = { host: "127.0.0.1", port, database: "postgres", user: "multirun", password, parameters: {} };
  for (const [run, owner] of [
    ["base", "seed"],
    ["r01_1", "r01_1"],
  ]) {
    const name = `multirun_add_teams_${run}`;
    await queryAt(toUrl(admin), `DROP DATABASE ${name}`);
    await queryAt(toUrl(admin), `CREATE DATABASE ${name} OWNER multirun_add_teams_${owner}`);
  }
  // The role's marker is what it was at that moment.
  const making = `DO $$ BEGIN EXECUTE format('COMMENT ON ROLE multirun_add_teams_r01_1 IS %L',
    replace(shobj_description('multirun_add_teams_r01_1'::regrole, 'pg_authid'), 'ready', 'making')); END $$`;
  await queryAt(toUrl(admin), making);
  expect(await provider.isSealed()).toBe(false);
  await provider.databases.acquire(holder("base"));
  await acquireRun(provider);
});

test("a dead server is noticed, and revived with the databases, seal and URLs it had", async () => {
  const { provider, url } = await openRun();
  // It computes for ever, does not notice that its server is gone, and keeps a new one from starting.
  const busy = queryAt(url, "SELECT count(*) FROM generate_series(1, 1000000000000)").catch(() => undefined);
  const computing = `SELECT FROM pg_stat_activity WHERE query LIKE '%generate_series(1, %' AND pid <> pg_backend_pid()`;
  await eventually(async () => (await queryAt(url, computing)).length === 1);
  await killServer();
  await expect(provider.databases.acquire(holder("r09"))).rejects.toThrow("The embedded server does not run");
  await provider.server?.acquire(holder("base"));
  await busy;
  expect(await provider.isSealed()).toBe(true);
  expect(await queryAt((await provider.databases.acquire(holder("r09"))).url, "SELECT a FROM t")).toEqual([]);
  expect(await queryAt(url, "SELECT a FROM t")).toEqual([{ a: 1 }]);
});

test("a server that somebody else revived elsewhere is found by whoever knew the old one", async () => {
  const { provider, url } = await openRun();
  await killServer();
  const { port } = parseAddress(url);
  const stranger = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
  try {
    await open().server?.acquire(holder("base"));
    await provider.endSessions("multirun_add_teams_r01_1");
    const moved = parseAddress(provider.adminUrl("multirun_add_teams_r01_1"));
    expect(moved.port).not.toBe(port);
    expect(await queryAt(toUrl(moved), "SELECT a FROM t")).toEqual([{ a: 1 }]);
  } finally {
    stranger.close();
  }
});
