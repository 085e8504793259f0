import { identifier } from "../../clients/postgres.js";
import { stemsOf } from "../../model/names.js";
import type { TableRows } from "../../model/rows.js";
import type { SchemaColumn, SchemaSnapshot, SchemaTable } from "../../model/schema.js";
import { from } from "./query.js";

/** A column that leads somewhere without the server making sure that it does. */
export interface Loose {
  column: string;
  target: SchemaTable;
  key: string;
}

/** Foreign keys nobody has validated, and new columns that only their name says are references: `team_id` beside `teams`. */
export function looseReferences(
  table: SchemaTable,
  added: readonly SchemaColumn[],
  { tables }: SchemaSnapshot,
): Loose[] {
  const declared = table.constraints.flatMap((each): Loose[] => {
    const target = tables.find(({ oid }) => oid === each.references?.oid);
    const [column, key] = [each.columns[0], each.references?.columns[0]];
    if (each.validated || target === undefined || each.columns.length !== 1 || !column || !key) return [];
    return [{ column, target, key }];
  });
  const refers = new Set(table.constraints.flatMap(({ kind, columns }) => (kind === "foreign key" ? columns : [])));
  const named = added.flatMap(({ name, type }): Loose[] => {
    if (refers.has(name) || !/(?:_id|[a-z]Id)$/.test(name)) return [];
    const found = tables.filter((each) => each.oid !== table.oid && sameStems(each.name, name));
    const key = found[0]?.constraints.find(({ kind, columns }) => kind === "primary key" && columns.length === 1)
      ?.columns[0];
    const [target] = found;
    const fits = target?.columns.some((each) => each.name === key && each.type === type);
    return found.length === 1 && target && key && fits ? [{ column: name, target, key }] : [];
  });
  return [...declared, ...named];
}

function sameStems(one: string, other: string): boolean {
  const [left, right] = [stemsOf(one), stemsOf(other)];
  return left.size > 0 && left.size === right.size && [...left].every((stem) => right.has(stem));
}

/** One row: how many rows lead to nothing, for each of them. */
export function orphansQuery(table: SchemaTable, loose: readonly Loose[]): string {
  const counts = loose.map(({ column, target, key }, at) => {
    const own = `t.${identifier(column)}`;
    const there = `SELECT FROM ${identifier(target.schema)}.${identifier(target.name)} s WHERE s.${identifier(key)} = ${own}`;
    return `count(*) FILTER (WHERE ${own} IS NOT NULL AND NOT EXISTS (${there}))::int8 AS o${at}`;
  });
  return `SELECT ${counts.join(", ")} ${from(table)}`;
}

export function readOrphans(
  counted: Readonly<Record<string, string>>,
  loose: readonly Loose[],
): NonNullable<TableRows["orphans"]> {
  return loose.flatMap(({ column, target }, at) => {
    const rows = Number(counted[`o${at}`] ?? 0);
    return rows > 0 ? [{ column, schema: target.schema, table: target.name, rows }] : [];
  });
}
