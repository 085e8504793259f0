import type { SchemaSnapshot } from "../../model/schema.js";
import { byTable, described, grantsIn, independent, ownerIn, ownSchema, type Reading, withGrants } from "./shared.js";
import type { Hangers } from "./tables.js";

type View = SchemaSnapshot["views"][number];
type Sequence = SchemaSnapshot["sequences"][number];

const head = `c.oid, n.nspname::text AS schema, c.relname::text AS name, about.description AS comment`;

export async function readViews(reading: Reading, hangers: Hangers): Promise<View[]> {
  const found = withGrants<View>(
    reading,
    "r",
    `SELECT ${head}, c.relkind = 'm' AS materialised, pg_get_viewdef(c.oid) AS definition,
      ARRAY(SELECT o FROM unnest(c.reloptions) o ORDER BY o COLLATE "C") AS options,
      ${ownerIn("c.relowner")}, ${grantsIn("c.relacl", "c.relowner")} AS grants
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ${described("pg_class", "c.oid")}
    WHERE c.relkind IN ('v', 'm') AND ${ownSchema("n")} AND ${independent("pg_class", "c.oid")}
    ORDER BY n.nspname, c.relname`,
  );
  const columnsOf = withGrants<ViewColumn & { table: number }>(reading, null, columnQuery);
  const [views, told, indexes, triggers] = await Promise.all([found, columnsOf, hangers.indexes, hangers.triggers]);
  const columns = byTable<ViewColumn>(told);
  return views.map((view) => ({
    ...view,
    columns: columns(view.oid),
    indexes: indexes(view.oid),
    triggers: triggers(view.oid),
  }));
}

type ViewColumn = NonNullable<View["columns"]>[number];

/** What a column of a view is follows from what the view shows. */
const columnQuery = `
  SELECT a.attrelid AS "table", a.attname::text AS name, pg_get_expr(d.adbin, 0) AS default,
    ${grantsIn("a.attacl", "c.relowner")} AS grants, about.description AS comment
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    ${described("pg_class", "a.attrelid", "a.attnum")}
  WHERE c.relkind IN ('v', 'm') AND a.attnum > 0 AND ${ownSchema("n")} AND ${independent("pg_class", "c.oid")}
  ORDER BY a.attrelid, a.attname`;

/** Those of identity columns too: they hold the column's options. */
export function readSequences(reading: Reading): Promise<Sequence[]> {
  return withGrants(
    reading,
    "s",
    `SELECT ${head}, format('AS %s START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s%s',
        format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
        CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END) AS definition,
      (SELECT d.refobjid::regclass || '.' || quote_ident(a.attname)
        FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass
          AND d.deptype IN ('a', 'i')) AS "ownedBy",
      ${grantsIn("c.relacl", "c.relowner")} AS grants
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      ${described("pg_class", "c.oid")}
    WHERE ${ownSchema("n")} AND ${independent("pg_class", "c.oid")} ORDER BY n.nspname, c.relname`,
  );
}
