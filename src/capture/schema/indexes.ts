import type { SchemaIndex } from "../../model/schema.js";
import { isAutoName } from "./auto-name.js";
import { byTable, described, nameOfColumn, nullsNotDistinct, ownSchema, type Reading } from "./shared.js";

interface Row extends Omit<SchemaIndex, "autoName"> {
  table: number;
  tableName: string;
  columns: string[];
}

/** Indexes of tables and materialised views by oid of what they are on; those behind a constraint are told with it. */
export async function readIndexes({ ask, version }: Reading): Promise<(table: number) => SchemaIndex[]> {
  const rows = await ask<Row>(indexQuery(version));
  return byTable(
    rows.map(({ columns, tableName, ...row }) => ({
      ...row,
      autoName: isAutoName(row.name, tableName, columns, "idx"),
    })),
  );
}

/** Where it is not the default: collation, operator class with its parameters, direction (bit 1: DESC, bit 2: NULLS FIRST). */
const keyQuery = `
  SELECT coalesce(quote_ident(col.attname), pg_get_indexdef(i.indexrelid, k, false))
    || CASE WHEN i.indcollation[k - 1] IN (0, coalesce(col.attcollation, 100)) THEN ''
         ELSE ' COLLATE ' || i.indcollation[k - 1]::regcollation END
    || CASE WHEN oc.opcdefault AND own.attoptions IS NULL THEN ''
         ELSE ' ' || CASE ocn.nspname WHEN 'pg_catalog' THEN '' ELSE quote_ident(ocn.nspname) || '.' END
           || quote_ident(oc.opcname) END
    || coalesce(' (' || array_to_string(own.attoptions, ', ') || ')', '')
    || CASE WHEN NOT pg_indexam_has_property(am.oid, 'can_order') THEN ''
         ELSE (ARRAY['', ' DESC NULLS LAST', ' NULLS FIRST', ' DESC'])[(i.indoption[k - 1] & 3) + 1] END
  FROM generate_series(1, i.indnkeyatts) k
    JOIN pg_opclass oc ON oc.oid = i.indclass[k - 1] JOIN pg_namespace ocn ON ocn.oid = oc.opcnamespace
    JOIN pg_attribute own ON own.attrelid = i.indexrelid AND own.attnum = k
    LEFT JOIN LATERAL (SELECT a.attname, a.attcollation FROM pg_attribute a
      WHERE a.attrelid = i.indrelid AND a.attnum = i.indkey[k - 1] LIMIT 1) col ON i.indkey[k - 1] <> 0
  ORDER BY k`;

const indexQuery = (version: number) => `
  SELECT i.indrelid AS "table", c.relname::text AS "tableName", x.relname::text AS name, x.oid, am.amname::text AS method, i.indisunique AS unique,
    ${nullsNotDistinct(version)} AS "nullsNotDistinct",
    ARRAY(${keyQuery}) AS keys,
    ARRAY(SELECT ${nameOfColumn("i.indrelid", "i.indkey[k - 1]")}
      FROM generate_series(i.indnkeyatts + 1, i.indnatts) k ORDER BY k) AS include,
    pg_get_expr(i.indpred, i.indrelid) AS predicate, i.indisvalid AS valid,
    ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = x.oid ORDER BY a.attnum) AS columns,
    about.description AS comment
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam
    JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    ${described("pg_class", "x.oid")}
  WHERE ${ownSchema("n")} AND c.relkind IN ('r', 'p', 'm')
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  ORDER BY i.indrelid, x.relname`;
