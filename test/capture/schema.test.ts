import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { connect } from "../../src/clients/postgres.js";
import { createDatabases } from "../../src/isolate/database/database.js";
import { type SchemaSnapshot, type SchemaTable, schemaSnapshot } from "../../src/model/schema.js";
import type { Secret } from "../../src/model/secret.js";
import { schemaOf } from "../support/capture.js";
import { holder, testDeps, testExperiment } from "../support/experiment.js";
import { useServer, withAddress } from "../support/postgres.js";

const server = useServer();
const read = (url: Secret) => schemaOf(url, 20_000);

let database: { url: Secret; name: string };
let schema: SchemaSnapshot;

beforeAll(async () => {
  database = await server.database({ sql: await readFile(new URL("everything.sql", import.meta.url), "utf8") });
  schema = await read(database.url);
});

const table = (name: string): SchemaTable | undefined => schema.tables.find((each) => each.name === name);
const named = <T extends { name: string }>(list: readonly T[] | undefined, name: string) =>
  list?.find((each) => each.name === name);

test("a snapshot is what the contract says it is", () => {
  expect(schemaSnapshot.parse(schema)).toEqual(schema);
});

test("two snapshots of one database are the same to the byte", async () => {
  expect(JSON.stringify(await read(database.url))).toBe(JSON.stringify(schema));
});

test("clones of one database give the same bytes, whoever owns them", async () => {
  const seed = `CREATE SCHEMA app; CREATE TABLE app.users (id serial PRIMARY KEY, name text);
    CREATE POLICY mine ON app.users TO CURRENT_USER; GRANT SELECT ON app.users TO CURRENT_USER;
    CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
    REVOKE ALL ON FUNCTION one() FROM PUBLIC; CREATE TYPE mood AS ENUM ('ok');`.replace(
    /REVOKE ALL ON FUNCTION pg_catalog.*?;/,
    "",
  );
  const experiment = testExperiment("/nowhere", { provider: "postgres", seeds: [seed] });
  const provider = createDatabases({ experiment, url: server.url, deps: testDeps() });
  await provider.databases.acquire(holder("base"));
  const texts: string[] = [];
  for (const run of ["reference", "r01", "r02"]) {
    const { name } = await provider.databases.acquire(holder(run));
    texts.push(JSON.stringify(await read(provider.adminUrl(name))));
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).not.toContain("multirun_");
  for (const run of ["reference", "r01", "r02", "base"]) await provider.databases.release(holder(run));
});

test("what an extension brought is left to the extension", () => {
  expect(schema.extensions.map(({ name }) => name)).toEqual(["citext", "plpgsql"]);
  expect(schema.routines.map(({ name, arguments: parameters }) => `${name}(${parameters})`)).toEqual([
    "add(a integer, b integer)",
    "add(a text)",
    "noted()",
    "owned()",
    "tidy()",
    "to_mood(integer)",
    "total(integer)",
    "touch()",
  ]);
});

test("columns carry type with modifiers, default, identity and generation", () => {
  const columns = table("users")?.columns;
  expect(named(columns, "id")).toMatchObject({
    type: "bigint",
    notNull: true,
    identity: "always",
    attnum: 1,
    position: 1,
  });
  expect(named(columns, "name")).toMatchObject({ type: "character varying(50)", comment: "as they write it" });
  expect(named(columns, "mood")).toMatchObject({ type: "public.mood", default: "'ok'::public.mood" });
  expect(named(columns, "full_name")).toMatchObject({ generated: "stored", default: "((name)::text || '!'::text)" });
});

test("a column carries its collation where that is not its type's", () => {
  const columns = table("pointing")?.columns;
  expect(named(columns, "note")?.collation).toBe('"C"');
  expect(named(columns, "id")?.collation).toBeNull();
  expect(named(table("users")?.columns, "name")?.collation).toBeNull();
});

test("foreign keys name their target, columns and actions", () => {
  const [key] = table('Tä "b"')?.constraints.filter(({ kind }) => kind === "foreign key") ?? [];
  expect(key?.references).toMatchObject({
    schema: "public",
    table: "users",
    columns: ["id"],
    onDelete: "cascade",
    onUpdate: "set null",
  });
  expect(key?.references?.oid).toBe(table("users")?.oid);
});

