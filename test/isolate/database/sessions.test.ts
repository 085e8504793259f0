import { beforeAll, expect, test } from "vitest";
import { connect } from "../../../src/clients/postgres.js";
import { createDatabases } from "../../../src/isolate/database/database.js";
import type { Secret } from "../../../src/model/secret.js";
import { rowChangesBetween } from "../../support/capture.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { queryAt, useServer, withAddress } from "../../support/postgres.js";
import { eventually } from "../../support/program.js";

const server = useServer();

beforeAll(() =>
  server.query(
    "CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'pw'; GRANT CONNECT ON DATABASE postgres TO maker",
  ),
);

const admins = {
  superuser: () => server.url,
  "maker of roles": () => withAddress(server.url, { user: "maker", password: "pw" }),
};

function open(url: Secret) {
  const seeds = ["CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY)"];
  return createDatabases({
    experiment: testExperiment("/nowhere", { provider: "postgres", seeds }),
    url,
    deps: testDeps(),
  });
}

for (const [who, url] of Object.entries(admins)) {
  test(`after a ${who} ended what a run left connected, its rows are read at once and complete`, async () => {
    const provider = open(url());
    for (const run of ["base", "reference"]) await provider.databases.acquire(holder(run));
    const run = await provider.databases.acquire(holder("r01"));
    await queryAt(run.url, "INSERT INTO t VALUES (1); INSERT INTO u VALUES (1), (2)");
    const idle = await connect(run.url);
    await idle.query("BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE; DELETE FROM t");
    const busy = queryAt(run.url, "BEGIN; LOCK TABLE u IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60)");
    const ended = expect(busy).rejects.toThrow("terminating connection");
    const sleeping = `SELECT FROM pg_stat_activity WHERE datname = '${run.name}' AND wait_event = 'PgSleep'`;
    await eventually(async () => (await server.query(sleeping)).length === 1);

    await provider.endSessions(run.name);

    const left = `SELECT FROM pg_stat_activity WHERE datname = '${run.name}' AND backend_type = 'client backend'`;
    expect(await server.query(left)).toEqual([]);
    const [base, read] = [provider.adminUrl("multirun_add_teams_reference"), provider.adminUrl(run.name)];
    // A quarter of it is what capture waits for a lock.
    const changes = await rowChangesBetween({ base, run: read, timeoutMs: 4_000 });
    expect(changes).toMatchObject({
      tables: [
        { name: "t", added: { count: 1 } },
        { name: "u", added: { count: 2 } },
      ],
      unreadable: [],
    });
    expect(await queryAt(run.url, "SELECT count(*)::int AS n FROM t")).toEqual([{ n: 1 }]);
    await ended;
    await idle.end();
    for (const each of ["r01", "reference", "base"]) await provider.databases.release(holder(each));
  });
}

test("nobody is thrown out of a database that is not ours, and one that is gone has no sessions", async () => {
  const provider = open(server.url);
  const { url, name } = await server.database();
  const client = await connect(url);
  await expect(provider.endSessions(name)).rejects.toThrow("bears no multirun marker");
  await provider.endSessions("multirun_add_teams_r77_1");
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test("what setup left connected to base keeps nobody from copying it once it is sealed", async () => {
  const provider = open(server.url);
  const base = await provider.databases.acquire(holder("base"));
  const left = await connect(base.url);
  await left.query("BEGIN; LOCK TABLE t");
  await provider.seal();
  await provider.databases.acquire(holder("r01"));
  await expect(left.query("SELECT 1")).rejects.toThrow();
  await left.end();
  for (const each of ["r01", "base"]) await provider.databases.release(holder(each));
});
