import { contradictionsOf } from "../capture/claims.js";
import type { Experiment } from "../model/experiment.js";
import type { Holder, RunId } from "../model/ids.js";
import { type CheckResult, type RunOutcome, type RunRecord, tallyChecks } from "../model/record.js";
import type { Captured } from "./capture.js";
import type { Ended } from "./ended.js";

export interface RecordParts {
  experiment: Experiment;
  run: RunId;
  variant: string;
  holder: Holder;
  ended: Ended;
  captured: Captured;
  /** Null where they were not run. */
  checks: CheckResult[] | null;
  finishedAt: Date;
}

/** Puts together what `record.json` says of a run. */
export function recordOf(parts: RecordParts): RunRecord {
  const { experiment, ended, captured, checks } = parts;
  const changed = (captured.patch?.files ?? 0) > 0 || captured.database?.changed === true;
  const outcome = outcomeOf(ended, captured, changed);
  const found = { changed: captured.patch?.changed ?? [], checks, schemaChanged: captured.schemaChanged };
  const claims = captured.claims && captured.patch ? contradictionsOf(captured.claims, found) : [];
  return {
    version: 1,
    id: parts.run,
    experiment: experiment.id,
    attempt: parts.holder.attempt,
    variant: parts.variant,
    base: experiment.base,
    outcome,
    partial: changed && outcome !== "completed" && outcome !== "unreadable",
    reason: outcome === "unreadable" ? unreadablePatch(captured) : ended.reason,
    startedAt: ended.startedAt,
    finishedAt: parts.finishedAt.toISOString(),
    durationMs: Math.max(0, parts.finishedAt.getTime() - Date.parse(ended.startedAt)),
    agent: ended.agent,
    usage: ended.usage,
    patch: captured.patch,
    database: captured.database && { provider: experiment.database.provider, lineage: captured.database.lineage },
    checks: checks && tallyChecks(checks),
    ...(ended.version === undefined ? {} : { agentVersion: ended.version }),
    ...(ended.refusedHosts ? { refusedHosts: ended.refusedHosts } : {}),
    violations: captured.violations,
    claims,
    flags: [
      ...ended.flags,
      ...(captured.violations.length > 0 ? ["contract_violated"] : []),
      ...(claims.length > 0 ? ["claims_contradicted"] : []),
      ...(captured.patch?.masked ? ["secret_in_patch"] : []),
    ],
    unreadable: captured.unreadable,
    warnings: [...new Set([...ended.warnings, ...captured.warnings])],
  };
}

/** Without its patch a run says nothing; without its database it says less. */
function unreadablePatch({ unreadable }: Captured): string | null {
  const found = unreadable.find(({ what }) => what === "patch");
  return found ? `its patch could not be taken: ${found.reason}` : null;
}

function outcomeOf(ended: Ended, captured: Captured, changed: boolean): RunOutcome {
  if (ended.outcome !== "completed") return ended.outcome;
  if (unreadablePatch(captured) !== null) return "unreadable";
  return changed ? "completed" : "no_change";
}
