import type { SchemaColumn, SchemaSnapshot, SchemaTable } from "../../model/schema.js";

/** `clone`: catalog identities hold over both databases. */
export type Lineage = "clone" | "independent";

export interface ColumnPair {
  base: SchemaColumn;
  run: SchemaColumn;
}

export interface TablePair {
  base: SchemaTable;
  run: SchemaTable;
  /** Columns of both, in base's order. */
  columns: ColumnPair[];
  /** What rows are told apart by, in both; null where there is nothing. */
  key: ColumnPair[] | null;
  /** Columns only the run has. */
  added: SchemaColumn[];
}

export interface Matching {
  pairs: TablePair[];
  added: SchemaTable[];
  dropped: SchemaTable[];
}

/** Which table of a run is which table of base. Partitions are read through what they are part of. */
export function matchTables(base: SchemaSnapshot, run: SchemaSnapshot, lineage: Lineage): Matching {
  const pairs = match(withRows(base), withRows(run), {
    identity: lineage === "clone" ? ({ oid }) => oid : null,
    name: ({ schema, name }) => JSON.stringify([schema, name]),
  });
  const isPart = (table: SchemaTable) => table.partitionOf !== null;
  return {
    pairs: pairs.both
      .filter((pair) => !isPart(pair.base) || !isPart(pair.run))
      .map((pair) => withColumns(pair.base, pair.run, lineage)),
    added: pairs.onlyRun.filter((table) => !isPart(table)),
    dropped: pairs.onlyBase.filter((table) => !isPart(table)),
  };
}

/** A foreign table's rows are somebody else's. */
function withRows(schema: SchemaSnapshot): SchemaTable[] {
  return schema.tables.filter(({ kind }) => kind !== "foreign table");
}

function withColumns(base: SchemaTable, run: SchemaTable, lineage: Lineage): TablePair {
  const sameTable = lineage === "clone" && base.oid === run.oid;
  const matched = match(base.columns, run.columns, {
    identity: sameTable ? ({ attnum }) => attnum : null,
    // In one and the same table a column of an old name is a new column: what the old one held is gone.
    name: sameTable ? null : ({ name }) => name,
  });
  const columns = matched.both.sort((a, b) => a.base.position - b.base.position);
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
    if (!pairs.every((pair) => pair !== undefined)) continue;
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
