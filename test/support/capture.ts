import { readOnly } from "../../src/capture/read-only.js";
import { openReference } from "../../src/capture/reference.js";
import { compareRows } from "../../src/capture/rows.js";
import { readSchema } from "../../src/capture/schema/snapshot.js";
import type { RowChanges } from "../../src/model/rows.js";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import type { Secret } from "../../src/model/secret.js";

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
  return readOnly(url, { timeoutMs, subject: "The schema" }, readSchema);
}

/** What became of the rows of one database in another one, as capture compares them. */
export async function rowChangesBetween(options: Compared): Promise<RowChanges> {
  const { base, run, lineage = "clone", timeoutMs = 10_000 } = options;
  const reference = await openReference(base, { timeoutMs });
  return readOnly(run, { timeoutMs, subject: "The database" }, async (client) => {
    const runSchema = await readSchema(client);
    await options.meanwhile?.();
    return compareRows({ reference, run: client, runSchema, lineage });
  });
}
