import { readOnly } from "../capture/read-only.js";
import { openReference } from "../capture/reference.js";
import { compareRows } from "../capture/rows.js";
import { readSchema } from "../capture/schema/snapshot.js";
import { parseAddress, unreachable } from "../clients/postgres.js";
import { MultirunError } from "../model/error.js";
import type { RowChanges } from "../model/rows.js";
import type { SchemaSnapshot, SchemaTable } from "../model/schema.js";
import type { Secret } from "../model/secret.js";

/** For all that is read of one database, milliseconds. */
const readMs = 10 * 60_000;

/**
 * The schema of any database, which is only read.
 * @throws MultirunError `bad_input` where it cannot be reached, `timed_out` where something holds its locks
 */
export function schemaOf(url: Secret): Promise<SchemaSnapshot> {
  return reaching(url, () =>
    readOnly(url, { timeoutMs: readMs, subject: "The schema" }, (client, { beside }) => readSchema(client, beside)),
  );
}

/**
 * What became of the rows of one database in another. Both are only read.
 * @throws MultirunError as `schemaOf` does
 */
export async function rowsBetween(base: Secret, run: Secret): Promise<RowChanges> {
  const reference = await reaching(base, () => openReference(base, { timeoutMs: readMs }));
  return reaching(run, () =>
    readOnly(run, { timeoutMs: readMs, subject: "The database" }, async (client, { again, beside }) => {
      const runSchema = await readSchema(client, beside);
      return compareRows({ reference, run: client, again, runSchema, lineage: lineageOf(reference.schema, runSchema) });
    }),
  );
}

/** Copies of one template keep the identity of their tables, whatever becomes of the names: of most of them at least. */
function lineageOf(base: SchemaSnapshot, run: SchemaSnapshot): "clone" | "independent" {
  const known = new Map(run.tables.map((table) => [table.oid, table]));
  const kept = base.tables.filter((table) => {
    const same = known.get(table.oid);
    return same !== undefined && (same.name === table.name || columnsOf(same) === columnsOf(table));
  });
  return kept.length > 0 && 2 * kept.length >= base.tables.length ? "clone" : "independent";
}

function columnsOf({ columns }: SchemaTable): string {
  return JSON.stringify(columns.map(({ name }) => name).sort());
}

async function reaching<T>(url: Secret, read: () => Promise<T>): Promise<T> {
  const address = parseAddress(url);
  try {
    return await read();
  } catch (error) {
    throw error instanceof MultirunError ? error : unreachable(error, address);
  }
}
