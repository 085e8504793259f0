import type { SchemaSnapshot } from "../../model/schema.js";
import {
  byCodePoint,
  described,
  firstOfPeople,
  foldGrants,
  grantsIn,
  independent,
  ownSchema,
  type RawGrant,
  type Reading,
} from "./shared.js";

type Other = NonNullable<SchemaSnapshot["others"]>[number];

interface Row extends Omit<Other, "definition"> {
  definition: string | null;
  /** Of default privileges, which are grants to come: whose objects they are about, and what is granted. */
  role: string | null;
  grants: RawGrant[] | null;
}

/** What stands beside tables, types and functions, and is rare: each by its name as the server identifies it. */
export async function readOthers({ ask, isOwner }: Reading): Promise<Other[]> {
  const rows = await ask<Row>(othersQuery);
  return rows
    .map(({ role, grants, definition, name, ...row }) => ({
      ...row,
      name: role === null || isOwner(role) ? name : `${name} made by ${role}`,
      definition: definition ?? grantsAsText(foldGrants(grants ?? [], isOwner)),
    }))
    .sort((a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name));
}

function grantsAsText(grants: ReturnType<typeof foldGrants>): string {
  return grants.map(({ grantee, privileges }) => `${grantee}: ${privileges.join(", ")}`).join("; ");
}

interface Part {
  kind: Other["kind"];
  catalog: string;
  definition: string;
  /** With the object as `o`, and its schema as `n`. */
  from: string;
}

const inSchema = (catalog: string, column: string) => `${catalog} o JOIN pg_namespace n ON n.oid = o.${column}`;

const parts: Part[] = [
  {
    kind: "rule",
    catalog: "pg_rewrite",
    definition: `pg_get_ruledef(o.oid) || CASE o.ev_enabled WHEN 'O' THEN '' ELSE ' (' || o.ev_enabled::text || ')' END`,
    // What a view shows is a rule as well, and told with the view.
    from: `pg_rewrite o JOIN pg_class c ON c.oid = o.ev_class AND o.rulename <> '_RETURN'
      AND ${independent("pg_class", "c.oid")} JOIN pg_namespace n ON n.oid = c.relnamespace`,
  },
  {
    kind: "operator",
    catalog: "pg_operator",
    definition: `format('FUNCTION = %s', o.oprcode::regproc)
      || CASE o.oprcom WHEN 0 THEN '' ELSE ', COMMUTATOR = ' || o.oprcom::regoper END
      || CASE o.oprnegate WHEN 0 THEN '' ELSE ', NEGATOR = ' || o.oprnegate::regoper END
      || CASE o.oprrest::oid WHEN 0 THEN '' ELSE ', RESTRICT = ' || o.oprrest END
      || CASE o.oprjoin::oid WHEN 0 THEN '' ELSE ', JOIN = ' || o.oprjoin END
      || CASE WHEN o.oprcanhash THEN ', HASHES' ELSE '' END || CASE WHEN o.oprcanmerge THEN ', MERGES' ELSE '' END`,
    from: inSchema("pg_operator", "oprnamespace"),
  },
  {
    kind: "collation",
    catalog: "pg_collation",
    // The locale has had three places, depending on version and provider; asked by name, as no version has all of them.
    definition: `format('PROVIDER %s LOCALE %s%s%s', o.collprovider,
      coalesce(to_jsonb(o) ->> 'colllocale', to_jsonb(o) ->> 'colliculocale', o.collcollate),
      ' RULES ' || quote_literal(to_jsonb(o) ->> 'collicurules'),
      CASE WHEN o.collisdeterministic THEN '' ELSE ' NOT DETERMINISTIC' END)`,
    from: inSchema("pg_collation", "collnamespace"),
  },
  {
    kind: "text search dictionary",
    catalog: "pg_ts_dict",
    definition: `format('TEMPLATE %s%s', t.tmplname, ' (' || o.dictinitoption || ')')`,
    from: `${inSchema("pg_ts_dict", "dictnamespace")} JOIN pg_ts_template t ON t.oid = o.dicttemplate`,
  },
  {
    kind: "text search configuration",
    catalog: "pg_ts_config",
    definition: `format('PARSER %s%s', p.prsname, (SELECT string_agg(format('; %s: %s', token.alias, m.dictionaries), ''
        ORDER BY token.alias COLLATE "C")
      FROM (SELECT each.maptokentype, string_agg(each.mapdict::regdictionary::text, ', ' ORDER BY each.mapseqno)
          AS dictionaries FROM pg_ts_config_map each WHERE each.mapcfg = o.oid GROUP BY 1) m
        JOIN ts_token_type(o.cfgparser) token ON token.tokid = m.maptokentype))`,
    from: `${inSchema("pg_ts_config", "cfgnamespace")} JOIN pg_ts_parser p ON p.oid = o.cfgparser`,
  },
];

const columns = (kind: Other["kind"], name: string, definition: string, owned = "NULL, NULL::json") =>
  `'${kind}' AS kind, ${name} AS name, ${definition} AS definition, about.description AS comment, ${owned}`;

const identity = (catalog: string) =>
  `(SELECT found.identity FROM pg_identify_object('${catalog}'::regclass, o.oid, 0) found)`;

const cast = `
  SELECT ${columns(
    "cast",
    identity("pg_cast"),
    `format('%s%s', CASE o.castmethod WHEN 'f' THEN o.castfunc::regprocedure::text WHEN 'i' THEN 'INOUT' ELSE 'BINARY' END,
      CASE o.castcontext WHEN 'a' THEN ' AS ASSIGNMENT' WHEN 'i' THEN ' AS IMPLICIT' ELSE '' END)`,
  )}
  FROM pg_cast o ${described("pg_cast", "o.oid")}
  WHERE o.oid >= ${firstOfPeople} AND ${independent("pg_cast", "o.oid", "'e', 'i'")}`;

const defaultPrivileges = `
  SELECT ${columns(
    "default privileges",
    `CASE o.defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences' WHEN 'f' THEN 'functions' WHEN 'T' THEN 'types'
      WHEN 'n' THEN 'schemas' ELSE 'large objects' END || coalesce(' in ' || quote_ident(n.nspname), '')`,
    "NULL",
    `pg_get_userbyid(o.defaclrole)::text AS role, ${grantsIn("o.defaclacl", "o.defaclrole")} AS grants`,
  )}
  FROM pg_default_acl o LEFT JOIN pg_namespace n ON n.oid = o.defaclnamespace
    ${described("pg_default_acl", "o.oid")}
  WHERE o.defaclnamespace = 0 OR ${ownSchema("n")}`;

const othersQuery = [
  defaultPrivileges,
  cast,
  ...parts.map(
    ({ kind, catalog, definition, from }) => `
  SELECT ${columns(kind, identity(catalog), definition)}
  FROM ${from} ${described(catalog, "o.oid")}
  WHERE ${ownSchema("n")} AND ${independent(catalog, "o.oid")}`,
  ),
].join("\n  UNION ALL");
