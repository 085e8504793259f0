import type { QueryResult } from "pg";
import type { Client } from "../clients/postgres.js";
import { codeOf, MultirunError, messageOf } from "../model/error.js";
import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaColumn, SchemaConstraint, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import type { Reference } from "./reference.js";
import { readAs } from "./rows/common-type.js";
import { Cursor } from "./rows/cursor.js";
import { keysOf, type Lineage, matchTables, type TablePair } from "./rows/match.js";
import { mergeContents, mergeKeyed, shownKeys } from "./rows/merge.js";
import { looseReferences, orphansQuery, readOrphans } from "./rows/orphans.js";
import {
  contents,
  differing,
  distinctValues,
  firstKeys,
  type KeyColumn,
  keyedRows,
  orderOf,
  summary,
} from "./rows/query.js";
import { readValues, type Source, valuesQuery } from "./rows/values.js";

export interface CompareOptions {
  reference: Reference;
  /** The run's database in a transaction of `readOnly`: never as a superuser, as the run has worked in it. */
  run: Client;
  runSchema: SchemaSnapshot;
  /** `clone` where both come from one template: what was renamed is then the same thing. */
  lineage: Lineage;
}

interface Context extends CompareOptions {
  /** Rows of base by the run's oid of the same table. */
  baseRows: Map<number, number>;
}

/**
 * What became of the rows. Tables are hashed as a whole on both sides first; only where that differs are they read row
 * by row, in batches and in the order of a key both sides have. Values stay in the server: rows are compared by hash.
 * A table that cannot be read is reported, and the others are compared all the same.
 * @throws MultirunError `timed_out`
 */
export async function compareRows(options: CompareOptions): Promise<RowChanges> {
  const context: Context = { ...options, baseRows: new Map() };
  const matching = matchTables(options.reference.schema, options.runSchema, options.lineage);
  const work: { table: SchemaTable; compare: () => Promise<TableRows | undefined> }[] = [
    ...matching.pairs.map((pair) => ({ table: pair.base, compare: () => comparePair(context, pair) })),
    ...matching.added.map((table) => ({ table, compare: () => readNew(context, table) })),
    ...matching.dropped.map((table) => ({ table, compare: () => readDropped(context, table) })),
  ];
  const tables: TableRows[] = [];
  const unreadable: RowChanges["unreadable"] = [];
  await options.run.query("SAVEPOINT before");
  for (const { table, compare } of work) {
    try {
      const found = await compare();
      if (found) tables.push(found);
    } catch (error) {
      if (isOver(error)) throw error;
      unreadable.push({ object: `${table.schema}.${table.name}`, reason: messageOf(error).slice(0, 300) });
    }
  }
  return { version: 1, tables: tables.sort(byName), unreadable };
}

/** Begins every table's statements in the run's database: cursors are closed, and an error ends only what it happened in. */
const afresh = "ROLLBACK TO before;\n";

