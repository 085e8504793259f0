import type { QueryResult } from "pg";
import type { Client } from "../../clients/postgres.js";
import type { TableRows } from "../../model/rows.js";
import type { SchemaSnapshot, SchemaTable } from "../../model/schema.js";
import type { Reference } from "../reference.js";
import type { Lineage } from "./match.js";

/** What the comparison of every table has at hand. */
export interface Context {
  reference: Reference;
  /** The run's database, in a transaction with the savepoint `before`. */
  run: Client;
  runSchema: SchemaSnapshot;
  lineage: Lineage;
  /** Rows of base by the run's oid of the same table. */
  baseRows: Map<number, number>;
}

/** Begins every table's statements in the run's database: cursors are closed, and an error ends only what it happened in. */
export const afresh = "ROLLBACK TO before;\n";

/** What `summary` gives. */
export interface Summary {
  rows: string;
  hash: string;
  filled: string[];
  buckets: string;
}

/** At once, and never leaves one running behind the other's failure. */
export async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === "rejected") throw a.reason;
  if (b.status === "rejected") throw b.reason;
  return [a.value, b.value];
}

export async function one<T extends object>(client: Client, sql: string): Promise<T> {
  const results: QueryResult<T> | QueryResult<T>[] = await client.query<T>(sql);
  const row = [results].flat().at(-1)?.rows[0];
  if (!row) throw new Error("an aggregate gives one row"); // By definition of SQL.
  return row;
}

/** A table of which nothing is known to have changed. */
export function blank({ schema, name }: SchemaTable, state: TableRows["state"], key: string[] | null): TableRows {
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
