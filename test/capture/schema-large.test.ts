import { beforeAll, expect, test } from "vitest";
import { type Further, readOnly } from "../../src/capture/read-only.js";
import { readSchema } from "../../src/capture/schema/snapshot.js";
import type { Secret } from "../../src/model/secret.js";
import { useServer } from "../support/postgres.js";

const server = useServer();
const options = { timeoutMs: 30_000, subject: "The schema" };
let url: Secret;

beforeAll(async () => {
  const make = `DO $$ BEGIN FOR n IN 1..310 LOOP
    EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, a int CHECK (a > 0)); CREATE INDEX ON t%s (a)', n, n);
  END LOOP; END $$`;
  url = (await server.database({ sql: make })).url;
});

test("a large schema is read over two connections at one moment, to the same bytes", async () => {
  let others = 0;
  const two = await readOnly(url, options, (client, { beside }) => {
    const counted: Further["beside"] = (snapshot, read) => {
      others += 1;
      // What is made now came after the moment that is read.
      return server.query("CREATE INDEX late ON t1 (id, a)", databaseOf(url)).then(() => beside(snapshot, read));
    };
    return readSchema(client, counted);
  });
  await server.query("DROP INDEX late", databaseOf(url));
  const one = await readOnly(url, options, (client) => readSchema(client));
  expect(others).toBe(1);
  expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  expect(two.tables[0]?.indexes).toHaveLength(1);
});

test("where the server has no second connection to give, one reads all of it", async () => {
  const none: Further["beside"] = () => Promise.reject(new Error("too many clients already"));
  const found = await readOnly(url, options, (client) => readSchema(client, none));
  expect(found.tables).toHaveLength(310);
  expect(found.tables.every(({ constraints, indexes }) => constraints.length === 2 && indexes.length === 1)).toBe(true);
});

function databaseOf(at: Secret): string {
  return new URL(at.reveal()).pathname.slice(1);
}
