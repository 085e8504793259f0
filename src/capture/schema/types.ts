import type { DefinedObject, SchemaSnapshot } from "../../model/schema.js";
import { described, grantsIn, independent, ownSchema, type Reading, withGrants } from "./shared.js";
import { allOf } from "./together.js";

type Types = Pick<SchemaSnapshot, "enums" | "domains" | "composites" | "ranges">;

/** Types people made; those that come with a table or a range are told with these. */
export function readTypes(reading: Reading): Promise<Types> {
  return allOf<Types>({
    enums: reading.ask(
      `SELECT ${head}, ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid
        ORDER BY e.enumsortorder) AS labels ${from("t.typtype = 'e'")}`,
    ),
    domains: read(reading, domain, "t.typtype = 'd'"),
    composites: read(reading, composite, "t.typtype = 'c' AND c.relkind = 'c'"),
    ranges: read(reading, range, "t.typtype = 'r'"),
  });
}

function read(reading: Reading, definition: string, condition: string): Promise<DefinedObject[]> {
  const grants = grantsIn("t.typacl", "t.typowner");
  return withGrants(
    reading,
    "T",
    `SELECT ${head}, ${definition} AS definition, ${grants} AS grants ${from(condition)}`,
  );
}

const head = `n.nspname::text AS schema, t.typname::text AS name, t.oid, about.description AS comment`;

function from(condition: string): string {
  return `FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      LEFT JOIN pg_class c ON c.oid = t.typrelid LEFT JOIN pg_range r ON r.rngtypid = t.oid
      LEFT JOIN pg_type base ON base.oid = t.typbasetype LEFT JOIN pg_opclass oc ON oc.oid = r.rngsubopc
      ${described("pg_type", "t.oid")}
    WHERE ${condition} AND ${ownSchema("n")} AND ${independent("pg_type", "t.oid")} ORDER BY n.nspname, t.typname`;
}

const domain = `format_type(t.typbasetype, t.typtypmod)
    || CASE WHEN t.typcollation = base.typcollation THEN '' ELSE ' COLLATE ' || t.typcollation::regcollation END
    || coalesce(' DEFAULT ' || t.typdefault, '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce((SELECT string_agg(' CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), ''
         ORDER BY k.conname) FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'), '')`;

const composite = `'(' || coalesce((SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || CASE WHEN a.attcollation IN (0, own.typcollation) THEN '' ELSE ' COLLATE ' || a.attcollation::regcollation END,
      ', ' ORDER BY a.attnum)
    FROM pg_attribute a JOIN pg_type own ON own.oid = a.atttypid
    WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped), '') || ')'`;

const range = `'SUBTYPE = ' || format_type(r.rngsubtype, NULL)
    || CASE WHEN oc.opcdefault THEN '' ELSE ', SUBTYPE_OPCLASS = ' || quote_ident(oc.opcname) END
    || CASE WHEN r.rngcollation IN (0, 100) THEN '' ELSE ', COLLATION = ' || r.rngcollation::regcollation END
    || CASE WHEN r.rngcanonical = 0 THEN '' ELSE ', CANONICAL = ' || r.rngcanonical END
    || CASE WHEN r.rngsubdiff = 0 THEN '' ELSE ', SUBTYPE_DIFF = ' || r.rngsubdiff END
    || ', MULTIRANGE_TYPE_NAME = ' || format_type(r.rngmultitypid, NULL)`;
