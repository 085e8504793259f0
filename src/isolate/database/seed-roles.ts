import { type Client, identifier } from "../../clients/postgres.js";
import { codeOf } from "../../model/error.js";

/**
 * Roles that seeds and setup commands made on the embedded server, where nobody else makes any: neither Postgres' own
 * (below 16384, FirstNormalObjectId) nor ours. On users' servers they run as a role that can make none.
 */
async function findSeedRoles(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE oid >= 16384 AND rolname NOT LIKE 'multirun\\_%' ORDER BY rolname",
  );
  return rows.map(({ rolname }) => identifier(rolname));
}

/**
 * Gives what such roles own in this database to the seed role, so that runs get it. They stay to be named in GRANTs and
 * policies, but nobody logs in as them: a run may read their passwords in the seed, and they may be superusers.
 * @param inside connected to base as the administrator
 */
export async function adoptFromSeedRoles(inside: Client, seedRole: string): Promise<void> {
  const roles = await findSeedRoles(inside);
  if (roles.length === 0) return;
  const retire = roles.map((role) => `ALTER ROLE ${role} NOLOGIN`);
  await inside.query([`REASSIGN OWNED BY ${roles.join(", ")} TO ${identifier(seedRole)}`, ...retire].join(";\n"));
}

/** Before base is made anew: its seeds make them again. */
export async function dropSeedRoles(client: Client): Promise<void> {
  for (const role of await findSeedRoles(client)) {
    try {
      await client.query(`DROP ROLE ${role}`);
    } catch (error) {
      // Named in some other database still: the seed, which may ask before it makes one, decides whether that matters.
      if (codeOf(error) !== "2BP01") throw error;
    }
  }
}
