import type { RunFacts } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import type { RunRecord } from "../../model/record.js";

/** A run as the count sees it. Null: it left nothing that could be read. */
export interface ConsensusRun {
  id: RunId;
  record: RunRecord | null;
  facts: RunFacts | null;
  /** The name by which a run is told that is not counted. */
  reference?: string;
}

/**
 * How a run counts. `votes`: with all it did and did not do. `partial`: with what it holds, what it lacks is missing.
 * `missing`: it could have gone either way. `excluded`: it failed before it changed anything and says nothing.
 */
export type Standing = "votes" | "partial" | "missing" | "excluded";

export function standingOf({ record, facts }: ConsensusRun): Standing {
  if (record === null || facts === null || record.outcome === "unreadable") return "missing";
  if (record.outcome === "completed" || record.outcome === "no_change") return record.partial ? "partial" : "votes";
  if (record.partial || leftWork(record, facts)) return "partial";
  // What it left is not known to be nothing.
  return facts.readable || record.outcome === "infra_failed" ? "excluded" : "missing";
}

function leftWork(record: RunRecord, { facts }: RunFacts): boolean {
  return (
    (record.patch?.files ?? 0) > 0 || facts.some(({ dimension }) => dimension === "schema" || dimension === "data")
  );
}