test("a foreign key onto a partitioned table is one constraint", () => {
  expect(table("pointing")?.constraints.map(({ name }) => name)).toEqual(["pointing_id_at_fkey"]);
});

test("constraints say whether they are deferrable and validated", () => {
  const constraints = table('Tä "b"')?.constraints;
  expect(named(constraints, 'Tä "b"_a_b_key')).toMatchObject({
    kind: "unique",
    deferrable: true,
    initiallyDeferred: true,
  });
  expect(named(constraints, "later")).toMatchObject({ kind: "check", validated: false, autoName: false });
});

test("indexes carry method, keys with direction, predicate and included columns", () => {
  expect(named(table("users")?.indexes, "users_lower_born_id_idx")).toMatchObject({
    method: "btree",
    keys: ["lower((name)::text) DESC", "born DESC NULLS LAST"],
    include: ["id"],
    predicate: "(born IS NOT NULL)",
    autoName: true,
  });
  expect(named(table("users")?.indexes, "by_hand")).toMatchObject({
    keys: ["name text_pattern_ops", 'email COLLATE "de-x-icu" NULLS FIRST'],
    autoName: false,
  });
});

test("row security, policies, triggers and partitions are told", () => {
  expect(table("users")).toMatchObject({ rowSecurity: "forced", replicaIdentity: "full", comment: "people" });
  expect(table("users")?.policies).toMatchObject([
    { name: "mine", permissive: false, command: "update", roles: ["public"] },
  ]);
  expect(table("users")?.triggers).toMatchObject([{ name: "touched", enabled: "disabled" }]);
  expect(table("parts")).toMatchObject({ kind: "partitioned table", partitionKey: "RANGE (at)" });
  expect(table("parts_rest")?.partitionOf).toEqual({ parent: "public.parts", bound: "DEFAULT" });
  expect(table("child")).toMatchObject({
    persistence: "unlogged",
    inherits: ["public.users"],
    options: ["fillfactor=70"],
  });
});

test("privileges are told as what they grant, however they are spelled", async () => {
  expect(named(table("users")?.columns, "name")?.grants).toEqual([{ grantee: "pg_monitor", privileges: ["UPDATE*"] }]);
  expect(table("users")?.grants.map(({ grantee }) => grantee)).toEqual(["owner", "pg_monitor", "public"]);
  const silent = await server.database({ sql: "CREATE TABLE t (a int)" });
  const spelled = await server.database({
    template: silent.name,
    sql: "GRANT ALL ON t TO CURRENT_USER; REVOKE SELECT ON t FROM PUBLIC",
  });
  expect((await read(spelled.url)).tables).toEqual((await read(silent.url)).tables);
});

test("types, sequences, views and everything else are told with their definition", () => {
  expect(schema.enums).toMatchObject([{ name: "mood", labels: ["sad", "ok", "happy"] }]);
  expect(schema.domains[0]?.definition).toContain(
    `COLLATE "C" DEFAULT 'a@b'::citext NOT NULL CONSTRAINT email_check CHECK`,
  );
  expect(schema.composites[0]?.definition).toBe('(x integer, y numeric(10,2), label text COLLATE "C")');
  expect(schema.ranges[0]?.definition).toContain("SUBTYPE = double precision");
  expect(named(schema.sequences, "users_id_seq")?.ownedBy).toBe("public.users.id");
  expect(named(schema.sequences, "tickets")?.definition).toMatch(/^AS smallint START 5 INCREMENT 2 .* CYCLE$/);
  expect(named(schema.views, "names")).toMatchObject({ materialised: false, options: ["security_barrier=true"] });
  expect(named(schema.views, "counts")).toMatchObject({
    materialised: true,
    indexes: [{ name: "counts_n_idx", autoName: true }],
  });
  expect(schema.publications[0]?.definition).toMatch(/^TABLE public\.parts_2024 \(id, at\) WHERE \(id > 1\)/);
  expect(schema.eventTriggers[0]?.definition).toContain("WHEN TAG IN (CREATE TABLE)");
  expect(schema.statistics[0]?.definition).toContain("CREATE STATISTICS public.about");
});

