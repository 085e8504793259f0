import type { SchemaSnapshot } from "../model/schema.js";

interface Named {
  oid: number;
  schema: string;
  name: string;
}

/**
 * Base with its objects under the names a clone's run gave them: what got another name, by itself or with its schema, is
 * neither dropped nor new.
 */
export function underNewNames(base: SchemaSnapshot, run: SchemaSnapshot): SchemaSnapshot {
  const schemas = new Map(run.schemas.map(({ oid, name }) => [oid, name]));
  return {
    ...base,
    schemas: base.schemas.map((each) => ({ ...each, name: schemas.get(each.oid) ?? each.name })),
    tables: named(base.tables, run.tables),
    enums: named(base.enums, run.enums),
    domains: named(base.domains, run.domains),
    composites: named(base.composites, run.composites),
    ranges: named(base.ranges, run.ranges),
    sequences: named(base.sequences, run.sequences),
    views: named(base.views, run.views),
    routines: named(base.routines, run.routines),
    statistics: named(base.statistics, run.statistics),
  };
}

function named<T extends Named>(own: readonly T[], theirs: readonly Named[]): T[] {
  const byOid = new Map(theirs.map((each) => [each.oid, each]));
  return own.map((each) => {
    const { schema, name } = byOid.get(each.oid) ?? each;
    return { ...each, schema, name };
  });
}
