import type { SchemaTable } from "../model/schema.js";
import type { MatchedTable } from "./matching.js";

/**
 * A part of a partitioned table, or a child of an inherited one, without what its parent got or lost in the same run: the
 * server hands that on by itself, so it is one change and told of the parent. What the part alone got is its own.
 */
export function withoutHandedOn(part: MatchedTable, all: readonly MatchedTable[]): MatchedTable {
  const { base, table } = part;
  const parent = base && !part.recreated ? parentOf(table, all) : undefined;
  if (!base || !parent?.base) return part;
  const gained = new Set(parent.columns.filter((each) => each.base === null).map(({ column }) => column.name));
  const lost = new Set(parent.droppedColumns.map(({ name }) => name));
  return {
    ...part,
    table: strip(table, base, parent.table),
    base: strip(base, table, parent.base),
    columns: part.columns.filter((each) => each.base !== null || !gained.has(each.column.name)),
    droppedColumns: part.droppedColumns.filter(({ name }) => !lost.has(name)),
  };
}

function parentOf(table: SchemaTable, all: readonly MatchedTable[]): MatchedTable | undefined {
  const names = [...table.inherits, ...(table.partitionOf ? [table.partitionOf.parent] : [])].map(bare);
  if (names.length === 0) return undefined;
  return all.find((each) => names.includes(bare(`${each.table.schema}.${each.table.name}`)));
}

/** The server quotes keywords as well. */
export function bare(name: string): string {
  return name.replaceAll('"', "");
}

/** Without things the table's other state lacks and the parent has. */
function strip(table: SchemaTable, other: SchemaTable, parent: SchemaTable): SchemaTable {
  return {
    ...table,
    indexes: without(table.indexes, other.indexes, parent.indexes, (each) =>
      JSON.stringify([each.method, each.unique, each.keys, each.include, each.predicate]),
    ),
    constraints: without(table.constraints, other.constraints, parent.constraints, ({ definition }) => definition),
  };
}

function without<T>(own: T[], other: readonly T[], parent: readonly T[], form: (each: T) => string): T[] {
  const [there, handedOn] = [new Set(other.map(form)), new Set(parent.map(form))];
  return own.filter((each) => there.has(form(each)) || !handedOn.has(form(each)));
}