test("lists are sorted by code point, not by language", async () => {
  const { url } = await server.database({
    sql: `CREATE TABLE "a" (); CREATE TABLE "B" (); CREATE TABLE "😀" (); CREATE TABLE "｡" ()`,
  });
  expect((await read(url)).tables.map(({ name }) => name)).toEqual(["B", "a", "｡", "😀"]);
});

test("names the server makes up are known as such, also cut and numbered ones", async () => {
  const [long, wide] = ["t".repeat(60), "ü".repeat(30)];
  const { url } = await server.database({
    sql: `CREATE TABLE ${long} (${wide} int UNIQUE, b int REFERENCES ${long} (${wide}), CHECK (b > 0), CHECK (b > 1));
      CREATE INDEX ON ${long} (b); CREATE INDEX ON ${long} (b); CREATE INDEX ${long.slice(0, 8)}_b_idx ON ${long} (b)`,
  });
  const [found] = (await read(url)).tables;
  expect(found?.constraints.map(({ autoName }) => autoName)).toEqual([true, true, true, true]);
  expect(found?.indexes.map(({ name, autoName }) => [name.length < 20, autoName])).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
});

test("a database whose catalogs are locked is given up in time", async () => {
  const { url, name } = await server.database({ sql: "CREATE TABLE t (a int); CREATE VIEW v AS SELECT a FROM t" });
  const locker = await connect(withAddress(server.url, { database: name }));
  await locker.query("BEGIN; LOCK TABLE v, t");
  const started = Date.now();
  await expect(schemaOf(url, 1_000)).rejects.toMatchObject({ code: "timed_out" });
  expect(Date.now() - started).toBeLessThan(5_000);
  await locker.end();
});

test("what Neon keeps for itself in a database is not the project's", async () => {
  const sql =
    "CREATE SCHEMA neon_migration; CREATE TABLE neon_migration.migration_id (key int PRIMARY KEY); CREATE SCHEMA neon_app;";
  const { url } = await server.database({ sql });
  const found = await read(url);
  expect(found.schemas.map(({ name }) => name)).toEqual(["neon_app", "public"]);
  expect(found.tables).toEqual([]);
});

test("columns of views are told with what is said of them", () => {
  expect(named(schema.views, "names")?.columns).toEqual([
    {
      name: "name",
      default: "'nobody'::character varying",
      grants: [{ grantee: "pg_monitor", privileges: ["SELECT"] }],
      comment: "as shown",
    },
  ]);
  expect(named(schema.views, "counts")?.columns).toEqual([{ name: "n", default: null, grants: [], comment: null }]);
});

test("an owner is told where it is not the database's", () => {
  expect(table("pointing")?.owner).toBe("pg_monitor");
  expect(named(schema.routines, "owned")?.owner).toBe("pg_monitor");
  expect(table("users")).not.toHaveProperty("owner");
});

test("what else people add to a database is told by what the server calls it", () => {
  expect(schema.others?.map(({ kind, name, definition }) => [kind, name, definition])).toEqual([
    ["cast", "(integer AS public.mood)", "public.to_mood(integer) AS ASSIGNMENT"],
    ["collation", "public.folded", "PROVIDER i LOCALE und-u-ks-level2 NOT DETERMINISTIC"],
    ["default privileges", "functions", "owner: EXECUTE"],
    ["default privileges", "tables in public", "pg_monitor: SELECT"],
    ["operator", "public.===(integer,integer)", "FUNCTION = int4eq, COMMUTATOR = public.===, HASHES"],
    ["rule", "quiet on public.pointing", expect.stringContaining("DO INSTEAD NOTHING")],
    ["text search configuration", "public.search", expect.stringContaining("; word: public.plain, simple")],
    ["text search dictionary", "public.plain", "TEMPLATE simple (stopwords = 'english')"],
  ]);
  expect(schema.others?.find(({ name }) => name === "public.search")?.comment).toBe("for titles");
});
