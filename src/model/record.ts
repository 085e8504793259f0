import { z } from "zod";
import { usageSchema } from "./agent.js";
import { violation } from "./contract.js";
import { experimentId, isoTime, runId, sha } from "./ids.js";

export const runOutcomes = [
  "completed",
  "no_change",
  "timed_out",
  "stalled",
  "crashed",
  "over_budget",
  "refused",
  "overloaded",
  "cancelled",
  "infra_failed",
  "unreadable",
] as const;
export const runOutcome = z.enum(runOutcomes);
export type RunOutcome = (typeof runOutcomes)[number];

const count = z.number().int().nonnegative();

/** How a program ended. */
export const programEnd = z.strictObject({
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  cancelled: z.boolean(),
  /** How long it had shown no sign of life when it was ended for that. */
  stalledMs: count.optional(),
  durationMs: count,
  /** Bytes it wrote, and how many of them were dropped from the middle of the kept file. */
  output: z.strictObject({ stdoutBytes: count, stderrBytes: count, droppedBytes: count }),
});
export type ProgramEnd = z.infer<typeof programEnd>;

/** Longer than any path a file system takes. */
const path = z.string().max(10_000);

export const changedFile = z.strictObject({
  path,
  oldPath: path.nullable(),
  status: z.enum(["added", "deleted", "modified", "renamed", "type_changed"]),
  /** Lines; null for binary files. */
  added: count.nullable(),
  deleted: count.nullable(),
});
export type ChangedFile = z.infer<typeof changedFile>;

export const patchStats = z.strictObject({
  files: count,
  added: count,
  deleted: count,
  bytes: count,
  sha256: z.string(),
  /** True where the patch, applied to the base commit, gives the very tree that was captured; null where nobody could try. */
  applies: z.boolean().nullable(),
  changed: z.array(changedFile),
  warnings: z.array(z.string()),
  /** How many secrets are written as stars in it: it does not apply then. Not there where it held none. */
  masked: count.optional(),
  /**
   * There where changes of denied paths were left out of what may go to a branch: `offered.diff` holds the rest, which may
   * be nothing.
   */
  offered: z.strictObject({ files: count, added: count, deleted: count, bytes: count, sha256: z.string() }).optional(),
});
export type PatchStats = z.infer<typeof patchStats>;

/** Tests of one check that are kept; a report of more is not read. */
export const mostTests = 5_000;
/** Characters of a test's id. */
export const longestTestId = 300;

/** One test of a check's report. `unstable`: two runs of the check said different things of it. */
export const testResult = z.strictObject({
  /** Suites and name, equal in all runs. */
  id: z.string().min(1).max(longestTestId),
  status: z.enum(["pass", "fail", "skip", "error", "unstable"]),
});
export type TestResult = z.infer<typeof testResult>;

/** `checks.json`: what the harness itself ran after the agent had ended. */
export const checkResult = z.strictObject({
  id: z.string().max(10_000),
  title: z.string().max(10_000),
  /** `unstable`: it failed and, run a second time on the same work, passed. */
  status: z.enum(["pass", "fail", "error", "timeout", "skip", "unstable"]),
  durationMs: count,
  /** Last lines of its output, redacted. */
  tail: z.string(),
  /** What its report says of its tests; not there where it declares none, or none could be read. */
  tests: z.array(testResult).max(mostTests).optional(),
  /** Why the report it declares could not be read: its exit code stands all the same. */
  unread: z.string().max(10_000).optional(),
});
export type CheckResult = z.infer<typeof checkResult>;
export const checksSchema = z.array(checkResult);

/** How many checks passed; `unstable` only where any was: those are neither passed nor failed. */
export const checkTally = z.strictObject({ passed: count, total: count, unstable: count.optional() });
export type CheckTally = z.infer<typeof checkTally>;

export function tallyChecks(checks: readonly CheckResult[]): CheckTally {
  const of = (status: CheckResult["status"]) => checks.filter((check) => check.status === status).length;
  const unstable = of("unstable");
  return { passed: of("pass"), total: checks.length, ...(unstable > 0 ? { unstable } : {}) };
}

/** Something that is there and could not be read: what it holds is unknown, which is not "nothing". */
export const unreadable = z.strictObject({ what: z.string(), reason: z.string() });
export type Unreadable = z.infer<typeof unreadable>;

/** What a run asked of the network and did not get, the most often first: `host:port`. */
export const refusedHosts = z.array(z.strictObject({ host: z.string().max(200), times: z.number().int().positive() }));
export type RefusedHost = z.infer<typeof refusedHosts>[number];

export const runRecord = z.strictObject({
  version: z.literal(1),
  id: runId,
  experiment: experimentId,
  attempt: z.number().int().min(1),
  variant: z.string(),
  base: sha,
  outcome: runOutcome,
  /** Work of a run that did not end by itself: what it holds counts, what it lacks is missing. */
  partial: z.boolean(),
  /** Why, in one sentence, where the outcome is neither completed nor no_change. */
  reason: z.string().nullable(),
  startedAt: isoTime,
  finishedAt: isoTime,
  durationMs: count,
  agent: programEnd.nullable(),
  usage: usageSchema,
  patch: patchStats.nullable(),
  database: z.strictObject({ provider: z.string(), lineage: z.enum(["clone", "independent"]) }).nullable(),
  checks: checkTally.nullable(),
  /** What the agent calls its version. */
  agentVersion: z.string().optional(),
  refusedHosts: refusedHosts.optional(),
  violations: z.array(violation),
  /** What the agent says that is not what was found, one sentence each. */
  claims: z.array(z.string()),
  flags: z.array(z.string()),
  unreadable: z.array(unreadable),
  warnings: z.array(z.string()),
});
export type RunRecord = z.infer<typeof runRecord>;
