import type { Client } from "../../clients/postgres.js";
import type { Deps } from "../../model/deps.js";
import { MultirunError } from "../../model/error.js";
import { findObjects, requireMarker } from "./site.js";

const patienceMs = 5_000;
const pollMs = 20;

/** Those we may end: a superuser's are somebody else's business where we are none. */
const others = `FROM pg_stat_activity
  WHERE datname = coalesce($1, current_database()) AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND pg_has_role(usesysid, 'USAGE')`;

/**
 * Ends every session in a database of ours but the one that asks, again and again until there is none: a killed client
 * leaves a backend that sleeps, or waits in its transaction, and keeps its locks. Tolerates that there is no database.
 * @throws MultirunError `timed_out` where there are sessions still after five seconds
 */
export async function endSessionsIn(client: Client, name: string, deps: Pick<Deps, "now" | "sleep">): Promise<void> {
  const { database } = await findObjects(client, { database: name });
  if (!database) return;
  requireMarker("database", database);
  await endOtherSessions(client, name, deps);
}

/**
 * The same of a database that the caller has seen to be ours.
 * @param name null for the one that is connected to
 */
export async function endOtherSessions(
  client: Client,
  name: string | null,
  deps: Pick<Deps, "now" | "sleep">,
): Promise<void> {
  for (const deadline = deps.now() + patienceMs; deps.now() < deadline; await deps.sleep(pollMs)) {
    // What was told to end is still listed; telling it twice does no harm.
    const { rowCount } = await client.query(`SELECT pg_terminate_backend(pid) ${others}`, [name]);
    if (rowCount === 0) return;
  }
  throw new MultirunError(
    "timed_out",
    `Sessions in database ${name ?? "of the branch"} do not end within ${patienceMs} ms`,
    {
      hint: "Look at pg_stat_activity for what they do.",
    },
  );
}
