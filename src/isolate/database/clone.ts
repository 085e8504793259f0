import { type Client, identifier, toUrl } from "../../clients/postgres.js";
import type { Deps } from "../../model/deps.js";
import { codeOf, MultirunError } from "../../model/error.js";
import type { Holder } from "../../model/ids.js";
import type { Secret } from "../../model/secret.js";
import { databaseName, type Marker, sharedRoleName } from "./names.js";
import { newPassword } from "./password.js";
import {
  asAdmin,
  comment,
  dropDatabase,
  findObjects,
  makeRole,
  requireMarker,
  type Site,
  withNameLock,
} from "./site.js";

/** Postgres itself waits five seconds for others to leave the template before it gives up. */
const templateTries = 4;

/**
 * A database of its own for one holder, copied from base and owned by a role of its own.
 * @returns the URL the holder gets; a second call gives a new password to the same role
 */
export async function acquireClone(
  site: Site,
  holder: Holder,
  marker: Marker,
  deps: Pick<Deps, "sleep">,
): Promise<Secret> {
  const name = databaseName(holder);
  return withNameLock(site, name, async (client) => {
    const { database } = await findObjects(client, { database: name });
    const state = database && requireMarker("database", database).state;
    if (state === "making") await dropDatabase(client, name);
    const password = newPassword();
    if (site.createsRoles) {
      const limit = site.connectionLimit === null ? "" : `CONNECTION LIMIT ${site.connectionLimit}`;
      await makeRole(client, site, name, {
        password,
        attributes: limit,
        marker: { ...marker, state: state ?? "making" },
      });
    }
    if (state !== "ready") await makeClone(client, site, holder, marker, deps);
    return toUrl(
      site.createsRoles ? { ...site.admin, database: name, user: name, password } : { ...site.admin, database: name },
    );
  });
}

/** Nobody can connect until the copy belongs to its role and is closed to everybody else. */
async function makeClone(
  client: Client,
  site: Site,
  holder: Holder,
  marker: Marker,
  deps: Pick<Deps, "sleep">,
): Promise<void> {
  const name = databaseName(holder);
  await copyBase(client, site, holder, deps);
  const open = `ALTER DATABASE ${identifier(name)} ALLOW_CONNECTIONS true`;
  await client.query([comment("DATABASE", name, marker), ...closeToOthers(site, holder), open].join(";\n"));
  if (!site.createsRoles) {
    await client.query(comment("DATABASE", name, { ...marker, state: "ready" }));
    return;
  }
  await asAdmin(site, (inside) => handOver(inside, site, holder), name);
  await client.query(
    [
      comment("DATABASE", name, { ...marker, state: "ready" }),
      comment("ROLE", name, { ...marker, state: "ready" }),
    ].join(";\n"),
  );
}

async function copyBase(client: Client, site: Site, holder: Holder, deps: Pick<Deps, "sleep">): Promise<void> {
  const name = databaseName(holder);
  const base = databaseName({ ...holder, run: "base" });
  const owner = site.createsRoles ? ` OWNER ${identifier(name)}` : "";
  const sql = `CREATE DATABASE ${identifier(name)} TEMPLATE ${identifier(base)}${owner} ${copying(site)} ALLOW_CONNECTIONS false`;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(sql);
      return;
    } catch (error) {
      if (codeOf(error) === "3D000") {
        throw new MultirunError("infra", `Database "${base}" is not there to copy`, {
          hint: "Acquire base first.",
          cause: error,
        });
      }
      const busy = codeOf(error) === "55006"; // "source database is being accessed by other users"
      if (!busy || attempt === templateTries) throw error;
      await deps.sleep(250 * attempt);
    }
  }
}

/** Without fsync a checkpoint costs nothing, and a copy of files leaves no dirty pages behind: half the time, measured. */
export function copying({ ours }: Pick<Site, "ours">): string {
  return ours ? "STRATEGY FILE_COPY" : "";
}

/** Privileges on a database are not copied with it: every one starts open to all. */
export function closeToOthers(site: Site, holder: Holder): string[] {
  const database = identifier(databaseName(holder));
  const reader = identifier(sharedRoleName(holder.experiment, "reader"));
  const granted = site.superuser ? [`GRANT CONNECT ON DATABASE ${database} TO ${reader}`] : [];
  return [`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`, ...granted];
}

/**
 * Gives the run what the seeds made. Some things may only belong to superusers (event triggers, for one), so the role is
 * one inside this transaction, where nobody else can see it.
 */
async function handOver(inside: Client, site: Site, holder: Holder): Promise<void> {
  const role = identifier(databaseName(holder));
  const seed = identifier(sharedRoleName(holder.experiment, "seed"));
  const reassign = `REASSIGN OWNED BY ${seed} TO ${role}`;
  // One query is one transaction.
  const asSuperuser = [`ALTER ROLE ${role} SUPERUSER`, reassign, `ALTER ROLE ${role} NOSUPERUSER`];
  await inside.query(site.ours ? asSuperuser.join(";\n") : reassign);
}
