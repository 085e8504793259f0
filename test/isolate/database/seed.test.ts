import { expect, test } from "vitest";
import { createDatabases } from "../../../src/isolate/database/database.js";
import { applySeeds } from "../../../src/isolate/database/seed.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { queryAt, useServer } from "../../support/postgres.js";

const server = useServer();

const seedFiles = (...texts: string[]) => testExperiment("/nowhere", { seeds: texts }).database.seeds;

async function failureOf(sql: string): Promise<string> {
  const { url } = await server.database();
  const error = await applySeeds(url, seedFiles(sql), {}).then(
    () => "nothing failed",
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: "bad_input" });
  return (error as Error).message;
}

test("seeds run in order, each in a session of its own", async () => {
  const { url } = await server.database();
  await applySeeds(
    url,
    seedFiles("CREATE SCHEMA a; SET search_path = a; CREATE TABLE t (x int)", "CREATE TABLE u (x int)"),
    {},
  );
  expect(await queryAt(url, "SELECT 'a.t'::regclass::text AS t, 'public.u'::regclass::text AS u")).toEqual([
    { t: "a.t", u: "u" },
  ]);
});

test("a seed that cannot be parsed is told with its line, its code and its text", async () => {
  expect(await failureOf("SELECT 1;\n-- 😀\nSELEC 2;\n")).toBe(
    'db/1.sql line 3: syntax error at or near "SELEC" (SQLSTATE 42601), at "SELEC 2;"',
  );
});

test("a seed that fails while it runs is told with the line of its statement", async () => {
  const sql = `CREATE TABLE t (id int PRIMARY KEY);
CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END;
INSERT INTO t VALUES (1); SELECT ';', $x$ ; $x$, E'\\';'; /* ; /* ; */ ; */

INSERT INTO t
  VALUES (1);`;
  expect(await failureOf(sql)).toBe(
    'db/1.sql line 5: duplicate key value violates unique constraint "t_pkey" (Key (id)=(1) already exists.) ' +
      '(SQLSTATE 23505), at "INSERT INTO t"',
  );
});

test("a seed takes effect as a whole or not at all", async () => {
  const { url } = await server.database();
  await expect(applySeeds(url, seedFiles("CREATE TABLE t (a int); SELECT 1/0"), {})).rejects.toThrow(
    "division by zero",
  );
  expect(await queryAt(url, "SELECT to_regclass('t') AS t")).toEqual([{ t: null }]);
});

test("a seed that leaves a transaction open is refused by the line it began in", async () => {
  const lost = "db/1.sql line 3: a transaction is left open, and what it did would be lost";
  expect(await failureOf("BEGIN; COMMIT;\nCREATE TABLE t (a int);\nBEGIN;\nINSERT INTO t VALUES (1);\n")).toBe(lost);
  expect(await failureOf("SELECT 1;\n\nSTART TRANSACTION; CREATE TABLE t (a int)")).toBe(lost);
});

test("a seed that commits by itself is taken", async () => {
  const { url } = await server.database();
  await applySeeds(url, seedFiles("BEGIN; CREATE TABLE t (a int); COMMIT;"), {});
  expect(await queryAt(url, "SELECT a FROM t")).toEqual([]);
});

test("commands of psql are refused by line, and those of pg_dump with the way out", async () => {
  expect(await failureOf("SELECT '\\connect';\n\\connect other\n")).toBe(
    "db/1.sql line 2: \\connect is a command of psql, a seed is plain SQL",
  );
  const restrict = applySeeds(server.url, seedFiles("--\n\\restrict abc\nSELECT 1"), {});
  await expect(restrict).rejects.toMatchObject({ hint: expect.stringContaining("Delete the \\restrict") });
});

test("rows for COPY are refused before anything runs", async () => {
  expect(await failureOf("CREATE TABLE t (a int);\nCOPY t (a) FROM stdin;\n1\n\\.\n")).toMatch(
    /^db\/1\.sql line (2: COPY|4: \\\.)/,
  );
});

test("after a seed that fails nothing is left of base", async () => {
  const experiment = testExperiment("/nowhere", {
    id: "failing",
    provider: "postgres",
    seeds: ["CREATE TABLE t (a int)", "SELECT nope"],
  });
  const provider = createDatabases({ experiment, url: server.url, deps: testDeps() });
  await expect(provider.databases.acquire(holder("base", { experiment: "failing" }))).rejects.toThrow(
    'db/2.sql line 1: column "nope" does not exist (SQLSTATE 42703), at "nope"',
  );
  expect(await provider.databases.list()).toEqual([]);
});
