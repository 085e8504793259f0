import { readSql } from "../../isolate/database/sql-text.js";
import type { SchemaSnapshot } from "../../model/schema.js";

const creation =
  /^create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:(?:"[^"]*"|[\w$]+)\s*\.\s*)?(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[\w$]+))/i;

/** True where the SQL creates at least half of base's tables itself: then it is no change of base, but all there is. */
export function isWholeSchema(sql: string, { tables }: SchemaSnapshot): boolean {
  if (tables.length === 0) return false;
  const created = new Set(
    readSql(sql).statements.flatMap(({ start, end }) => createdTable(sql.slice(start, end)) ?? []),
  );
  return 2 * tables.filter(({ name }) => created.has(name)).length >= tables.length;
}

function createdTable(statement: string): string | undefined {
  const { quoted, plain } = creation.exec(statement)?.groups ?? {};
  return quoted?.replaceAll('""', '"') ?? plain?.toLowerCase();
}
