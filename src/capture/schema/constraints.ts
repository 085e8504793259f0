import type { SchemaConstraint } from "../../model/schema.js";
import { isAutoName } from "./auto-name.js";
import { byTable, described, nameOfColumn, nullsNotDistinct, ownSchema, type Reading } from "./shared.js";

const labels: Record<SchemaConstraint["kind"], string> = {
  "primary key": "pkey",
  unique: "key",
  check: "check",
  "foreign key": "fkey",
  exclusion: "excl",
};

interface Row extends Omit<SchemaConstraint, "autoName"> {
  table: number;
  tableName: string;
  /** Of the index behind it, where there is one: what the server made up its name from. */
  indexColumns: string[];
}

/** Constraints of tables by oid of the table. NOT NULL, a constraint since version 18, is told with its column. */
export async function readConstraints({ ask, version }: Reading): Promise<(table: number) => SchemaConstraint[]> {
  const rows = await ask<Row>(constraintQuery(version));
  return byTable(
    rows.map(({ indexColumns, tableName, ...row }) => {
      const columns = nameParts(row, indexColumns);
      return { ...row, autoName: isAutoName(row.name, tableName, columns, labels[row.kind]) };
    }),
  );
}

function nameParts(row: Pick<Row, "kind" | "columns">, indexColumns: readonly string[]): readonly string[] {
  if (row.kind === "primary key") return [];
  if (row.kind === "foreign key") return row.columns;
  if (row.kind === "check") return row.columns.length === 1 ? row.columns : [];
  return indexColumns;
}

const action = (column: string) => `CASE ${column} WHEN 'r' THEN 'restrict' WHEN 'c' THEN 'cascade'
  WHEN 'n' THEN 'set null' WHEN 'd' THEN 'set default' ELSE 'no action' END`;

const columnsIn = (numbers: string, table: string) => `ARRAY(SELECT ${nameOfColumn(table, "u.num")}
  FROM unnest(${numbers}) WITH ORDINALITY u(num, place) ORDER BY u.place)`;

/** A foreign key onto a partitioned table has, beside itself, one inner constraint per partition: those are left out. */
const constraintQuery = (version: number) => `
  SELECT k.conrelid AS "table", c.relname::text AS "tableName", k.conname::text AS name, k.oid,
    CASE k.contype WHEN 'p' THEN 'primary key' WHEN 'u' THEN 'unique' WHEN 'c' THEN 'check' WHEN 'f' THEN 'foreign key'
      ELSE 'exclusion' END AS kind,
    ${columnsIn("k.conkey", "k.conrelid")} AS columns, pg_get_constraintdef(k.oid) AS definition,
    ${nullsNotDistinct(version)} AS "nullsNotDistinct",
    k.condeferrable AS deferrable, k.condeferred AS "initiallyDeferred", k.convalidated AS validated,
    CASE WHEN k.contype = 'f' THEN json_build_object(
      'schema', fn.nspname, 'table', f.relname, 'oid', f.oid::bigint, 'columns', ${columnsIn("k.confkey", "k.confrelid")},
      'onDelete', ${action("k.confdeltype")}, 'onUpdate', ${action("k.confupdtype")},
      'match', CASE k.confmatchtype WHEN 'f' THEN 'full' WHEN 'p' THEN 'partial' ELSE 'simple' END) END AS "references",
    ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indexrelid ORDER BY a.attnum) AS "indexColumns",
    about.description AS comment
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_index i ON i.indexrelid = k.conindid AND k.contype IN ('p', 'u', 'x')
    LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
    ${described("pg_constraint", "k.oid")}
  WHERE k.contype IN ('p', 'u', 'c', 'f', 'x') AND ${ownSchema("n")}
    AND (k.conparentid = 0 OR (SELECT whole.conrelid FROM pg_constraint whole WHERE whole.oid = k.conparentid) <> k.conrelid)
  ORDER BY k.conrelid, k.conname`;
