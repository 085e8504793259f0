import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabases, type DatabaseProvider } from "../../../src/isolate/database/database.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { openFolder, queryAt, withAddress } from "../../support/postgres.js";
import { eventually } from "../../support/program.js";

const seed = `
  CREATE EXTENSION pgcrypto;
  CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL);
  INSERT INTO users (name) VALUES ('ann'), ('bob');
  CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
  CREATE EVENT TRIGGER noted ON ddl_command_end EXECUTE FUNCTION note();`;

let folder: string;
let provider: DatabaseProvider;

beforeAll(async () => {
  folder = await openFolder();
  provider = createDatabases({ experiment: testExperiment(folder, { seeds: [seed] }), deps: testDeps() });
  await provider.check();
  await provider.server?.acquire(holder("base"));
  await provider.databases.acquire(holder("base"));
  await provider.seal();
}, 60_000);

afterAll(async () => {
  await provider.server?.release(holder("base"));
  await rm(folder, { recursive: true, force: true });
}, 30_000);

const acquire = (run: string) => provider.databases.acquire(holder(run));

test("a run gets a database of its own with what the seeds made", async () => {
  const { url, lineage } = await acquire("r01");
  expect(lineage).toBe("clone");
  expect(await queryAt(url, "SELECT name FROM users ORDER BY id")).toEqual([{ name: "ann" }, { name: "bob" }]);
});

test("a run may change everything in its database, whoever made it", async () => {
  const { url } = await acquire("r02");
  await queryAt(url, "ALTER TABLE users ADD team int; DROP FUNCTION note CASCADE; DROP EXTENSION pgcrypto");
  await queryAt(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE EXTENSION citext");
});

test("a run's role has no power beyond its database", async () => {
  const { url, name } = await acquire("r03");
  const roles = await queryAt(
    url,
    `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls AS mighty,
    (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships FROM pg_roles r WHERE rolname = '${name}'`,
  );
  expect(roles).toEqual([{ mighty: false, memberships: 0 }]);
});

test("a run reaches neither its siblings nor base nor the reference nor the server's own databases", async () => {
  const { url } = await acquire("r03");
  await acquire("r04");
  await acquire("reference");
  const others = ["r04", "base", "reference"].map((run) => provider.databases.idFor(holder(run)));
  for (const database of [...others, "postgres", "template1", "template0"]) {
    const attempt = queryAt(withAddress(url, { database }), "SELECT 1");
    await expect(attempt, database).rejects.toThrow(/permission denied for database|not currently accepting/);
  }
});

test("base is closed to everybody once it is sealed, and sealing again changes nothing", async () => {
  await provider.seal();
  expect(await provider.isSealed()).toBe(true);
  const { url } = await acquire("base");
  await expect(queryAt(url, "SELECT 1")).rejects.toThrow("is not permitted to log in");
  const reader = provider.adminUrl(provider.databases.idFor(holder("base")));
  await expect(queryAt(reader, "SELECT 1")).rejects.toThrow("not currently accepting connections");
});

test("acquiring again gives the same database and a login that works", async () => {
  const first = await acquire("r05");
  await queryAt(first.url, "CREATE TABLE kept (a int)");
  const second = await acquire("r05");
  expect(second.name).toBe(first.name);
  expect(await queryAt(second.url, "SELECT count(*)::int AS n FROM kept")).toEqual([{ n: 0 }]);
});

test("all runs' databases have the same catalog identities", async () => {
  const oids = (run: string) =>
    queryAt(provider.adminUrl(provider.databases.idFor(holder(run))), "SELECT 'public.users'::regclass::oid AS oid");
  await Promise.all(["r06", "r07", "reference"].map(acquire));
  expect(await oids("r06")).toEqual(await oids("r07"));
  expect(await oids("r06")).toEqual(await oids("reference"));
});

test("the server speaks UTF-8, sorts by code point and lives in UTC", async () => {
  const { url } = await acquire("r01");
  const [row] = await queryAt(
    url,
    `SELECT current_setting('server_encoding') AS encoding,
    current_setting('TimeZone') AS zone, 'B' < 'a' AS by_code, upper('é') AS upper`,
  );
  expect(row).toEqual({ encoding: "UTF8", zone: "UTC", by_code: true, upper: "É" });
});

test("a released database is gone with its role, and releasing it again or one never taken is fine", async () => {
  const { name } = await acquire("r08");
  const ids = async () => (await provider.databases.list()).map(({ kind, id }) => `${kind} ${id}`);
  expect(await ids()).toEqual(expect.arrayContaining([`database ${name}`, `role ${name}`]));
  await provider.databases.release(holder("r08"));
  await provider.databases.release(holder("r08"));
  await provider.databases.release(holder("r09"));
  expect((await ids()).filter((id) => id.includes("r08"))).toEqual([]);
});

test("a run that is still connected and that has hidden its marker is released all the same", async () => {
  const { url, name } = await acquire("r10");
  await queryAt(url, `COMMENT ON DATABASE ${name} IS NULL`);
  const busy = queryAt(url, "SELECT pg_sleep(60)").catch((error: Error) => error.message);
  const sleeping = "SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND query = 'SELECT pg_sleep(60)'";
  await eventually(async () => (await queryAt(url, sleeping)).length === 1);
  await provider.databases.release(holder("r10"));
  expect(await busy).toMatch(/terminat/);
  expect((await provider.databases.list()).some(({ id }) => id === name)).toBe(false);
});

test("two attempts of one run have databases of their own", async () => {
  const first = await provider.databases.acquire(holder("r09"));
  const second = await provider.databases.acquire(holder("r09", { attempt: 2 }));
  expect(second.name).not.toBe(first.name);
});
