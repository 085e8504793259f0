import { expect } from "vitest";
import { readOnly } from "../../src/capture/read-only.js";
import { openReference } from "../../src/capture/reference.js";
import { compareRows } from "../../src/capture/rows.js";
import { readSchema } from "../../src/capture/schema/snapshot.js";
import { type RowChanges, rowChanges, type TableRows } from "../../src/model/rows.js";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import type { Secret } from "../../src/model/secret.js";
import type { TestServer } from "./postgres.js";

export interface Compared {
  base: Secret;
  run: Secret;
  lineage?: "clone" | "independent";
  timeoutMs?: number;
  /** What happens between the schema's reading and the rows'. */
  meanwhile?: () => Promise<unknown>;
}

/** The schema of a database, as capture reads it. */
export function schemaOf(url: Secret, timeoutMs = 10_000): Promise<SchemaSnapshot> {
  return readOnly(url, { timeoutMs, subject: "The schema" }, (client, { beside }) => readSchema(client, beside));
}

/** What became of the rows of one database in another one, as capture compares them. */
export async function rowChangesBetween(options: Compared): Promise<RowChanges> {
  const { base, run, lineage = "clone", timeoutMs = 10_000 } = options;
  const reference = await openReference(base, { timeoutMs });
  return readOnly(run, { timeoutMs, subject: "The database" }, async (client, { again, beside }) => {
    const runSchema = await readSchema(client, beside);
    await options.meanwhile?.();
    return compareRows({ reference, run: client, again, runSchema, lineage });
  });
}

export interface Changed {
  base: string;
  run: string;
  lineage?: "clone" | "independent";
}

/** Makes base, clones it, changes the clone and compares: what is found, by table. */
export async function changesOn(server: TestServer, { base, run, lineage = "clone" }: Changed) {
  const before = await server.database({ sql: base });
  const after = await server.database(lineage === "clone" ? { template: before.name, sql: run } : { sql: run });
  const changes = await rowChangesBetween({ base: before.url, run: after.url, lineage });
  expect(rowChanges.parse(changes)).toEqual(changes);
  return {
    ...changes,
    table: (name: string): TableRows | undefined => changes.tables.find((each) => each.name === name),
  };
}
