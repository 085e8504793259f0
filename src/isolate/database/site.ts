import type { Connections } from "../../clients/connections.js";
import { type Address, type Client, identifier, literal, toUrl, withClient } from "../../clients/postgres.js";
import { MultirunError } from "../../model/error.js";
import type { ExperimentId, Holder } from "../../model/ids.js";
import type { Secret } from "../../model/secret.js";
import { databaseName, type Marker, markerOf, sharedRoleName } from "./names.js";
import { derivedPassword, scramVerifier } from "./password.js";

/** A server databases are made on, and what its administrator may do there. */
export interface Site {
  admin: Address;
  /** As the administrator to the administrator's own database, where no run can come. */
  connections: Connections;
  /** Major version. */
  version: number;
  superuser: boolean;
  /** False where runs must share the administrator's own role. */
  createsRoles: boolean;
  /** True for the embedded server: seeds may do anything, and copying files beats writing them through a log. */
  ours: boolean;
  /** Of the role of one run, so that none takes its siblings' connections; null: no limit. */
  connectionLimit: number | null;
}

/**
 * Event triggers of a seed come to belong to the run, which may then rewrite what they call: they must not fire for the
 * administrator. The setting came with version 17; before, and on users' servers, seeds can make no event trigger.
 */
export function adminSettings(site: Pick<Site, "ours" | "version">): Record<string, string> {
  return site.ours && site.version >= 17 ? { event_triggers: "off" } : {};
}

/** As the administrator, in the administrator's own database or in another one. */
export function asAdmin<T>(site: Site, use: (client: Client) => Promise<T>, database?: string): Promise<T> {
  if (database === undefined) return site.connections.lend(use);
  return withClient(toUrl({ ...site.admin, database }), { settings: adminSettings(site) }, use);
}

/**
 * As whom capture reads. A run owns its tables, so what it hung on them (functions in index expressions, for one) can
 * run as whoever reads them: never a superuser, but a role that sees every row and may change nothing.
 */
export function readerUrl(site: Site, experiment: ExperimentId, database: string): Secret {
  if (!site.superuser) return toUrl({ ...site.admin, database });
  const user = sharedRoleName(experiment, "reader");
  return toUrl({ ...site.admin, database, user, password: derivedPassword(site.admin.password, user) });
}

/** One at a time for one database, across all processes and machines; a failure or a lost connection gives the lock back. */
export function withNameLock<T>(site: Site, name: string, use: (client: Client) => Promise<T>): Promise<T> {
  return site.connections.lend(async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
    const result = await use(client);
    await client.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    return result;
  });
}

export interface FoundObject {
  name: string;
  marker: Marker | undefined;
}

/**
 * SQL for the comment that marks a database, `d` in pg_database owned by `r` in pg_roles. A run owns its database and may
 * change the comment on it, but not the one on its role: where the owner bears the database's name, the role's marker
 * counts. So does the seed role's, which owns base until base has a marker of its own: CREATE DATABASE knows no
 * transaction, and whoever is killed before COMMENT leaves a database that only its owner tells to be ours.
 */
export const databaseComment = `
  CASE WHEN r.rolname = regexp_replace(d.datname, '_base$', '_seed') THEN shobj_description(r.oid, 'pg_authid')
       ELSE shobj_description(d.oid, 'pg_database') END`;

/** A database and roles by name, with their markers if they have some; what is not there is left out. */
export async function findObjects(
  client: Client,
  names: { database?: string; roles?: readonly string[] },
): Promise<{ database: FoundObject | undefined; roles: FoundObject[] }> {
  const { rows } = await client.query<{ kind: string; name: string; comment: string | null }>(
    `SELECT 'database' AS kind, d.datname::text AS name, ${databaseComment} AS comment
     FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname = $1
     UNION ALL
     SELECT 'role', rolname::text, shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = ANY ($2)`,
    [names.database ?? null, names.roles ?? []],
  );
  const of = (wanted: string): FoundObject[] =>
    rows.flatMap(({ kind, name, comment }) => (kind === wanted ? [{ name, marker: markerOf(name, comment) }] : []));
  return { database: of("database")[0], roles: of("role") };
}

/** @throws MultirunError `infra`: something has our name and is not ours, so it is neither used nor removed */
export function requireMarker(kind: "database" | "role", found: FoundObject): Marker {
  if (found.marker) return found.marker;
  throw new MultirunError("infra", `The ${kind} "${found.name}" exists and bears no multirun marker`, {
    hint:
      `A start of multirun that was killed may have left it. If nobody needs it, run ` +
      `DROP ${kind.toUpperCase()} ${identifier(found.name)}; otherwise rename it. Then start again.`,
  });
}

export function comment(kind: "DATABASE" | "ROLE", name: string, marker: Marker): string {
  return `COMMENT ON ${kind} ${identifier(name)} IS ${literal(JSON.stringify(marker))}`;
}

export interface RoleOptions {
  password: string;
  attributes: string;
  marker: Marker;
}

/** Makes a login role, or gives ours of that name a new password; the marker comes in the same transaction. */
export async function makeRole(client: Client, site: Site, name: string, options: RoleOptions): Promise<void> {
  const [found] = (await findObjects(client, { roles: [name] })).roles;
  if (found) requireMarker("role", found);
  const verb = found ? "ALTER" : "CREATE";
  const inherits = site.version >= 16 ? " WITH INHERIT TRUE, SET TRUE" : "";
  // One query is one transaction.
  await client.query(
    [
      `${verb} ROLE ${identifier(name)} LOGIN ${options.attributes} PASSWORD '${scramVerifier(options.password)}'`,
      comment("ROLE", name, options.marker),
      // An administrator who is no superuser owns and drops what its roles own only as a member of them.
      ...(site.superuser ? [] : [`GRANT ${identifier(name)} TO CURRENT_USER${inherits}`]),
    ].join(";\n"),
  );
}

/** @param holder whose database is dropped, and whose role; with `base` the roles that came with it */
export async function dropAll(client: Client, holder: Holder): Promise<void> {
  const name = databaseName(holder);
  const roles = (["seed", "reader"] as const).map((role) => sharedRoleName(holder.experiment, role));
  const found = await findObjects(client, { database: name, roles: holder.run === "base" ? roles : [name] });
  if (found.database) {
    requireMarker("database", found.database);
    await dropDatabase(client, name);
  }
  for (const role of found.roles) {
    requireMarker("role", role);
    await client.query(`DROP ROLE IF EXISTS ${identifier(role.name)}`);
  }
}

/** Ends whoever is connected to it. The caller has looked at its marker. */
export async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
}
