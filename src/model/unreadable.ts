import type { RunArtifacts } from "./fact.js";
import type { Unreadable } from "./record.js";

/**
 * Everything of a run that is unknown: what its record, its captures and their readers could not read, and what a run with
 * a database must have left and did not.
 */
export function unreadableOf({ record, schema, rows, unreadable }: Unread): Unreadable[] {
  const named = (whats: readonly string[]) => unreadable.some(({ what }) => whats.includes(what));
  const gone = { reason: "it is not there" };
  const owed = record !== null && record.database !== null;
  return [
    ...unreadable,
    ...(schema?.unreadable ?? []).map(({ object, reason }) => ({ what: object, reason })),
    ...(owed && schema === null && !named(["database", "schema.json"]) ? [{ what: "schema.json", ...gone }] : []),
    ...(owed && rows === null && !named(["database", "schema.json", "rows.json"])
      ? [{ what: "rows.json", ...gone }]
      : []),
  ];
}

/** The part of a run's artifacts that tells what is unknown about it. */
export type Unread = Pick<RunArtifacts, "record" | "schema" | "rows" | "unreadable">;

/** True for what is compared or counted; what a run says about itself is neither. */
export function matters({ what }: Unreadable): boolean {
  return what !== "claims.json";
}
