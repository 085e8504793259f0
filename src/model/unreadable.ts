import type { RunArtifacts } from "./fact.js";
import type { Unreadable } from "./record.js";

/**
 * Everything of a run that is unknown: what its record, its captures and their readers could not read, and what a run with
 * a database must have left and did not.
 */
export function unreadableOf({ record, schema, rows, checks, unreadable }: Unread): Unreadable[] {
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
    ...(checks ?? []).flatMap(({ title, unread }) =>
      unread === undefined ? [] : [{ what: `${testsOf}${title}`, reason: unread }],
    ),
  ];
}

const testsOf = "tests of ";

/** The part of a run's artifacts that tells what is unknown about it. */
export type Unread = Pick<RunArtifacts, "record" | "schema" | "rows" | "checks" | "unreadable">;

/**
 * True for what may hide what a run did. What it says about itself does not, and neither do the tests of a check, whose
 * exit code stands without them.
 */
export function matters({ what }: Unreadable): boolean {
  return what !== "claims.json" && !what.startsWith(testsOf);
}
