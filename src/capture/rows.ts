import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { codeOf, messageOf } from "../model/error.js";
import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaConstraint, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import type { Secret } from "../model/secret.js";
import { readOnly } from "./read-only.js";
import { Cursor } from "./rows/cursor.js";
import { keysOf, type Lineage, matchTables, type TablePair } from "./rows/match.js";
import { mergeContents, mergeKeyed, shownKeys } from "./rows/merge.js";
import { contents, distinctValues, firstKeys, type KeyColumn, keyedRows, orderOf, summary } from "./rows/query.js";

export interface CompareOptions {
  /** As whom to read: never as a superuser what a run has worked in. */
  base: Secret;
  run: Secret;
  baseSchema: SchemaSnapshot;
  runSchema: SchemaSnapshot;
  /** `clone` where both come from one template: what was renamed is then the same thing. */
  lineage: Lineage;
  /** For all of it, milliseconds. */
  timeoutMs: number;
}

/**
 * What became of the rows. Tables are hashed as a whole on both sides first; only where that differs are they read row
 * by row, in batches and in the order of a key both sides have. Values stay in the server: rows are compared by hash.
 * A table that cannot be read is reported, and the others are compared all the same.
 * @throws MultirunError `timed_out`
 */
export function compareRows(options: CompareOptions): Promise<RowChanges> {
  const limits = { timeoutMs: options.timeoutMs, subject: "The rows" };
  return readOnly(options.base, limits, (base) =>
    readOnly(options.run, limits, (run) => compare({ base, run }, options)),
  );
}

interface Sides {
  base: Client;
  run: Client;
}

interface Context extends Sides {
  seed: string;
  /** Rows of base by the run's oid of the same table. */
  baseRows: Map<number, number>;
}

async function compare(sides: Sides, { baseSchema, runSchema, lineage }: CompareOptions): Promise<RowChanges> {
  const seed = randomBytes(8).readBigInt64BE().toString();
  const context: Context = { ...sides, seed: `(${seed})::int8`, baseRows: new Map() };
  const matching = matchTables(baseSchema, runSchema, lineage);
  const work: { table: SchemaTable; compare: () => Promise<TableRows | undefined> }[] = [
    ...matching.pairs.map((pair) => ({ table: pair.base, compare: () => comparePair(context, pair) })),
    ...matching.added.map((table) => ({ table, compare: () => readNew(context, table) })),
    ...matching.dropped.map((table) => ({ table, compare: () => readDropped(context, table) })),
  ];
  const tables: TableRows[] = [];
  const unreadable: RowChanges["unreadable"] = [];
  for (const { table, compare } of work) {
    try {
      const found = await undoing(sides, compare);
      if (found) tables.push(found);
    } catch (error) {
      // The time is up, or the connection is gone: nothing more can be read.
      if (codeOf(error) === "57014" || codeOf(error) === undefined) throw error;
      unreadable.push({ object: `${table.schema}.${table.name}`, reason: messageOf(error).slice(0, 300) });
    }
  }
  return { version: 1, tables: tables.sort(byName), unreadable };
}

/** Goes back to where both transactions were: closes cursors, and an error ends only what it happened in. */
async function undoing<T>({ base, run }: Sides, use: () => Promise<T>): Promise<T> {
  await both(base.query("SAVEPOINT before"), run.query("SAVEPOINT before"));
  try {
    return await use();
  } finally {
    await both(base.query("ROLLBACK TO before"), run.query("ROLLBACK TO before"));
  }
}

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
}

async function comparePair(context: Context, pair: TablePair): Promise<TableRows | undefined> {
  const { base, run, columns, key, added } = pair;
  const baseColumns = columns.map((each) => each.base);
  const runColumns = columns.map((each) => each.run);
  const [before, after] = await both(
    one<Summary>(context.base, summary(base, baseColumns, [], context.seed)),
    one<Summary>(context.run, summary(run, runColumns, added, context.seed)),
  );
  context.baseRows.set(run.oid, Number(before.rows));
  const filledColumns = added
    .map(({ name }, index) => ({ name, rows: Number(after.filled[index] ?? 0) }))
    .filter(({ rows }) => rows > 0);
  const same = before.rows === after.rows && before.hash === after.hash;
  if (same && filledColumns.length === 0) return undefined;
  const difference = same ? {} : await (key ? differByKey(context, pair, key) : differByContent(context, pair));
  return {
    ...blank(base, "matched", key?.map((each) => each.base.name) ?? null),
    baseRows: Number(before.rows),
    runRows: Number(after.rows),
    ...difference,
    filledColumns,
  };
}

async function differByKey(context: Context, { base, run, columns }: TablePair, key: TablePair["columns"]) {
  const orders = key.map((each) => orderOf([each.base, each.run]));
  const cells = columns.filter((each) => !key.includes(each));
  const of = (side: "base" | "run"): KeyColumn[] =>
    key.map((each, index) => ({ column: each[side], order: orders[index] ?? "text" }));
  const [left, right] = await both(
    Cursor.open(
      context.base,
      "rows",
      keyedRows(
        base,
        of("base"),
        cells.map((each) => each.base),
        context.seed,
      ),
    ),
    Cursor.open(
      context.run,
      "rows",
      keyedRows(
        run,
        of("run"),
        cells.map((each) => each.run),
        context.seed,
      ),
    ),
  );
  return mergeKeyed(
    left,
    right,
    orders,
    cells.map((each) => each.base.name),
  );
}

async function differByContent(context: Context, { base, run, columns }: TablePair) {
  const [left, right] = await both(
    Cursor.open(
      context.base,
      "rows",
      contents(
        base,
        columns.map((each) => each.base),
        context.seed,
      ),
    ),
    Cursor.open(
      context.run,
      "rows",
      contents(
        run,
        columns.map((each) => each.run),
        context.seed,
      ),
    ),
  );
  return mergeContents(left, right);
}

async function readNew(context: Context, table: SchemaTable): Promise<TableRows | undefined> {
  const { rows, keyed, key } = await readAlone(context.run, table);
  if (rows === 0) return undefined;
  const links: NonNullable<TableRows["links"]> = [];
  for (const constraint of table.constraints) {
    if (constraint.references) links.push(await readLink(context, table, constraint, constraint.references));
  }
  return { ...blank(table, "new", key), runRows: rows, added: { count: rows, keys: keyed }, links };
}

type Target = NonNullable<SchemaConstraint["references"]>;

async function readLink(context: Context, table: SchemaTable, { columns }: SchemaConstraint, target: Target) {
  const { rows } = await one<{ rows: string }>(context.run, distinctValues(table, columns));
  const targetRows = context.baseRows.get(target.oid) ?? 0;
  return { columns, schema: target.schema, table: target.table, distinct: Number(rows), targetRows };
}

async function readDropped(context: Context, table: SchemaTable): Promise<TableRows | undefined> {
  const { rows, keyed, key } = await readAlone(context.base, table);
  if (rows === 0) return undefined;
  return { ...blank(table, "dropped", key), baseRows: rows, removed: { count: rows, keys: keyed } };
}

/** A table that only one side has. */
async function readAlone(client: Client, table: SchemaTable) {
  const { rows } = await one<Summary>(client, summary(table, [], [], "0"));
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
  const row = (await client.query<T>(sql)).rows[0];
  if (!row) throw new Error("an aggregate gives one row"); // By definition of SQL.
  return row;
}

function byName(a: TableRows, b: TableRows): number {
  const order = Buffer.compare(Buffer.from(a.schema), Buffer.from(b.schema));
  return order || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}
