import { identifier } from "../../clients/postgres.js";
import type { SchemaColumn, SchemaTable } from "../../model/schema.js";
import { inCommon, type Read } from "./common-type.js";

/** A table as it is read: without the partitions named by `apart`, their oids. */
export type ReadTable = SchemaTable & { apart?: readonly number[] };

/**
 * SQL over tables of hostile databases. A value becomes text by its type's own output function (through `format` and
 * `record`), never by `::text`: a run may define casts for types of its own, and they would run as the reader.
 */
export function from({ schema, name, kind, apart = [] }: ReadTable): string {
  const quoted = `${identifier(schema)}.${identifier(name)}`;
  if (apart.length > 0) return `FROM (SELECT * FROM ${quoted} WHERE tableoid <> ALL ('{${apart.join()}}'::oid[])) AS t`;
  return kind === "partitioned table" ? `FROM ${quoted} AS t` : `FROM ONLY ${quoted} AS t`;
}

/** Always with its table: alone, a name after ORDER BY means the output column of that name first. */
function ref(column: string): string {
  return `t.${identifier(column)}`;
}

/**
 * 64 bits for some values of a row, null and empty told apart. The seed is random, so that nobody can prepare two rows
 * that look alike.
 */
export function hash(columns: readonly Read[], seed: string): string {
  return `hashtextextended(ROW(${columns.map(value).join(", ")})::text COLLATE "C", ${seed})`;
}

function value({ name, common }: Read): string {
  return common ? inCommon(ref(name), common) : ref(name);
}

/** Rows are summed up in so many parts, of which only those that differ are read row by row. */
const buckets = 4096;

export interface Summed {
  table: ReadTable;
  columns: readonly Read[];
  /** Columns of which it is counted how many values there are. */
  counted?: readonly SchemaColumn[];
  /** What rows are told apart by, where they are. */
  key?: readonly KeyColumn[] | null;
  seed: string;
}

/**
 * One row: how many rows, the sum of their hashes (a multiset's, so order is nothing), and how many values `counted` hold;
 * the first two also bucket by bucket, as `bucket:rows:hash` with commas between.
 */
export function summary({ table, columns, counted = [], key, seed }: Summed): string {
  const counts = counted.map(({ name }, at) => `, count(${ref(name)}) AS c${at}`).join("");
  const sums = counted.map((_, at) => `coalesce(sum(b.c${at}), 0)`).join(", ");
  return `SELECT coalesce(sum(b.rows), 0)::int8 AS rows, coalesce(sum(b.hash), 0)::text AS hash,
    ARRAY[${sums}]::int8[] AS filled,
    coalesce(string_agg(format('%s:%s:%s', b.bucket, b.rows, b.hash), ','), '') AS buckets
    FROM (SELECT ${key ? bucket(key, seed) : "0"} AS bucket, count(*) AS rows, sum(${hash(columns, seed)}) AS hash${counts}
      ${from(table)} GROUP BY 1) b`;
}

/** Equal keys fall into one bucket, in both databases. Numbers by themselves: texts of rows take as long as all else. */
function bucket(key: readonly KeyColumn[], seed: string): string {
  const [first, ...others] = key;
  const number = first?.order === "number" && others.length === 0 ? ref(first.column.name) : undefined;
  const columns = key.map(({ column }) => column);
  return `(${number ? `hashint8extended(${number}, ${seed})` : hash(columns, seed)} & ${buckets - 1})`;
}

/** Buckets of two summaries that are not the same; undefined where they are so many that all may as well be read. */
export function differing(one: string, other: string): number[] | undefined {
  const [left, right] = [one, other].map((text) => new Set(text.split(",")));
  const changed = [...(left ?? [])].filter((each) => !right?.has(each));
  const fresh = [...(right ?? [])].filter((each) => !left?.has(each));
  const found = new Set([...changed, ...fresh].filter((each) => each !== "").map((each) => Number.parseInt(each, 10)));
  return found.size > buckets / 4 ? undefined : [...found];
}

/** How the values of a key column compare, in the server as in here. */
export type Order = "number" | "text";

export interface KeyColumn {
  column: Read;
  order: Order;
}

const wholeNumbers = ["smallint", "integer", "bigint"];

/** Numbers by size where all are whole; everything else by the bytes of its text. */
export function orderOf(columns: readonly SchemaColumn[]): Order {
  return columns.every(({ type }) => wholeNumbers.includes(type)) ? "number" : "text";
}

export interface Keyed {
  table: ReadTable;
  key: readonly KeyColumn[];
  cells: readonly Read[];
  seed: string;
  /** Only rows of these buckets. */
  within: readonly number[] | undefined;
}

/** Rows in the order of their key: the key's values as text, then the hashes of all `cells` in one text. */
export function keyedRows({ table, key, cells, seed, within }: Keyed): string {
  const hashes = cells.map((column) => hash([column], seed)).join(", ");
  const where = within ? `WHERE ${bucket(key, seed)} = ANY('{${within.join()}}')` : "";
  return `SELECT ${key.map(keyText).join(", ")}, array_to_string(ARRAY[${hashes}]::int8[], ',')
    ${from(table)} ${where} ORDER BY ${orderBy(key)}`;
}

/** Different contents in the order of their hash, and how many rows have each. */
export function contents(table: ReadTable, columns: readonly Read[], seed: string): string {
  return `SELECT h::text, count(*)::text FROM (SELECT ${hash(columns, seed)} ${from(table)}) r(h) GROUP BY r.h ORDER BY r.h`;
}

export function firstKeys(table: ReadTable, key: readonly KeyColumn[], limit: number): string {
  return `SELECT ${key.map(keyText).join(", ")} ${from(table)} ORDER BY ${orderBy(key)} LIMIT ${limit}`;
}

/** Of a foreign key's columns: rows without nulls, each value once. */
export function distinctValues(table: SchemaTable, columns: readonly string[]): string {
  const names = columns.map(ref);
  const there = names.map((name) => `${name} IS NOT NULL`).join(" AND ");
  return `SELECT count(*)::int8 AS rows FROM (SELECT DISTINCT ${names.join(", ")} ${from(table)} WHERE ${there}) d`;
}

function keyText({ column }: KeyColumn): string {
  return `format('%s', ${value(column)})`;
}

/** Bytes of UTF-8 whatever the database is encoded in: an order that is the same on both sides and in here. */
function orderBy(key: readonly KeyColumn[]): string {
  return key
    .map((each) => (each.order === "number" ? ref(each.column.name) : `convert_to(${keyText(each)}, 'UTF8')`))
    .join(", ");
}
