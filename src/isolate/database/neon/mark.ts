import { identifier, literal, withClient } from "../../../clients/postgres.js";
import { badInput, codeOf, MultirunError } from "../../../model/error.js";
import type { ExperimentId } from "../../../model/ids.js";
import type { Secret } from "../../../model/secret.js";

const prefix = "multirun ";

/** Writes into base what every branch of it then holds: a comment on its database, which no snapshot compares. */
export async function markBase(url: Secret, experiment: ExperimentId, state: "making" | "ready"): Promise<void> {
  await withClient(url, {}, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
    const name = rows[0]?.name ?? "";
    await client.query(`COMMENT ON DATABASE ${identifier(name)} IS ${literal(`${prefix}${experiment} ${state}`)}`);
  }).catch((error: unknown) => {
    if (codeOf(error) !== "42501") throw error;
    throw badInput(
      "database.role: it does not own the database, and what we make is marked by a comment on it",
      "Name the role that owns the database.",
      error,
    );
  });
}

/** `<experiment> making|ready`; undefined where there is no mark of ours. */
export async function readMark(url: Secret): Promise<string | undefined> {
  const sql =
    "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = current_database()";
  const { rows } = await withClient(url, {}, (client) => client.query<{ comment: string | null }>(sql));
  const comment = rows[0]?.comment ?? "";
  return comment.startsWith(prefix) ? comment.slice(prefix.length) : undefined;
}

/** @throws MultirunError `infra` where a database is not one that was made from this experiment's base */
export async function requireMark(url: Secret, experiment: ExperimentId, name: string): Promise<void> {
  const found = await readMark(url);
  if (found === `${experiment} ready`) return;
  throw new MultirunError(
    "infra",
    `the database of ${name} bears ${found ? `the mark "${found}"` : "no mark of ours"}: its URL is given to nobody`,
  );
}
