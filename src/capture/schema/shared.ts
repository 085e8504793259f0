import type { z } from "zod";
import type { grant } from "../../model/schema.js";
import type { Ask } from "./together.js";

export type Grant = z.infer<typeof grant>;

/** What every query of a snapshot has at hand. */
export interface Reading {
  ask: Ask;
  /** Major version of the server. */
  version: number;
  /** Roles that count as the owner, whatever they are called in this database. */
  isOwner: (role: string) => boolean;
}

/** Leaves out the system's own and temporary schemas, whose prefix is reserved for them, and those Neon keeps for itself. */
export function ownSchema(namespace: string): string {
  return `(${namespace}.nspname !~ '^pg_' AND ${namespace}.nspname NOT IN ('information_schema', 'neon', 'neon_migration'))`;
}

/** Leaves out what belongs to an extension (`e`) or, where asked for, to another object's inner works (`i`). */
export function independent(catalog: string, oid: string, types = "'e'"): string {
  return `NOT EXISTS (SELECT FROM pg_depend own
    WHERE own.classid = '${catalog}'::regclass AND own.objid = ${oid} AND own.objsubid = 0 AND own.deptype IN (${types}))`;
}

/** [grantee, privilege, grantable] as granted, with what a missing list means filled in. */
export type RawGrant = [string, string, boolean];

/** @param kind letter of `acldefault`; null where a missing list grants nothing (columns) */
export function grantsIn(list: string, kind: "r" | "s" | "f" | "n" | "T" | null, owner: string): string {
  const filled = kind === null ? list : `coalesce(${list}, acldefault('${kind}', ${owner}))`;
  return `(SELECT coalesce(json_agg(json_build_array(
      CASE acl.grantee WHEN 0 THEN 'public' WHEN ${owner} THEN 'owner' ELSE pg_get_userbyid(acl.grantee)::text END,
      acl.privilege_type, acl.is_grantable)), '[]'::json) FROM aclexplode(${filled}) acl)`;
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

/** Runs a query whose rows carry raw grants, and folds them. */
export async function withGrants<T extends { grants: Grant[] }>(reading: Reading, sql: string): Promise<T[]> {
  const rows = await reading.ask<Omit<T, "grants"> & { grants: RawGrant[] }>(sql);
  return rows.map((row) => ({ ...row, grants: foldGrants(row.grants, reading.isOwner) }) as unknown as T);
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
