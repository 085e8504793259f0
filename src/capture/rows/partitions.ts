import type { SchemaTable } from "../../model/schema.js";
import type { ReadTable } from "./query.js";
import { spellings } from "./spellings.js";

/**
 * A partitioned table without those of its partitions that stand alone in the other database: rows of a part that was
 * detached, or of a table that became a part, have not moved. They are compared as that table's own.
 * @param partners every table of either database that the other has too, with its partner
 */
export function withoutMoved(
  table: SchemaTable,
  all: readonly SchemaTable[],
  partners: ReadonlyMap<SchemaTable, SchemaTable>,
): ReadTable {
  const moved = partsOf(table, all).filter((part) => partners.get(part)?.partitionOf === null);
  const apart = moved.flatMap((part) => [part, ...partsOf(part, all)]).map(({ oid }) => oid);
  return apart.length === 0 ? table : { ...table, apart };
}

/** On every level. */
function partsOf(whole: SchemaTable, all: readonly SchemaTable[]): SchemaTable[] {
  if (whole.kind !== "partitioned table") return [];
  const names = spellings(whole);
  const parts = all.filter(({ partitionOf }) => partitionOf !== null && names.includes(partitionOf.parent));
  return parts.flatMap((part) => [part, ...partsOf(part, all)]);
}
