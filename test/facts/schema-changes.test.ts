import PQueue from "p-queue";
import { beforeAll, expect, test } from "vitest";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import { schemaOf } from "../support/capture.js";
import { told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";
import { changes } from "../support/schema-changes.js";

const server = useServer();
const schemas = new Map<string, SchemaSnapshot>();

beforeAll(async () => {
  const queue = new PQueue({ concurrency: 4 });
  const load = async (sql: string) => {
    const { url, name } = await server.database({ sql });
    schemas.set(sql, await schemaOf(url));
    await server.query(`DROP DATABASE ${name}`);
  };
  await queue.addAll(
    [...new Set(changes.flatMap(({ before, after }) => [before, after]))].map((sql) => () => load(sql)),
  );
}, 120_000);

test.each(changes)("$what", ({ before, after, facts }) => {
  const [base, schema] = [schemas.get(before), schemas.get(after)];
  if (!base || !schema) throw new Error("both were loaded");
  const record = { database: { provider: "embedded", lineage: "independent" as const } };
  const schemaFacts = told({ schema, record }, base).filter((fact) => !fact.startsWith("values of "));
  expect(schemaFacts).toEqual(facts);
});