/** At once, and never leaves one running behind the other's failure. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === "rejected") throw a.reason;
  if (b.status === "rejected") throw b.reason;
  return [a.value, b.value];
}

interface Summary {
  rows: string;
  hash: string;
  filled: string[];
  buckets: string;
}

async function comparePair(context: Context, pair: TablePair): Promise<TableRows | undefined> {
  const { base, run, columns, key, added } = pair;
  const { reference } = context;
  const { seed } = reference;
  const summed = (side: "base" | "run") => {
    return {
      table: pair[side],
      columns: columns.map((each) => readAs(each, side)),
      key: key && keyColumns(key, side),
      seed,
    };
  };
  const [before, after] = await both(
    reference.first<Summary>(summary(summed("base"))),
    one<Summary>(context.run, afresh + summary({ ...summed("run"), counted: added })),
  );
  context.baseRows.set(run.oid, Number(before.rows));
  const filledColumns = added
    .map(({ name }, index) => ({ name, rows: Number(after.filled[index] ?? 0) }))
    .filter(({ rows }) => rows > 0);
  const same = before.rows === after.rows && before.hash === after.hash;
  const orphans = await tellOrphans(context, run, added);
  if (same && filledColumns.length === 0 && orphans.orphans === undefined) return undefined;
  const difference = same
    ? {}
    : await (key
        ? differByKey(context, pair, { key, within: differing(before.buckets, after.buckets) })
        : differByContent(context, pair));
  const filled = added.filter(({ name }) => filledColumns.some((each) => each.name === name));
  return {
    ...blank(base, "matched", key?.map((each) => each.base.name) ?? null),
    baseRows: Number(before.rows),
    runRows: Number(after.rows),
    ...difference,
    filledColumns,
    ...orphans,
    ...(await tellValues(context.run, {
      table: run,
      rows: Number(after.rows),
      columns: filled,
      source: { columns: columns.map((each) => each.run) },
    })),
  };
}

/** Asked by itself, as `tellValues` is: a comparison the types do not have costs no other fact. */
async function tellOrphans({ run, runSchema }: Context, table: SchemaTable, added: readonly SchemaColumn[]) {
  const loose = looseReferences(table, added, runSchema);
  if (loose.length === 0) return {};
  try {
    const orphans = readOrphans(await one<Record<string, string>>(run, afresh + orphansQuery(table, loose)), loose);
    return orphans.length > 0 ? { orphans } : {};
  } catch (error) {
    if (isOver(error)) throw error;
    await run.query(afresh);
    return {};
  }
}

/** The time is up, or the connection is gone: nothing more can be read. One statement that took too long is its table's own. */
function isOver(error: unknown): boolean {
  return error instanceof MultirunError || codeOf(error) === undefined;
}

/** In larger tables values are not told: every one is compared with those it could come from. */
const mostValues = 200_000;

interface Asked {
  table: SchemaTable;
  rows: number;
  columns: readonly SchemaColumn[];
  source: Source;
}

/** Last of all that is asked about a table: where it fails, because a type has no such operator, nothing else is lost. */
async function tellValues(run: Client, { table, rows, columns, source }: Asked) {
  if (columns.length === 0 || rows > mostValues) return {};
  try {
    const counted = await one<Record<string, string[]>>(run, afresh + valuesQuery(table, columns, source));
    return { values: readValues(counted, columns, source) };
  } catch (error) {
    if (isOver(error)) throw error;
    return {};
  }
}

/** Compared the same way on both sides. */
function keyColumns(key: TablePair["columns"], side: "base" | "run"): KeyColumn[] {
  return key.map((each) => ({ column: readAs(each, side), order: orderOf([each.base, each.run]) }));
}

interface Apart {
  key: TablePair["columns"];
  within: readonly number[] | undefined;
}

async function differByKey({ reference, run }: Context, pair: TablePair, { key, within }: Apart) {
  const { seed } = reference;
  const cells = pair.columns.filter((each) => !key.includes(each));
  const rowsOf = (side: "base" | "run") => {
    const others = cells.map((each) => readAs(each, side));
    return keyedRows({ table: pair[side], key: keyColumns(key, side), cells: others, seed, within });
  };
  return reference.read(async (base) => {
    const [left, right] = await both(
      Cursor.open(base, "rows", rowsOf("base")),
      Cursor.open(run, "rows", rowsOf("run")),
    );
    return mergeKeyed(
      left,
      right,
      keyColumns(key, "base").map(({ order }) => order),
      cells.map((each) => each.base.name),
    );
  });
}

async function differByContent({ reference, run }: Context, pair: TablePair) {
  const rowsOf = (side: "base" | "run") => {
    const columns = pair.columns.map((each) => readAs(each, side));
    return contents(pair[side], columns, reference.seed);
  };
  return reference.read(async (base) =>
    mergeContents(...(await both(Cursor.open(base, "rows", rowsOf("base")), Cursor.open(run, "rows", rowsOf("run"))))),
  );
}

