import type {
  SchemaColumn,
  SchemaConstraint,
  SchemaIndex,
  SchemaPolicy,
  SchemaTable,
  SchemaTrigger,
} from "../../model/schema.js";
import {
  byCodePoint,
  byTable,
  described,
  grantsIn,
  independent,
  ownerIn,
  ownSchema,
  type Reading,
  withGrants,
} from "./shared.js";

/** What hangs on tables and on views, by oid of what it hangs on. */
export interface Hangers {
  constraints: Promise<(on: number) => SchemaConstraint[]>;
  indexes: Promise<(on: number) => SchemaIndex[]>;
  triggers: Promise<(on: number) => SchemaTrigger[]>;
}

/** Tables of every kind with all that hangs on them. */
export async function readTables(reading: Reading, hangers: Hangers): Promise<SchemaTable[]> {
  const [tables, columnsOf, constraints, policies, indexes, triggers] = await Promise.all([
    withGrants<SchemaTable>(reading, "r", tableQuery),
    withGrants<SchemaColumn & { table: number }>(reading, null, columnQuery),
    hangers.constraints,
    readPolicies(reading),
    hangers.indexes,
    hangers.triggers,
  ]);
  const columns = byTable<SchemaColumn>(columnsOf);
  return tables.map((table) => ({
    ...table,
    columns: columns(table.oid),
    constraints: constraints(table.oid),
    indexes: indexes(table.oid),
    triggers: triggers(table.oid),
    policies: policies(table.oid),
  }));
}

const tableQuery = `
  SELECT c.oid, n.nspname::text AS schema, c.relname::text AS name, about.description AS comment,
    CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' ELSE 'foreign table' END AS kind,
    CASE c.relpersistence WHEN 'u' THEN 'unlogged' ELSE 'permanent' END AS persistence,
    pg_get_partkeydef(c.oid) AS "partitionKey",
    CASE WHEN c.relispartition THEN json_build_object(
      'parent', (SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid),
      'bound', pg_get_expr(c.relpartbound, c.oid)) END AS "partitionOf",
    ARRAY(SELECT i.inhparent::regclass::text FROM pg_inherits i
      WHERE i.inhrelid = c.oid AND NOT c.relispartition ORDER BY i.inhseqno) AS inherits,
    CASE WHEN NOT c.relrowsecurity THEN 'off' WHEN c.relforcerowsecurity THEN 'forced' ELSE 'on' END AS "rowSecurity",
    ARRAY(SELECT o FROM unnest(c.reloptions || f.ftoptions || ('server=' || s.srvname)) o WHERE o IS NOT NULL
      ORDER BY o COLLATE "C") AS options,
    CASE c.relreplident WHEN 'n' THEN 'nothing' WHEN 'f' THEN 'full' WHEN 'i' THEN 'index ' || (
      SELECT x.indexrelid::regclass FROM pg_index x WHERE x.indrelid = c.oid AND x.indisreplident)
      ELSE 'default' END AS "replicaIdentity",
    ${ownerIn("c.relowner")}, ${grantsIn("c.relacl", "c.relowner")} AS grants
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_foreign_table f ON f.ftrelid = c.oid LEFT JOIN pg_foreign_server s ON s.oid = f.ftserver
    ${described("pg_class", "c.oid")}
  WHERE c.relkind IN ('r', 'p', 'f') AND ${ownSchema("n")} AND ${independent("pg_class", "c.oid")}
  ORDER BY n.nspname, c.relname`;

/** A default never names another column: without a table to look them up in, it is written several times as fast. */
const columnQuery = `
  SELECT a.attrelid AS "table", a.attname::text AS name, a.attnum::int AS attnum,
    (row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum))::int AS position,
    format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
    pg_get_expr(d.adbin, CASE a.attgenerated WHEN '' THEN 0 ELSE d.adrelid END) AS default,
    CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END AS identity,
    CASE a.attgenerated WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual' END AS generated,
    CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END AS collation,
    ${grantsIn("a.attacl", "c.relowner")} AS grants, about.description AS comment
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    ${described("pg_class", "a.attrelid", "a.attnum")}
  WHERE c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped AND ${ownSchema("n")}
  ORDER BY a.attrelid, a.attname`;

/** Triggers of tables and views, by oid of what they hang on; what a partition has from its whole is told of the whole. */
export async function readTriggers({ ask }: Reading): Promise<(table: number) => SchemaTrigger[]> {
  return byTable(
    await ask<SchemaTrigger & { table: number }>(
      `SELECT t.tgrelid AS "table", t.tgname::text AS name, t.oid, pg_get_triggerdef(t.oid) AS definition,
        CASE t.tgenabled WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' ELSE 'enabled' END
          AS enabled, about.description AS comment
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        ${described("pg_trigger", "t.oid")}
      WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${ownSchema("n")} ORDER BY t.tgrelid, t.tgname`,
    ),
  );
}

async function readPolicies(reading: Reading): Promise<(table: number) => SchemaPolicy[]> {
  const rows = await reading.ask<SchemaPolicy & { table: number }>(
    `SELECT p.polrelid AS "table", p.polname::text AS name, p.oid, p.polpermissive AS permissive,
      CASE p.polcmd WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert' WHEN 'w' THEN 'update' WHEN 'd' THEN 'delete'
        ELSE 'all' END AS command,
      ARRAY(SELECT CASE r WHEN 0 THEN 'public' ELSE pg_get_userbyid(r)::text END FROM unnest(p.polroles) r) AS roles,
      pg_get_expr(p.polqual, p.polrelid) AS using, pg_get_expr(p.polwithcheck, p.polrelid) AS check,
      about.description AS comment
    FROM pg_policy p ${described("pg_policy", "p.oid")} ORDER BY p.polrelid, p.polname`,
  );
  const fold = (role: string) => (reading.isOwner(role) ? "owner" : role);
  return byTable(rows.map((row) => ({ ...row, roles: [...new Set(row.roles.map(fold))].sort(byCodePoint) })));
}
