import { identifier } from "../../clients/postgres.js";
import type { TableRows } from "../../model/rows.js";
import type { SchemaColumn, SchemaTable } from "../../model/schema.js";

/** A row in which values of another may have been taken from: its own, or the one it refers to. */
export interface Source {
  /** Undefined: the very row. */
  table?: SchemaTable;
  /** Which of its columns equals which of the row's. */
  on?: { own: string; target: string };
  columns: readonly SchemaColumn[];
}

export type Values = NonNullable<TableRows["values"]>[number];

/** Nobody reads more; a run that makes more has them told by number alone. */
const most = { columns: 12, sources: 12, characters: 60 };
const textual = /^(?:text|character varying|character|citext|"char"|name)\b/;
const moment = /^(?:timestamp|date|time)\b/;

/**
 * One row of counts about values of a table: per column how many there are and how many different, and per source how many
 * are the same as its value, or hold it. Values become text by their type's own output function.
 */
export function valuesQuery(table: SchemaTable, columns: readonly SchemaColumn[], source: Source): string {
  const asked = columns.slice(0, most.columns);
  const sources = source.columns.slice(0, most.sources);
  const counts = asked.flatMap((column) => {
    const own = `t.${identifier(column.name)}`;
    const text = `format('%s', ${own})`;
    const pairs = sources.flatMap(({ name }) => {
      if (source.table === undefined && name === column.name) return ["0", "0"];
      const other = `${source.table ? "s" : "t"}.${identifier(name)}`;
      const both = `${own} IS NOT NULL AND ${other} IS NOT NULL`;
      const held = `format('%s', ${other}) <> '' AND position(format('%s', ${other}) IN ${text}) > 0`;
      return [
        `count(*) FILTER (WHERE ${both} AND ${text} = format('%s', ${other}))`,
        `count(*) FILTER (WHERE ${both} AND ${held})`,
      ];
    });
    const first = `min(left(${text}, ${most.characters})) FILTER (WHERE ${own} IS NOT NULL)`;
    return [
      `ARRAY[count(${own}), count(DISTINCT ${text}) FILTER (WHERE ${own} IS NOT NULL)${pairs.map((each) => `, ${each}`).join("")}]::int8[]::text[] || ${first}`,
    ];
  });
  return `SELECT ${counts.map((each, at) => `${each} AS v${at}`).join(", ")} FROM ${joined(table, source)}`;
}

function joined(table: SchemaTable, { table: target, on }: Source): string {
  const of = ({ schema, name, kind }: SchemaTable) =>
    `${kind === "partitioned table" ? "" : "ONLY "}${identifier(schema)}.${identifier(name)}`;
  if (target === undefined || on === undefined) return `${of(table)} AS t`;
  return `${of(table)} AS t LEFT JOIN ${of(target)} AS s ON t.${identifier(on.own)} = s.${identifier(on.target)}`;
}

/** What the counts say of each column that holds anything. */
export function readValues(
  counted: Readonly<Record<string, readonly (string | null)[]>>,
  columns: readonly SchemaColumn[],
  source: Source,
): Values[] {
  return columns.slice(0, most.columns).flatMap((column, at): Values[] => {
    const [rows = "0", distinct = "0", ...rest] = counted[`v${at}`] ?? [];
    const [count, different] = [Number(rows), Number(distinct)];
    if (count === 0) return [];
    const first = rest.at(-1) ?? "";
    const pairs = source.columns.slice(0, most.sources).map(({ name, type }, index) => {
      const [same, holds] = [Number(rest[2 * index]), Number(rest[2 * index + 1])];
      return { name, same: same === count, holds: holds === count && textual.test(type) };
    });
    const about = { column: column.name, rows: count, distinct: different };
    const from = (name: string) => ({ table: source.table?.name ?? null, column: name });
    const copied = pairs.find(({ same }) => same);
    if (copied && (different > 1 || count === 1))
      return [{ ...about, kind: "copy", from: from(copied.name), value: null }];
    const made = textual.test(column.type) ? pairs.find(({ holds }) => holds) : undefined;
    if (made && (different > 1 || count === 1))
      return [{ ...about, kind: "template", from: from(made.name), value: null }];
    if (moment.test(column.type) || column.type === "uuid")
      return [{ ...about, kind: "generated", from: null, value: null }];
    if (different === 1) {
      const whole = first.length < most.characters;
      return [{ ...about, kind: "constant", from: null, value: whole ? first : null }];
    }
    return [{ ...about, kind: "own", from: null, value: null }];
  });
}
