import type { Client } from "../../clients/postgres.js";
import type { SchemaColumn, SchemaTable } from "../../model/schema.js";
import { isLost } from "../read-only.js";
import { afresh, type Context, one } from "./context.js";
import { looseReferences, orphansQuery, readOrphans } from "./orphans.js";
import { readValues, type Source, valuesQuery } from "./values.js";

/** Asked by itself, as `tellValues` is: a comparison the types do not have costs no other fact. */
export async function tellOrphans({ run, runSchema }: Context, table: SchemaTable, added: readonly SchemaColumn[]) {
  const loose = looseReferences(table, added, runSchema);
  if (loose.length === 0) return {};
  try {
    const orphans = readOrphans(await one<Record<string, string>>(run, afresh + orphansQuery(table, loose)), loose);
    return orphans.length > 0 ? { orphans } : {};
  } catch (error) {
    if (isLost(error)) throw error;
    await run.query(afresh);
    return {};
  }
}

/** In larger tables values are not told: every one is compared with those it could come from. */
const mostValues = 200_000;

export interface Asked {
  table: SchemaTable;
  rows: number;
  columns: readonly SchemaColumn[];
  source: Source;
}

/** Last of all that is asked about a table: where it fails, because a type has no such operator, nothing else is lost. */
export async function tellValues(run: Client, { table, rows, columns, source }: Asked) {
  if (columns.length === 0 || rows > mostValues) return {};
  try {
    const counted = await one<Record<string, string[]>>(run, afresh + valuesQuery(table, columns, source));
    return { values: readValues(counted, columns, source) };
  } catch (error) {
    if (isLost(error)) throw error;
    return {};
  }
}
