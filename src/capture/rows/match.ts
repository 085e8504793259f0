import type { SchemaColumn, SchemaSnapshot, SchemaTable } from "../../model/schema.js";
import { withoutMoved } from "./partitions.js";
import type { ReadTable } from "./query.js";
import { type Relabelled, relabelledEnums, relabelledIn } from "./relabelled.js";

/** `clone`: catalog identities hold over both databases. */
export type Lineage = "clone" | "independent";

export interface ColumnPair {
  base: SchemaColumn;
  run: SchemaColumn;
  /** Set where both are of one enum, or lists of its values, whose labels got other names. */
  relabelled?: "enum" | "enums";
}

export interface TablePair {
  base: ReadTable;
  run: ReadTable;
  /** Columns of both, in base's order. */
  columns: ColumnPair[];
  /** What rows are told apart by, in both; null where there is nothing. */
  key: ColumnPair[] | null;
  /** Columns only the run has. */
  added: SchemaColumn[];
}

export interface Matching {
  pairs: TablePair[];
  added: ReadTable[];
  dropped: ReadTable[];
}

/** Which table of a run is which table of base. Partitions are read through what they are part of. */
export function matchTables(base: SchemaSnapshot, run: SchemaSnapshot, lineage: Lineage): Matching {
  const pairs = match(withRows(base), withRows(run), {
    identity: lineage === "clone" ? ({ oid }) => oid : null,
    name: ({ schema, name }) => JSON.stringify([schema, name]),
  });
  const isPart = (table: SchemaTable) => table.partitionOf !== null;
  const partners = new Map(
    pairs.both.flatMap((each) => [[each.base, each.run] as const, [each.run, each.base] as const]),
  );
  const inBase = (table: SchemaTable) => withoutMoved(table, base.tables, partners);
  const inRun = (table: SchemaTable) => withoutMoved(table, run.tables, partners);
  const relabelled = lineage === "clone" ? relabelledEnums(base, run) : [];
  return {
    pairs: pairs.both
      .filter((pair) => !isPart(pair.base) || !isPart(pair.run))
      .map((pair) => withColumns({ base: inBase(pair.base), run: inRun(pair.run) }, lineage, relabelled)),
    added: pairs.onlyRun.filter((table) => !isPart(table)).map(inRun),
    dropped: pairs.onlyBase.filter((table) => !isPart(table)).map(inBase),
  };
}

/** A foreign table's rows are somebody else's. */
function withRows(schema: SchemaSnapshot): SchemaTable[] {
  return schema.tables.filter(({ kind }) => kind !== "foreign table");
}

function withColumns(
  { base, run }: { base: ReadTable; run: ReadTable },
  lineage: Lineage,
  enums: readonly Relabelled[],
): TablePair {
  const sameTable = lineage === "clone" && base.oid === run.oid;
  const matched = match(base.columns, run.columns, {
    identity: sameTable ? ({ attnum }) => attnum : null,
    // In one and the same table a column of an old name is a new column: what the old one held is gone.
    name: sameTable ? null : ({ name }) => name,
  });
  const columns = matched.both
    .map((pair): ColumnPair => ({ ...pair, ...relabelledIn(pair, enums) }))
    .sort((a, b) => a.base.position - b.base.position);
  return { base, run, columns, key: commonKey(base, run, columns), added: matched.onlyRun };
}

/** By identity where there is one, what is left by name. */
function match<T>(
  base: readonly T[],
  run: readonly T[],
  by: { identity: ((each: T) => number) | null; name: ((each: T) => string) | null },
): { both: { base: T; run: T }[]; onlyBase: T[]; onlyRun: T[] } {
  const both: { base: T; run: T }[] = [];
  let [restBase, restRun] = [[...base], [...run]];
  for (const key of [by.identity, by.name]) {
    if (!key) continue;
    const found = new Map(restRun.map((each) => [key(each), each]));
    const used = new Set<T>();
    restBase = restBase.filter((each) => {
      const partner = found.get(key(each));
      if (!partner) return true;
      both.push({ base: each, run: partner });
      used.add(partner);
      return false;
    });
    restRun = restRun.filter((each) => !used.has(each));
  }
  return { both, onlyBase: restBase, onlyRun: restRun };
}

/** The first key of base whose columns are a key in the run as well: else one row could meet two. */
function commonKey(base: SchemaTable, run: SchemaTable, columns: readonly ColumnPair[]): ColumnPair[] | null {
  const runKeys = keysOf(run).map((names) => JSON.stringify([...names].sort()));
  for (const names of keysOf(base)) {
    const pairs = names.map((name) => columns.find((pair) => pair.base.name === name));
    // A label under another name would be another key.
    if (!pairs.every((pair): pair is ColumnPair => pair !== undefined && pair.relabelled === undefined)) continue;
    if (runKeys.includes(JSON.stringify(pairs.map((pair) => pair.run.name).sort()))) return pairs;
  }
  return null;
}

/** Column lists that tell all rows apart: the primary key first, then whatever else is unique and never null. */
export function keysOf(table: SchemaTable): string[][] {
  const never = new Set(table.columns.filter(({ notNull }) => notNull).map(({ name }) => name));
  const keys = ["primary key", "unique"].flatMap((kind) =>
    table.constraints.filter((each) => each.kind === kind).map(({ columns }) => columns),
  );
  const indexed = table.indexes
    .filter(({ unique, valid, predicate }) => unique && valid && predicate === null)
    .map(({ keys }) => keys.map((key) => table.columns.find(({ name }) => isColumn(key, name))?.name ?? ""));
  return [...keys, ...indexed].filter((names) => names.every((name) => never.has(name)));
}

/** An index key that is a bare column; the server quotes every name that could be taken for an expression. */
function isColumn(key: string, name: string): boolean {
  return key === `"${name.replaceAll('"', '""')}"` || (key === name && /^[a-z_][a-z0-9_]*$/.test(name));
}