async function readNew(context: Context, table: SchemaTable): Promise<TableRows | undefined> {
  await context.run.query(afresh);
  const { rows, keyed, key } = await readAlone(context.run, table);
  if (rows === 0) return undefined;
  const links: NonNullable<TableRows["links"]> = [];
  for (const constraint of table.constraints) {
    if (constraint.references) links.push(await readLink(context, table, constraint, constraint.references));
  }
  const orphans = await tellOrphans(context, table, table.columns);
  const found = { ...blank(table, "new", key), runRows: rows, added: { count: rows, keys: keyed }, links, ...orphans };
  return { ...found, ...(await tellValues(context.run, { table, rows, ...askedOf(table, context) })) };
}

/** Columns of a new table that hold neither keys nor references, and the one row of base each row refers to. */
function askedOf(table: SchemaTable, { runSchema, baseRows }: Context): Pick<Asked, "columns" | "source"> {
  const bound = new Set(
    table.constraints.flatMap(({ kind, columns }) => (kind === "primary key" || kind === "foreign key" ? columns : [])),
  );
  const columns = table.columns.filter(({ name, generated }) => !bound.has(name) && generated === null);
  for (const { references, columns: own } of table.constraints) {
    const target = runSchema.tables.find(({ oid }) => oid === references?.oid);
    const [from, to] = [own[0], references?.columns[0]];
    if (!target || !baseRows.has(target.oid) || own.length !== 1 || from === undefined || to === undefined) continue;
    return { columns, source: { table: target, on: { own: from, target: to }, columns: target.columns } };
  }
  return { columns, source: { columns: [] } };
}

type Target = NonNullable<SchemaConstraint["references"]>;

async function readLink(context: Context, table: SchemaTable, { columns }: SchemaConstraint, target: Target) {
  const { rows } = await one<{ rows: string }>(context.run, distinctValues(table, columns));
  const targetRows = context.baseRows.get(target.oid) ?? 0;
  return { columns, schema: target.schema, table: target.table, distinct: Number(rows), targetRows };
}

async function readDropped(context: Context, table: SchemaTable): Promise<TableRows | undefined> {
  const { rows, keyed, key } = await context.reference.read((base) => readAlone(base, table));
  if (rows === 0) return undefined;
  return { ...blank(table, "dropped", key), baseRows: rows, removed: { count: rows, keys: keyed } };
}

/** A table that only one side has. */
async function readAlone(client: Client, table: SchemaTable) {
  const { rows } = await one<Summary>(client, summary({ table, columns: [], seed: "0" }));
  const key = keysOf(table)[0] ?? null;
  const columns = key?.flatMap((wanted) => table.columns.filter(({ name }) => name === wanted)) ?? [];
  const keyColumns = columns.map((column) => ({ column, order: orderOf([column]) }));
  const query = {
    text: key ? firstKeys(table, keyColumns, shownKeys) : "SELECT WHERE false",
    rowMode: "array" as const,
  };
  return { rows: Number(rows), key, keyed: (await client.query<string[]>(query)).rows };
}

function blank({ schema, name }: SchemaTable, state: TableRows["state"], key: string[] | null): TableRows {
  const none = { count: 0, keys: [] };
  return {
    schema,
    name,
    state,
    key,
    baseRows: 0,
    runRows: 0,
    added: none,
    removed: none,
    changed: none,
    changedColumns: [],
    filledColumns: [],
  };
}

async function one<T extends object>(client: Client, sql: string): Promise<T> {
  const results: QueryResult<T> | QueryResult<T>[] = await client.query<T>(sql);
  const row = [results].flat().at(-1)?.rows[0];
  if (!row) throw new Error("an aggregate gives one row"); // By definition of SQL.
  return row;
}

function byName(a: TableRows, b: TableRows): number {
  const order = Buffer.compare(Buffer.from(a.schema), Buffer.from(b.schema));
  return order || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}
