import type { Experiment, PlannedRun } from "../../model/experiment.js";
import {
  type CheckResult,
  type PatchStats,
  type RunOutcome,
  type RunRecord,
  tallyChecks,
  type Unreadable,
} from "../../model/record.js";

export interface Compared {
  experiment: Experiment;
  run: PlannedRun;
  patch: PatchStats | null;
  database: RunRecord["database"];
  checks: CheckResult[] | null;
  /** True where the run left anything behind. */
  changed: boolean;
  unreadable: Unreadable[];
  warnings?: string[];
}

/** The record of a run that somebody else made: how it ended and what it cost nobody knows. */
export function comparedRecord(compared: Compared): RunRecord {
  const { experiment, run, patch, database, checks, unreadable, warnings } = compared;
  const { outcome, reason } = endOf(compared);
  return {
    version: 1,
    id: run.id,
    experiment: experiment.id,
    attempt: 1,
    variant: run.variant,
    base: experiment.base,
    outcome,
    partial: false,
    reason,
    startedAt: experiment.createdAt,
    finishedAt: experiment.createdAt,
    durationMs: 0,
    agent: null,
    usage: { costUsd: null, tokens: null },
    patch,
    database,
    checks: checks && tallyChecks(checks),
    violations: [],
    claims: [],
    flags: [],
    unreadable,
    warnings: warnings ?? [],
  };
}

/** Without its patch or its database nobody can say what a run did; without its checks, only how well. */
function endOf({ unreadable, changed }: Compared): { outcome: RunOutcome; reason: string | null } {
  const lost = unreadable.find(({ what }) => what === "patch" || what === "database");
  if (lost) return { outcome: "unreadable", reason: `its ${lost.what} could not be read: ${lost.reason}` };
  return { outcome: changed ? "completed" : "no_change", reason: null };
}
