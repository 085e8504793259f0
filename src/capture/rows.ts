import type { Client } from "../clients/postgres.js";
import { messageOf } from "../model/error.js";
import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaSnapshot, SchemaTable } from "../model/schema.js";
import { isLost, type Reader } from "./read-only.js";
import type { Reference } from "./reference.js";
import { readDropped, readNew } from "./rows/alone.js";
import type { Context } from "./rows/context.js";
import { type Lineage, matchTables } from "./rows/match.js";
import { comparePair } from "./rows/pair.js";

export interface CompareOptions {
  reference: Reference;
  /** The run's database in a transaction of `readOnly`: never as a superuser, as the run has worked in it. */
  run: Client;
  /** Goes on where the connection of `run` was lost. */
  again: Reader;
  runSchema: SchemaSnapshot;
  /** `clone` where both come from one template: what was renamed is then the same thing. */
  lineage: Lineage;
}

/** One table to compare. */
interface Task {
  table: SchemaTable;
  compare(context: Context): Promise<TableRows | undefined>;
  /** True where the connection was lost at it before. */
  retried?: true;
}

type Found = Pick<RowChanges, "tables" | "unreadable">;

/**
 * What became of the rows. Tables are hashed as a whole on both sides first; only where that differs are they read row
 * by row, in batches and in the order of a key both sides have. Values stay in the server: rows are compared by hash.
 * A table that cannot be read is reported, and the others are compared all the same: on another connection where it was
 * lost, once for each table; where there is none to be had, all that are left are reported.
 */
export async function compareRows(options: CompareOptions): Promise<RowChanges> {
  const { run, again, ...shared } = options;
  const baseRows: Context["baseRows"] = new Map();
  const found: Found = { tables: [], unreadable: [] };
  const goOn = (client: Client, tasks: readonly Task[]) =>
    compareUntilLost({ ...shared, run: client, baseRows }, tasks, found);
  let left = await goOn(run, tasksOf(options));
  while (left.length > 0) {
    const tasks = left;
    try {
      left = await again((client) => goOn(client, tasks));
    } catch (error) {
      for (const { table } of tasks) found.unreadable.push(unreadable(table, error));
      left = [];
    }
  }
  return { version: 1, tables: found.tables.sort(byName), unreadable: found.unreadable };
}

function tasksOf({ reference, runSchema, lineage }: CompareOptions): Task[] {
  const { pairs, added, dropped } = matchTables(reference.schema, runSchema, lineage);
  return [
    ...pairs.map((pair): Task => ({ table: pair.base, compare: (context) => comparePair(context, pair) })),
    ...added.map((table): Task => ({ table, compare: (context) => readNew(context, table) })),
    ...dropped.map((table): Task => ({ table, compare: (context) => readDropped(context, table) })),
  ];
}

/** Gives what is left to do on another connection. */
async function compareUntilLost(context: Context, tasks: readonly Task[], found: Found): Promise<Task[]> {
  await context.run.query("SAVEPOINT before");
  for (const [at, task] of tasks.entries()) {
    try {
      const changes = await task.compare(context);
      if (changes) found.tables.push(changes);
    } catch (error) {
      if (isLost(error) && !task.retried) return [{ ...task, retried: true }, ...tasks.slice(at + 1)];
      found.unreadable.push(unreadable(task.table, error));
      if (isLost(error)) return tasks.slice(at + 1);
    }
  }
  return [];
}

function unreadable({ schema, name }: SchemaTable, error: unknown): RowChanges["unreadable"][number] {
  return { object: `${schema}.${name}`, reason: messageOf(error).slice(0, 300) };
}

function byName(a: TableRows, b: TableRows): number {
  const order = Buffer.compare(Buffer.from(a.schema), Buffer.from(b.schema));
  return order || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}
