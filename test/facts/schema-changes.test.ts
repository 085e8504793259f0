import PQueue from "p-queue";
import { beforeAll, expect, test } from "vitest";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import { schemaOf } from "../support/capture.js";
import { told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";
import { columns } from "../support/schema-changes/columns.js";
import { objects } from "../support/schema-changes/objects.js";
import { rules } from "../support/schema-changes/rules.js";
import { spellings } from "../support/schema-changes/spellings.js";

/** Every kind of change to a schema, and every spelling that is none. */
const changes = [...spellings, ...columns, ...rules, ...objects];

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
