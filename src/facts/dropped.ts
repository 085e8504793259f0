import type { SchemaSnapshot } from "../model/schema.js";
import { matchSnapshots, shortName } from "./matching.js";

export interface Dropped {
  kind: "table" | "column" | "schema" | "type";
  /** As people say it: `notes`, `notes.body`, `audit.log`. */
  name: string;
}

/**
 * Tables, columns, schemas and types of base that are not in the run's database. In a clone what was only renamed is still
 * there, and what was made anew under its old name is not.
 */
export function findDropped(run: SchemaSnapshot, base: SchemaSnapshot, clone: boolean): Dropped[] {
  const { tables, droppedTables } = matchSnapshots(run, base, { clone });
  const anew = tables.filter(({ recreated }) => recreated).map(({ name }) => name);
  const gone = new Set([...droppedTables.map(shortName), ...anew]);
  const columns = tables
    .filter(({ name }) => !gone.has(name))
    .flatMap(({ name, droppedColumns }) => droppedColumns.map((column) => `${name}.${column.name}`));
  const types = missing(typesOf(base), typesOf(run), clone).map(shortName);
  const schemas = missing(base.schemas, run.schemas, clone).map(({ name }) => name);
  const all = (kind: Dropped["kind"], names: Iterable<string>) => [...names].map((name) => ({ kind, name }));
  return [...all("table", gone), ...all("column", columns), ...all("schema", schemas), ...all("type", types)];
}

function typesOf({ enums, domains, composites, ranges }: SchemaSnapshot) {
  return [...enums, ...domains, ...composites, ...ranges];
}

interface Named {
  schema?: string;
  name: string;
  oid: number;
}

function missing<T extends Named>(before: readonly T[], after: readonly Named[], clone: boolean): T[] {
  const keyOf = ({ schema, name, oid }: Named) => (clone ? String(oid) : JSON.stringify([schema, name]));
  const there = new Set(after.map(keyOf));
  return before.filter((each) => !there.has(keyOf(each)));
}
