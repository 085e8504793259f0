import { type Client, identifier, toUrl } from "../../clients/postgres.js";
import type { Deps } from "../../model/deps.js";
import { codeOf } from "../../model/error.js";
import type { SeedFile } from "../../model/experiment.js";
import type { Holder } from "../../model/ids.js";
import type { Secret } from "../../model/secret.js";
import { closeToOthers, copying } from "./clone.js";
import { databaseName, type Marker, sharedRoleName } from "./names.js";
import { derivedPassword, newPassword, scramVerifier } from "./password.js";
import { applySeeds } from "./seed.js";
import { adoptFromSeedRoles, dropSeedRoles } from "./seed-roles.js";
import { endSessionsIn } from "./sessions.js";
import {
  adminSettings,
  asAdmin,
  comment,
  dropAll,
  findObjects,
  makeRole,
  requireMarker,
  type Site,
  withNameLock,
} from "./site.js";

export interface BaseOptions {
  holder: Holder;
  marker: Marker;
  seeds: readonly SeedFile[];
  /** On our own server seeds may do anything, unless this is true. */
  plain?: boolean;
}

/**
 * The template of all runs' databases, and a URL of its role for whoever sets it up further before it is sealed. It belongs to the administrator while everything in it belongs to the seed role:
 * in each copy, REASSIGN OWNED BY that role then moves exactly the contents.
 * @throws MultirunError `bad_input` for a seed that fails; nothing of base is left then
 */
export async function acquireBase(site: Site, options: BaseOptions): Promise<Secret> {
  const { holder } = options;
  return withNameLock(site, databaseName(holder), async (client) => {
    const { database } = await findObjects(client, { database: databaseName(holder) });
    if (database && requireMarker("database", database).state === "ready") return reopen(client, site, holder);
    await dropAll(client, holder); // Half-done by a process that was killed.
    if (site.ours) await dropSeedRoles(client);
    try {
      return await makeBase(client, site, options);
    } catch (error) {
      // The first error is the one to tell. What stays behind says "making", so the next acquire or a sweep removes it.
      await dropAll(client, holder).catch(() => undefined);
      throw error;
    }
  });
}

/** A new password for the role of a base that is there: nobody remembers the old one. Sealed, it lets no one in. */
async function reopen(client: Client, site: Site, holder: Holder): Promise<Secret> {
  const seed = { user: sharedRoleName(holder.experiment, "seed"), password: newPassword() };
  if (site.createsRoles) {
    await client.query(`ALTER ROLE ${identifier(seed.user)} PASSWORD '${scramVerifier(seed.password)}'`);
  }
  return toUrl({ ...site.admin, ...(site.createsRoles ? seed : {}), database: databaseName(holder) });
}

async function makeBase(client: Client, site: Site, { holder, marker, seeds, plain }: BaseOptions): Promise<Secret> {
  const name = databaseName(holder);
  const seed = { user: sharedRoleName(holder.experiment, "seed"), password: newPassword() };
  if (site.superuser) await makeReader(client, site, holder, marker);
  if (site.createsRoles) {
    const attributes = site.ours && !plain ? "SUPERUSER" : "";
    await makeRole(client, site, seed.user, { password: seed.password, attributes, marker });
  }
  // The seed role owns base until base is marked: see `databaseComment`.
  const [owner, taken] = site.createsRoles
    ? [`OWNER ${identifier(seed.user)}`, `;\nALTER DATABASE ${identifier(name)} OWNER TO CURRENT_USER`]
    : ["", ""];
  await client.query(`CREATE DATABASE ${identifier(name)} ${owner} ${copying(site)}`);
  const granted = site.createsRoles ? [`GRANT ALL ON DATABASE ${identifier(name)} TO ${identifier(seed.user)}`] : [];
  await client.query(
    [comment("DATABASE", name, marker) + taken, ...closeToOthers(site, holder), ...granted].join(";\n"),
  );
  if (site.createsRoles) {
    await asAdmin(site, (inside) => giveSchema(inside, seed.user), name);
  }
  const url = toUrl({ ...site.admin, ...(site.createsRoles ? seed : {}), database: name });
  await applySeeds(url, seeds, { settings: site.createsRoles ? {} : adminSettings(site) });
  await client.query(comment("DATABASE", name, { ...marker, state: "ready" }));
  return url;
}

async function makeReader(client: Client, site: Site, holder: Holder, marker: Marker): Promise<void> {
  const reader = sharedRoleName(holder.experiment, "reader");
  const password = derivedPassword(site.admin.password, reader);
  await makeRole(client, site, reader, { password, attributes: "BYPASSRLS", marker });
  await client.query(`GRANT pg_read_all_data TO ${identifier(reader)}`);
}

/** So that a run may drop and re-create `public`. Before version 15 the schema is the superuser's and open to all. */
async function giveSchema(inside: Client, role: string): Promise<void> {
  try {
    await inside.query(`ALTER SCHEMA public OWNER TO ${identifier(role)}`);
  } catch (error) {
    if (codeOf(error) !== "42501") throw error;
  }
}

/**
 * Closes base to everybody, so that all copies are copies of one state. Its owner can still copy and drop it.
 * @throws MultirunError `timed_out` where sessions that setup left do not end: nothing could be copied meanwhile
 */
export async function sealBase(site: Site, holder: Holder, deps: Pick<Deps, "now" | "sleep">): Promise<void> {
  const name = databaseName(holder);
  await withNameLock(site, name, async (client) => {
    const { database } = await findObjects(client, { database: name });
    if (!database) return;
    requireMarker("database", database);
    if (!(await isOpen(client, name))) return;
    const seed = sharedRoleName(holder.experiment, "seed");
    await endSessionsIn(client, name, deps);
    if (site.ours) await asAdmin(site, (inside) => adoptFromSeedRoles(inside, seed), name);
    // From here on the role is a mere name that things belong to.
    const retire = `ALTER ROLE ${identifier(seed)} NOLOGIN ${site.ours ? "NOSUPERUSER" : ""} PASSWORD NULL`;
    const close = `ALTER DATABASE ${identifier(name)} ALLOW_CONNECTIONS false`;
    await client.query([...(site.createsRoles ? [retire] : []), close].join(";\n"));
  });
}

/** True where the base is complete and nobody can change it any more. */
export async function isBaseSealed(site: Site, holder: Holder): Promise<boolean> {
  const name = databaseName(holder);
  return asAdmin(site, async (client) => {
    const { database } = await findObjects(client, { database: name });
    return (
      database !== undefined && requireMarker("database", database).state === "ready" && !(await isOpen(client, name))
    );
  });
}

async function isOpen(client: Client, name: string): Promise<boolean> {
  const sql = "SELECT datallowconn AS open FROM pg_database WHERE datname = $1";
  return (await client.query<{ open: boolean }>(sql, [name])).rows[0]?.open === true;
}

/** Drops what one holder has; tolerates that there is nothing. */
export async function releaseDatabase(site: Site, holder: Holder): Promise<void> {
  await withNameLock(site, databaseName(holder), async (client) => {
    // On our own server it can be nowhere but in its own database, which ends its sessions when it is dropped.
    if (!site.ours) await endSessions(client, databaseName(holder));
    await dropAll(client, holder);
  });
}

/** A role with sessions in other databases than its own could make new things while it is being dropped. */
async function endSessions(client: Client, role: string): Promise<void> {
  const { roles } = await findObjects(client, { roles: [role] });
  if (!roles[0]?.marker) return;
  await client.query(`ALTER ROLE ${identifier(role)} NOLOGIN`);
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);
}
