import { keepConnections } from "../../clients/connections.js";
import { type Address, parseAddress, placeOf, toUrl, unreachable, withClient } from "../../clients/postgres.js";
import { badInput } from "../../model/error.js";
import type { Secret } from "../../model/secret.js";
import { adminSettings, type Site } from "./site.js";

const oldestVersion = 14;

interface Rights {
  version: string;
  superuser: boolean;
  database: boolean;
  role: boolean;
}

/**
 * Looks at a user's server without leaving anything there.
 * @throws MultirunError `bad_input`: not reachable, too old, or no right to create databases
 */
export async function inspectServer(url: Secret): Promise<Site> {
  const admin = parseAddress(url);
  const rights = await readRights(admin);
  const version = Math.floor(Number(rights.version) / 10_000);
  if (version < oldestVersion) {
    throw badInput(
      `Database server ${placeOf(admin)} is Postgres ${version}; databases are cloned on ${oldestVersion} and newer`,
      "Name a newer server, or use --database embedded.",
    );
  }
  if (!rights.superuser && !rights.database) {
    throw badInput(
      `Database server ${placeOf(admin)}: role "${admin.user}" may not create databases, and each run gets one`,
      `Run as a superuser: ALTER ROLE "${admin.user}" CREATEDB CREATEROLE;`,
    );
  }
  const createsRoles = rights.superuser || rights.role;
  const kind = { version, superuser: rights.superuser, createsRoles, ours: false, connectionLimit: null };
  return { ...kind, admin, connections: keepConnections(toUrl(admin), { settings: adminSettings(kind) }) };
}

async function readRights(admin: Address): Promise<Rights> {
  const sql = `SELECT current_setting('server_version_num') AS version,
                      rolsuper AS superuser, rolcreatedb AS database, rolcreaterole AS role
               FROM pg_roles WHERE rolname = current_user`;
  try {
    const [rights] = await withClient(toUrl(admin), {}, async (client) => (await client.query<Rights>(sql)).rows);
    if (rights) return rights;
  } catch (error) {
    throw unreachable(error, admin);
  }
  throw badInput(`Database server ${placeOf(admin)} knows no role "${admin.user}"`, "Connect to Postgres itself.");
}
