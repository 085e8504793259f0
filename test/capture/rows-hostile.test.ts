import { afterEach, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/clients/postgres.js";
import { createDatabases, type DatabaseProvider } from "../../src/isolate/database/database.js";
import type { RowChanges } from "../../src/model/rows.js";
import type { Secret } from "../../src/model/secret.js";
import { rowChangesBetween } from "../support/capture.js";
import { holder, testDeps, testExperiment } from "../support/experiment.js";
import { queryAt, useServer, withAddress } from "../support/postgres.js";

const server = useServer();
const seed = `CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TABLE t (id int PRIMARY KEY, a mood, at timestamptz); INSERT INTO t VALUES (1, 'ok', '2024-01-01Z'), (2, 'sad', NULL);
  CREATE TABLE u (id int PRIMARY KEY); INSERT INTO u VALUES (1)`;

let provider: DatabaseProvider;

beforeAll(() =>
  server.query(
    "CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'pw'; GRANT CONNECT ON DATABASE postgres TO maker",
  ),
);

afterEach(async () => {
  for (const run of ["r01", "reference", "base"]) await provider.databases.release(holder(run));
});

/** What capture finds after a run, reading as it is told to; `while` goes on meanwhile. */
async function changesAfter(
  sql: string,
  options: { admin?: Secret; meanwhile?: (run: Secret) => Promise<() => Promise<void>> } = {},
): Promise<RowChanges> {
  const experiment = testExperiment("/nowhere", { provider: "postgres", seeds: [seed] });
  provider = createDatabases({ experiment, url: options.admin ?? server.url, deps: testDeps() });
  for (const run of ["base", "reference", "r01"]) await provider.databases.acquire(holder(run));
  const work = await provider.databases.acquire(holder("r01"));
  await queryAt(work.url, sql);
  const [base, run] = ["reference", "r01"].map((each) => provider.adminUrl(provider.databases.idFor(holder(each))));
  if (!base || !run) throw new Error("two names give two URLs");
  let stop: (() => Promise<void>) | undefined;
  const meanwhile = async () => {
    stop = await options.meanwhile?.(work.url);
  };
  const changes = await rowChangesBetween({ base, run, timeoutMs: 8_000, meanwhile });
  await stop?.();
  return changes;
}

const change = "UPDATE t SET a = 'ok' WHERE id = 2;";
const found = {
  tables: [{ name: "t", changed: { count: 1, keys: [["2"]] }, changedColumns: [{ name: "a", rows: 1 }] }],
  unreadable: [],
};

test("a cast of the run's own is not what its values are read with", async () => {
  const cast = `CREATE FUNCTION public.say(mood) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE ''called''; END';
    CREATE CAST (mood AS text) WITH FUNCTION public.say(mood) AS IMPLICIT;`;
  expect(await changesAfter(change + cast)).toMatchObject(found);
});

test("functions and operators of the run's own are not found", async () => {
  const own = `CREATE FUNCTION public.format(text, VARIADIC "any") RETURNS text LANGUAGE internal IMMUTABLE AS 'text_format';`;
  const operator = `CREATE FUNCTION public.never(int, int) RETURNS bool LANGUAGE sql AS 'SELECT 1/0 = 1';
    CREATE OPERATOR public.< (LEFTARG = int, RIGHTARG = int, FUNCTION = public.never);
    CREATE FUNCTION public.hashtextextended(text, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1/0';`;
  await expect(changesAfter(own)).rejects.toThrow("permission denied for language internal");
  for (const run of ["r01", "reference", "base"]) await provider.databases.release(holder(run));
  expect(await changesAfter(change + operator)).toMatchObject(found);
});

test("settings the run left on its database change nothing", async () => {
  const name = "multirun_add_teams_r01_1";
  const settings = [
    "search_path = public",
    "datestyle = 'German'",
    "timezone = 'Asia/Tokyo'",
    "row_security = on",
    "statement_timeout = 1",
  ];
  expect(
    await changesAfter(change + settings.map((each) => `ALTER DATABASE ${name} SET ${each};`).join("")),
  ).toMatchObject(found);
});

test("rows behind policies are seen", async () => {
  expect(
    await changesAfter(`${change} ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t FORCE ROW LEVEL SECURITY`),
  ).toMatchObject(found);
});

test("what the server runs of the run's while it plans to read has no power", async () => {
  // An immutable function without arguments is called as soon as a table with such an index is planned for.
  const index = `CREATE FUNCTION public.strike() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN
      IF current_setting('is_superuser')::bool THEN RAISE 'called by a superuser'; END IF; RETURN 1; END $f$;
    CREATE INDEX ON t ((public.strike()));`;
  expect(await changesAfter(change + index)).toMatchObject(found);
});

test("a table that cannot be read is reported and the others are compared", async () => {
  const admin = withAddress(server.url, { user: "maker", password: "pw" });
  const hidden = "ALTER TABLE u ENABLE ROW LEVEL SECURITY; ALTER TABLE u FORCE ROW LEVEL SECURITY";
  const { tables, unreadable } = await changesAfter(`${change} ${hidden}`, { admin });
  expect(tables).toMatchObject(found.tables);
  expect(unreadable).toEqual([{ object: "public.u", reason: expect.stringContaining("row-level security") }]);
});

test("a table that somebody has locked is reported and the others are compared", async () => {
  const meanwhile = async (url: Secret) => {
    const locker = await connect(url);
    await locker.query("BEGIN; LOCK TABLE u");
    return () => locker.end();
  };
  const { tables, unreadable } = await changesAfter(change, { meanwhile });
  expect(tables).toMatchObject(found.tables);
  expect(unreadable).toEqual([{ object: "public.u", reason: expect.stringContaining("lock timeout") }]);
});

test("a table that takes for ever to read is reported and the others are compared", { timeout: 30_000 }, async () => {
  const index = `CREATE FUNCTION public.wait() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN
      IF current_setting('row_security') = 'off' THEN PERFORM pg_sleep(3600); END IF;
      RETURN 1; END $f$;
    CREATE INDEX ON u ((public.wait()));`;
  const { tables, unreadable } = await changesAfter(change + index);
  expect(tables).toMatchObject(found.tables);
  expect(unreadable).toEqual([{ object: "public.u", reason: expect.stringContaining("statement timeout") }]);
});

test("views that fail and triggers that never end are read past", async () => {
  const traps = `CREATE VIEW broken AS SELECT 1 / (id - id) AS x FROM t; CREATE MATERIALIZED VIEW hollow AS SELECT * FROM broken WITH NO DATA;
    CREATE FUNCTION forever() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN LOOP END LOOP; END';
    CREATE TRIGGER stuck BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION forever();`;
  expect(await changesAfter(change + traps)).toMatchObject(found);
});
