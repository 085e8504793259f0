import type { z } from "zod";
import type { grant } from "../../model/schema.js";
import type { Ask } from "./together.js";

export type Grant = z.infer<typeof grant>;

/** What every query of a snapshot has at hand. */
export interface Reading {
  ask: Ask;
  /** Major version of the server. */
  version: number;
  /** What a missing list of grants means. */
  usual: Record<AclKind, RawGrant[]>;
  /** Roles that count as the owner, whatever they are called in this database. */
  isOwner: (role: string) => boolean;
}

/** The system's own objects have oids below this one (FirstNormalObjectId of Postgres' access/transam.h). */
export const firstOfPeople = 16_384;

/** Leaves out the system's own and temporary schemas, whose prefix is reserved for them, and those Neon keeps for itself. */
export function ownSchema(namespace: string): string {
  return `(${namespace}.nspname !~ '^pg_' AND ${namespace}.nspname NOT IN ('information_schema', 'neon', 'neon_migration'))`;
}

/** Leaves out what belongs to an extension (`e`) or, where asked for, to another object's inner works (`i`). */
export function independent(catalog: string, oid: string, types = "'e'"): string {
  return `NOT EXISTS (SELECT FROM pg_depend own
    WHERE own.classid = '${catalog}'::regclass AND own.objid = ${oid} AND own.objsubid = 0 AND own.deptype IN (${types}))`;
}

/** One look into an index; joined to what is asked of a constraint or index, all columns of its table would be read. */
export function nameOfColumn(table: string, number: string): string {
  return `(SELECT named.attname::text FROM pg_attribute named WHERE named.attrelid = ${table} AND named.attnum = ${number})`;
}

/** Whether a unique index `i`, where there is one, takes two empty values for the same; that came with version 15. */
export function nullsNotDistinct(version: number): string {
  return version >= 15 ? "coalesce(i.indnullsnotdistinct, false)" : "false";
}

/**
 * Joins what is written of an object as `about.description`. The server's own function for it asks anew for each object,
 * and is most of the time a snapshot takes.
 */
export function described(catalog: string, oid: string, column = "0"): string {
  return `LEFT JOIN pg_description about
    ON about.classoid = '${catalog}'::regclass AND about.objoid = ${oid} AND about.objsubid = ${column}`;
}

/** [grantee, privilege, grantable] as granted, with what a missing list means filled in. */
export type RawGrant = [string, string, boolean];

/** Kinds of objects by the letters of `acldefault`; in a column a missing list grants nothing. */
const aclKinds = ["r", "s", "f", "n", "T"] as const;
type AclKind = (typeof aclKinds)[number];

/** Null where there is no list, as is so of most objects: what that means is asked once for all of a kind. */
export function grantsIn(list: string, owner: string): string {
  return `CASE WHEN ${list} IS NOT NULL THEN (SELECT coalesce(json_agg(json_build_array(
      CASE acl.grantee WHEN 0 THEN 'public' WHEN ${owner} THEN 'owner' ELSE pg_get_userbyid(acl.grantee)::text END,
      acl.privilege_type, acl.is_grantable)), '[]'::json) FROM aclexplode(${list}) acl) END`;
}

/** SQL: what a missing list means, by kind. */
export function usualGrants(owner: string): string {
  const each = aclKinds.map((kind) => `'${kind}', ${grantsIn(`acldefault('${kind}', ${owner})`, owner)}`);
  return `json_build_object(${each.join(", ")})`;
}

/** One entry per grantee; an owner may always hand on, so that is no news. */
export function foldGrants(raw: readonly RawGrant[], isOwner: Reading["isOwner"]): Grant[] {
  const byGrantee = new Map<string, Set<string>>();
  for (const [role, privilege, grantable] of raw) {
    const grantee = isOwner(role) ? "owner" : role;
    const privileges = byGrantee.get(grantee) ?? new Set();
    byGrantee.set(grantee, privileges.add(grantable && grantee !== "owner" ? `${privilege}*` : privilege));
  }
  return [...byGrantee]
    .map(([grantee, privileges]) => ({
      grantee,
      privileges: [...privileges].filter((each) => !privileges.has(`${each}*`)).sort(byCodePoint),
    }))
    .sort((a, b) => byCodePoint(a.grantee, b.grantee));
}

/** The order of `COLLATE "C"` in a UTF-8 database; comparing strings in JavaScript goes by UTF-16 units instead. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** SQL: whose a thing is. */
export function ownerIn(role: string): string {
  return `pg_get_userbyid(${role})::text AS owner`;
}

/** Runs a query whose rows carry raw grants, and folds them; an owner is left out where it is the database's. */
export async function withGrants<T extends { grants: Grant[] }>(
  reading: Reading,
  kind: AclKind | null,
  sql: string,
): Promise<T[]> {
  const rows = await reading.ask<Omit<T, "grants"> & { grants: RawGrant[] | null; owner?: string }>(sql);
  const usual = kind === null ? [] : reading.usual[kind];
  return rows.map(({ owner, ...row }) => {
    const others = owner === undefined || reading.isOwner(owner) ? {} : { owner };
    return { ...row, ...others, grants: foldGrants(row.grants ?? usual, reading.isOwner) } as unknown as T;
  });
}

/** Things that hang on a table, by the table's oid, without the oid. */
export function byTable<T extends object>(rows: readonly (T & { table: number })[]): (table: number) => T[] {
  const groups = new Map<number, T[]>();
  for (const { table, ...rest } of rows) {
    const group = groups.get(table);
    if (group) group.push(rest as unknown as T);
    else groups.set(table, [rest as unknown as T]);
  }
  return (table) => groups.get(table) ?? [];
}
