import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { createDatabases } from "../../src/isolate/database/database.js";
import { type SchemaSnapshot, schemaSnapshot } from "../../src/model/schema.js";
import { rowChangesBetween, schemaOf } from "../support/capture.js";
import { holder, testDeps, testExperiment } from "../support/experiment.js";
import { isInstalled, startOther } from "../support/other-postgres.js";
import { queryAt, useServer } from "../support/postgres.js";

const latest = useServer();
const everything = new URL("everything.sql", import.meta.url);
const majors = [14, 15, 16, 17];
const required = process.env["MULTIRUN_TEST_POSTGRES"] === "required";

for (const major of majors) {
  const skipped = !required && !isInstalled(major);
  const reason = skipped ? " (skipped: .ci/run installs that version)" : "";
  test.skipIf(skipped)(
    `Postgres ${major} tells the same schema as the newest${reason}`,
    { timeout: 60_000 },
    async () => {
      const sql = spokenBy(major, await readFile(everything, "utf8"));
      const server = await startOther(major);
      onTestFinished(() => server.stop());
      await queryAt(server.url("postgres"), "CREATE DATABASE all_of_it");
      await queryAt(server.url("all_of_it"), sql);
      const { url } = await latest.database({ sql });
      const [old, now] = [await schemaOf(server.url("all_of_it"), 20_000), await schemaOf(url, 20_000)];
      expect(schemaSnapshot.parse(old)).toEqual(old);
      expect(old.postgres).toBe(major);
      expect(comparable(old)).toEqual(comparable(now));
    },
  );

  test.skipIf(skipped)(
    `databases are cloned and rows compared on Postgres ${major}${reason}`,
    { timeout: 60_000 },
    async () => {
      const server = await startOther(major);
      onTestFinished(() => server.stop());
      const seeds = ["CREATE TABLE users (id int PRIMARY KEY, name text); INSERT INTO users VALUES (1, 'a'), (2, 'b')"];
      const experiment = testExperiment("/nowhere", { provider: "postgres", seeds });
      const { databases, adminUrl } = createDatabases({ experiment, url: server.url("postgres"), deps: testDeps() });
      await databases.acquire(holder("base"));
      const [reference, run] = [await databases.acquire(holder("reference")), await databases.acquire(holder("r01"))];
      await queryAt(run.url, "UPDATE users SET name = 'c' WHERE id = 2; ALTER TABLE users RENAME TO people");
      const { tables } = await rowChangesBetween({ base: adminUrl(reference.name), run: adminUrl(run.name) });
      expect(tables).toMatchObject([{ name: "users", state: "matched", changed: { count: 1, keys: [["2"]] } }]);
      for (const each of ["r01", "reference", "base"]) await databases.release(holder(each));
    },
  );
}

/** Publications of some columns and rows came with version 15. */
function spokenBy(major: number, sql: string): string {
  return major < 15 ? sql.replace(/(CREATE PUBLICATION news FOR TABLE parts_2024).*;/, "$1;") : sql;
}

/**
 * Without what is a server's own: identities, versions, and where versions themselves differ. MAINTAIN came with 17; views
 * of one table name its columns without it since 16; everybody may create in `public` before 15.
 */
function comparable(schema: SchemaSnapshot): unknown {
  const { postgres: _, schemas, extensions, ...rest } = schema;
  const names = extensions.map(({ name }) => name);
  const text = JSON.stringify({ ...rest, schemas: schemas.filter(({ name }) => name !== "public"), names });
  const plain = text
    .replace(/"oid":\d+/g, '"oid":0')
    .replace(/"MAINTAIN",?/g, "")
    .replaceAll(" SELECT users.name", " SELECT name");
  return JSON.parse(plain);
}
