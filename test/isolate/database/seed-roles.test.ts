import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabases, type DatabaseProvider } from "../../../src/isolate/database/database.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { marked, openFolder, queryAt, useServer, withAddress } from "../../support/postgres.js";

const server = useServer();
const seed = `
  CREATE ROLE app LOGIN SUPERUSER PASSWORD 'app';
  CREATE ROLE "odd ""name";
  CREATE SCHEMA s AUTHORIZATION app;
  CREATE TABLE users (id int PRIMARY KEY); ALTER TABLE users OWNER TO app; GRANT SELECT ON users TO "odd ""name";
  CREATE TABLE s.teams (id int); ALTER TABLE s.teams OWNER TO "odd ""name"`;

let folder: string;

beforeEach(async () => {
  folder = await openFolder();
});

afterEach(async () => {
  await open([]).server?.release(holder("base"));
  await rm(folder, { recursive: true, force: true });
});

const open = (seeds: string[]) => createDatabases({ experiment: testExperiment(folder, { seeds }), deps: testDeps() });

async function seal(provider: DatabaseProvider): Promise<void> {
  await provider.server?.acquire(holder("base"));
  await provider.databases.acquire(holder("base"));
  await provider.seal();
}

test("a run may change what a seed gave to roles of its own, which stay there to be named", async () => {
  const provider = open([seed]);
  await seal(provider);
  const { url } = await provider.databases.acquire(holder("r01"));
  await queryAt(url, "ALTER TABLE users ADD a int; DROP TABLE s.teams; CREATE TABLE s.other (a int)");
  await queryAt(url, "GRANT SELECT ON s.other TO app");
});

test("what setup commands gave to roles of their own before the seal is the run's, too", async () => {
  const provider = open([]);
  await provider.server?.acquire(holder("base"));
  const base = await provider.databases.acquire(holder("base"));
  await queryAt(base.url, "CREATE ROLE late; CREATE TABLE t (a int); ALTER TABLE t OWNER TO late");
  await provider.seal();
  await provider.seal();
  await queryAt((await provider.databases.acquire(holder("r01"))).url, "ALTER TABLE t ADD b int");
});

test("a run cannot become mighty by a role whose password the seed tells", async () => {
  const provider = open([seed]);
  await seal(provider);
  const { url, name } = await provider.databases.acquire(holder("r01"));
  await queryAt(url, `GRANT CONNECT ON DATABASE ${name} TO app`);
  const login = withAddress(url, { user: "app", password: "app" });
  await expect(queryAt(login, "SELECT 1")).rejects.toThrow("is not permitted to log in");
});

test("base can be made anew from seeds that make roles", async () => {
  const failing = open([seed, "SELECT nope"]);
  await failing.server?.acquire(holder("base"));
  await expect(failing.databases.acquire(holder("base"))).rejects.toThrow('column "nope" does not exist');
  const provider = open([seed]);
  await provider.databases.acquire(holder("base"));
  await provider.databases.release(holder("base"));
  await seal(provider);
});

test("on a user's server a seed can make no role, and none is left behind", async () => {
  await server.query(
    "CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'pw'; GRANT CONNECT ON DATABASE postgres TO maker",
  );
  for (const url of [server.url, withAddress(server.url, { user: "maker", password: "pw" })]) {
    const experiment = testExperiment("/nowhere", { provider: "postgres", seeds: ["CREATE ROLE app"] });
    const { databases } = createDatabases({ experiment, url, deps: testDeps() });
    await expect(databases.acquire(holder("base"))).rejects.toMatchObject({
      code: "bad_input",
      message:
        'db/1.sql line 1: permission denied to create role (Only roles with the CREATEROLE attribute may create roles.) (SQLSTATE 42501), at "CREATE ROLE app"',
      hint: "Correct the seed; it runs as a plain role that owns its database and nothing else.",
    });
    expect(await marked(server)).toEqual([]);
    expect(await server.query("SELECT FROM pg_roles WHERE rolname = 'app'")).toEqual([]);
  }
});
