import { type BaseArtifacts, type Omitted, type RunArtifacts, rootSlots, unless } from "../model/fact.js";
import { stemsOf } from "../model/names.js";
import type { SchemaColumn, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import { bound } from "./bound.js";
import { withoutHandedOn } from "./parts.js";
import { underNewNames } from "./renamed-columns.js";

/** A column of a run's table; `base` is null where the run added it. */
export interface MatchedColumn {
  column: SchemaColumn;
  base: SchemaColumn | null;
  slot: string;
  /** `teams.name`, by base's names where base has it. */
  name: string;
}

/** A table of a run; `base` is null where the run added it. */
export interface MatchedTable {
  table: SchemaTable;
  base: SchemaTable | null;
  /** True where the run dropped base's table and made another of the same name: its rows are not the old ones. */
  recreated: boolean;
  slot: string;
  name: string;
  /**
   * The name of a new table's key column where its values are made up and mean nothing: by the database, or by whoever
   * writes the rows, as a uuid or under the name of an id.
   */
  generatedKey: string | undefined;
  columns: MatchedColumn[];
  droppedColumns: SchemaColumn[];
}

export interface MatchedSchema {
  run: SchemaSnapshot;
  base: SchemaSnapshot;
  /** True where catalog identity holds: the run's database is a clone of base. */
  clone: boolean;
  /** Without `partitions`. */
  tables: MatchedTable[];
  /** New tables that are parts of others: what they hold is told of the whole, so only their own rules of access speak. */
  partitions: MatchedTable[];
  droppedTables: SchemaTable[];
  /** What the run made beyond what is compared. */
  omitted: Omitted;
}

/** Absent in runs that left the schema alone. */
export const schemaSlot = rootSlots.schema;
/** Absent in runs that changed nothing at all. */
export const runSlot = rootSlots.run;

/** `public.teams`, quoted as Postgres would where that is needed to keep two names apart. */
export function qualified(...parts: string[]): string {
  return parts.length === 1 ? quotedPart(parts[0] ?? "") : parts.map(quotedPart).join(".");
}

function quotedPart(part: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`;
}

/** As people say it: without the schema where that is `public`. */
export function shortName(object: { schema: string; name: string }): string {
  return object.schema === "public" ? object.name : `${object.schema}.${object.name}`;
}

export function tableSlot(table: { schema: string; name: string }): string {
  return `table ${qualified(table.schema, table.name)}`;
}

export function columnSlot(table: { schema: string; name: string }, column: string): string {
  return `column ${qualified(table.schema, table.name, column)}`;
}

/**
 * A run's schema beside base's. In a clone, tables are the same by oid and columns by attnum, so that a rename is a rename;
 * in a database of its own, by name. Undefined where the run's schema could not be read.
 */
export function matchSchema(artifacts: RunArtifacts, { schema }: BaseArtifacts): MatchedSchema | undefined {
  if (artifacts.schema === null) return undefined;
  // Every extractor asks for the same run, one after the other.
  if (latest?.artifacts !== artifacts || latest.base !== schema) {
    latest = { artifacts, base: schema, matched: matchAnew(artifacts, artifacts.schema, schema) };
  }
  return latest.matched;
}

let latest: { artifacts: RunArtifacts; base: SchemaSnapshot | null; matched: MatchedSchema } | undefined;

function matchAnew(artifacts: RunArtifacts, found: SchemaSnapshot, base: SchemaSnapshot | null): MatchedSchema {
  return matchSnapshots(found, base, {
    clone: artifacts.record?.database?.lineage === "clone",
    omitted: artifacts.omitted,
  });
}

/** A schema beside another. */
export function matchSnapshots(
  found: SchemaSnapshot,
  schema: SchemaSnapshot | null,
  { clone, omitted: known }: { clone: boolean; omitted?: Omitted | undefined },
): MatchedSchema {
  const base = schema ?? emptySchema(found.postgres);
  const { schema: run, omitted } = known
    ? { schema: found, omitted: known }
    : bound(found, base, (table) => !isKnown(table, base.tables, clone));
  const all = run.tables.map((table) => matchTable(table, base.tables, clone));
  const kept = new Set(all.map((table) => table.base));
  const isPart = (each: MatchedTable) => each.base === null && each.table.partitionOf !== null;
  return {
    run,
    base,
    clone,
    tables: all.filter((each) => !isPart(each)).map((each) => underNewNames(withoutHandedOn(each, all))),
    partitions: all.filter(isPart),
    omitted,
    droppedTables: base.tables.filter((table) => !kept.has(table)),
  };
}

function isKnown(table: { schema: string; name: string; oid: number }, known: readonly SchemaTable[], clone: boolean) {
  return known.some(
    ({ oid, schema, name }) => (clone && oid === table.oid) || (schema === table.schema && name === table.name),
  );
}

function matchTable(table: SchemaTable, candidates: readonly SchemaTable[], clone: boolean): MatchedTable {
  const same = clone ? candidates.find((candidate) => candidate.oid === table.oid) : undefined;
  const namesake = candidates.find(({ schema, name }) => schema === table.schema && name === table.name);
  const base = same ?? namesake ?? null;
  const recreated = clone && same === undefined && namesake !== undefined;
  const identity = base ?? table;
  const home = { slot: qualified(identity.schema, identity.name), name: shortName(identity) };
  const columns = table.columns.map((column): MatchedColumn => {
    const old = base?.columns.find((candidate) =>
      clone && !recreated ? candidate.attnum === column.attnum : candidate.name === column.name,
    );
    const name = old?.name ?? column.name;
    const slot = `column ${home.slot}.${qualified(name)}`;
    return { column, base: old ?? null, slot, name: `${home.name}.${name}` };
  });
  const kept = new Set(columns.map((column) => column.base));
  return {
    table,
    base,
    recreated,
    slot: `table ${home.slot}`,
    name: home.name,
    generatedKey: base === null ? generatedKeyOf(table) : undefined,
    columns,
    droppedColumns: base?.columns.filter((column) => !kept.has(column)) ?? [],
  };
}

/** The table a constraint of this run refers to, by the names the run gives its tables. */
export function findTable(matched: MatchedSchema, schema: string, name: string): MatchedTable | undefined {
  return matched.tables.find(({ table }) => table.schema === schema && table.name === name);
}

/** The tables a table's foreign keys lead to, each once; only those of one column where that is named. */
export function targetsOf({ table }: MatchedTable, matched: MatchedSchema, column?: string): MatchedTable[] {
  const targets = table.constraints.flatMap(({ references, columns }) => {
    if (references === null || (column !== undefined && !columns.includes(column))) return [];
    return findTable(matched, references.schema, references.table) ?? [];
  });
  return [...new Set(targets)];
}

/** Columns of a table by the run's own names; names that are no column (expressions) are left out. */
export function columnsNamed(table: MatchedTable, names: readonly string[]): MatchedColumn[] {
  return names.flatMap(
    (name) => table.columns.find(({ column }) => column.name === name || qualified(column.name) === name) ?? [],
  );
}

/**
 * What must be so for a fact about a thing of base: the run changed something, whatever it did to the schema, and has not
 * dropped the table. A run that left the schema alone kept the thing.
 */
export function ofBase({ slot }: Pick<MatchedTable, "slot">): string[] {
  return [runSlot, unless(`dropped ${slot}`)];
}

/** What must be there for a fact about these columns: the new ones among them, or a new table, or any schema change. */
export function parentsOf(table: MatchedTable, columns: readonly MatchedColumn[] = []): string[] {
  const fresh = columns.filter(({ base }) => base === null);
  const added = fresh.filter(({ column }) => column.name !== table.generatedKey).map(({ slot }) => slot);
  if (added.length > 0) return added;
  return table.base === null ? [table.slot] : [schemaSlot, unless(`dropped ${table.slot}`)];
}

function generatedKeyOf(table: SchemaTable): string | undefined {
  const key = table.constraints.find(({ kind }) => kind === "primary key");
  const column = key?.columns.length === 1 ? table.columns.find(({ name }) => name === key.columns[0]) : undefined;
  if (column === undefined) return undefined;
  const { name, type, identity } = column;
  const refers = table.constraints.some((each) => each.kind === "foreign key" && each.columns.includes(name));
  const generated = identity !== null || /nextval\(|uuid|gen_random|generate/i.test(column.default ?? "");
  return generated || (!refers && (type === "uuid" || isIdOf(name, table.name))) ? name : undefined;
}

/** `id`, `uuid`, or the id of the very table: `team_id` in `teams`. */
function isIdOf(name: string, table: string): boolean {
  if (/^(?:id|uuid|guid)$/i.test(name)) return true;
  const own = stemsOf(table);
  return /(?:_id|[a-z]Id)$/.test(name) && [...stemsOf(name)].every((stem) => own.has(stem));
}

function emptySchema(postgres: number): SchemaSnapshot {
  const none = {
    schemas: [],
    tables: [],
    enums: [],
    domains: [],
    composites: [],
    ranges: [],
    sequences: [],
    views: [],
  };
  const rest = { routines: [], extensions: [], eventTriggers: [], publications: [], statistics: [], unreadable: [] };
  return { version: 1, postgres, ...none, ...rest };
}
