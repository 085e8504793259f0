import type { Omitted } from "../model/fact.js";
import type { SchemaSnapshot } from "../model/schema.js";
import { compareText } from "../model/text.js";

/** So many new tables of a run are compared, and so many new objects of any other kind: more are only counted. */
export const mostCompared = 200;

export interface Bounded {
  schema: SchemaSnapshot;
  /** What is only counted: tables, and by kind all else. */
  omitted: Omitted;
}

const listed = ["views", "routines", "enums", "domains", "composites", "ranges", "sequences"] as const;

/**
 * A schema with at most 200 new tables and 200 new objects of each kind, the first by name. A run may make a thousand of
 * them, by accident or in malice, and the others' report must not suffer.
 */
export function bound(schema: SchemaSnapshot, base: SchemaSnapshot, isNew: (table: Named) => boolean): Bounded {
  const tables = cut(schema.tables, isNew);
  const others = new Map<string, number>();
  let bounded: SchemaSnapshot = { ...schema, tables: tables.kept };
  for (const kind of listed) {
    if (schema[kind].length <= mostCompared) continue;
    const known = new Set(base[kind].map(nameOf));
    const { kept, omitted } = cut<Named>(schema[kind], (each) => !known.has(nameOf(each)));
    bounded = { ...bounded, [kind]: kept };
    if (omitted.length > 0) others.set(kind, omitted.length);
  }
  return { schema: bounded, omitted: { tables: tables.omitted, others } };
}

interface Named {
  schema: string;
  name: string;
  oid: number;
}

function nameOf({ schema, name }: Named): string {
  return JSON.stringify([schema, name]);
}

function cut<T extends Named>(all: readonly T[], isNew: (each: T) => boolean): { kept: T[]; omitted: T[] } {
  if (all.length <= mostCompared) return { kept: [...all], omitted: [] };
  const fresh = all.filter(isNew).sort((a, b) => compareText(nameOf(a), nameOf(b)));
  const omitted = fresh.slice(mostCompared);
  const left = new Set(omitted);
  return { kept: all.filter((each) => !left.has(each)), omitted };
}
