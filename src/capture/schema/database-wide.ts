import type { SchemaSnapshot } from "../../model/schema.js";
import { described, grantsIn, independent, ownSchema, type Reading, withGrants } from "./shared.js";
import { allOf } from "./together.js";

type DatabaseWide = Pick<SchemaSnapshot, "schemas" | "extensions" | "eventTriggers" | "publications" | "statistics">;

export function readDatabaseWide(reading: Reading): Promise<DatabaseWide> {
  return allOf<DatabaseWide>({
    schemas: withGrants(
      reading,
      "n",
      `SELECT n.nspname::text AS name, n.oid, about.description AS comment,
        ${grantsIn("n.nspacl", "n.nspowner")} AS grants
      FROM pg_namespace n ${described("pg_namespace", "n.oid")} WHERE ${ownSchema("n")} AND ${independent("pg_namespace", "n.oid")} ORDER BY n.nspname`,
    ),
    extensions: reading.ask(
      `SELECT e.extname::text AS name, n.nspname::text AS schema, e.extversion AS version
      FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname !~ '^neon(_|$)' ORDER BY e.extname`,
    ),
    eventTriggers: reading.ask(
      `SELECT e.evtname::text AS name, format('ON %s%s EXECUTE FUNCTION %s()%s', e.evtevent,
        ' WHEN TAG IN (' || array_to_string(e.evttags, ', ') || ')', e.evtfoid::regproc,
        CASE e.evtenabled WHEN 'D' THEN ' disabled' WHEN 'R' THEN ' replica' WHEN 'A' THEN ' always' ELSE '' END)
          AS definition
      FROM pg_event_trigger e WHERE ${independent("pg_event_trigger", "e.oid")} ORDER BY e.evtname`,
    ),
    publications: reading.ask(publicationQuery(reading.version)),
    statistics: reading.ask(
      `SELECT n.nspname::text AS schema, s.stxname::text AS name, s.oid,
        about.description AS comment, pg_get_statisticsobjdef(s.oid) AS definition,
        '[]'::json AS grants
      FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace
        ${described("pg_statistic_ext", "s.oid")}
      WHERE ${ownSchema("n")} AND ${independent("pg_statistic_ext", "s.oid")} ORDER BY n.nspname, s.stxname`,
    ),
  });
}

/** Whole schemas, row filters and column lists came with version 15. */
function publicationQuery(version: number): string {
  const schemas = `SELECT 'TABLES IN SCHEMA ' || quote_ident(n.nspname) FROM pg_publication_namespace s
    JOIN pg_namespace n ON n.oid = s.pnnspid WHERE s.pnpubid = p.oid`;
  const details = `|| coalesce((SELECT ' (' || string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) || ')'
      FROM pg_attribute a WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs)), '')
    || coalesce(' WHERE ' || pg_get_expr(r.prqual, r.prrelid), '')`;
  const tables = `SELECT 'TABLE ' || r.prrelid::regclass ${version >= 15 ? details : ""}
    FROM pg_publication_rel r WHERE r.prpubid = p.oid`;
  return `
    SELECT p.pubname::text AS name, CASE WHEN p.puballtables THEN 'ALL TABLES' ELSE array_to_string(ARRAY(
        SELECT part COLLATE "C" FROM (${version >= 15 ? `${schemas} UNION ALL ` : ""}${tables}) parts(part) ORDER BY 1), ', ') END
      || format(' INSERT %s UPDATE %s DELETE %s TRUNCATE %s VIA ROOT %s',
        p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot) AS definition
    FROM pg_publication p WHERE ${independent("pg_publication", "p.oid")} ORDER BY p.pubname`;
}
