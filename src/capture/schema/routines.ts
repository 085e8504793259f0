import type { SchemaSnapshot } from "../../model/schema.js";
import { described, grantsIn, independent, ownerIn, ownSchema, type Reading, withGrants } from "./shared.js";

/** Functions, procedures, aggregates and window functions; overloads stand side by side, told apart by arguments. */
export function readRoutines(reading: Reading): Promise<SchemaSnapshot["routines"]> {
  return withGrants(reading, "f", routineQuery);
}

/** The server prints no aggregates, so they are put together here. */
const aggregate = `format('AGGREGATE (%s) SFUNC = %s, STYPE = %s', pg_get_function_arguments(p.oid), g.aggtransfn::regprocedure,
      format_type(g.aggtranstype, NULL))
    || CASE WHEN g.aggfinalfn = 0 THEN '' ELSE ', FINALFUNC = ' || g.aggfinalfn::regprocedure END
    || CASE WHEN g.aggcombinefn = 0 THEN '' ELSE ', COMBINEFUNC = ' || g.aggcombinefn::regprocedure END
    || CASE WHEN g.aggmtransfn = 0 THEN '' ELSE ', MSFUNC = ' || g.aggmtransfn::regprocedure END
    || CASE WHEN g.aggsortop = 0 THEN '' ELSE ', SORTOP = ' || g.aggsortop::regoperator END
    || coalesce(', INITCOND = ' || quote_literal(g.agginitval), '')
    || CASE g.aggkind WHEN 'n' THEN '' ELSE ', KIND = ' || g.aggkind::text END || ', PARALLEL = ' || p.proparallel::text`;

const routineQuery = `
  SELECT n.nspname::text AS schema, p.proname::text AS name, p.oid, about.description AS comment,
    CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' WHEN 'w' THEN 'window' ELSE 'function' END AS kind,
    pg_get_function_identity_arguments(p.oid) AS arguments,
    CASE p.prokind WHEN 'a' THEN ${aggregate} ELSE pg_get_functiondef(p.oid) END AS definition,
    ${ownerIn("p.proowner")}, ${grantsIn("p.proacl", "p.proowner")} AS grants
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace LEFT JOIN pg_aggregate g ON g.aggfnoid = p.oid
    ${described("pg_proc", "p.oid")}
  WHERE ${ownSchema("n")} AND ${independent("pg_proc", "p.oid", "'e', 'i'")}
  ORDER BY n.nspname, p.proname, pg_get_function_identity_arguments(p.oid) COLLATE "C"`;
