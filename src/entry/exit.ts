import { MultirunError, messageOf } from "../model/error.js";
import type { Report } from "../model/report.js";

/** What a command ends with; other programs rely on these numbers. */
export const exitCodes = { done: 0, failed: 1, badInput: 2, leaked: 3, cancelled: 130 } as const;

/** Tells a person what went wrong and what to do, on stderr; the exit code that fits. */
export function reportError(error: unknown): number {
  process.stderr.write(`multirun: ${messageOf(error)}\n`);
  if (!(error instanceof MultirunError)) return exitCodes.failed;
  if (error.hint) process.stderr.write(`  ${error.hint}\n`);
  if (error.code === "cancelled") return exitCodes.cancelled;
  return error.code === "bad_input" ? exitCodes.badInput : exitCodes.failed;
}

/** Cancelled before all, then leaks, then experiments nothing can be concluded from. */
export function exitCodeOf(report: Report, cancelled: boolean): number {
  if (cancelled) return exitCodes.cancelled;
  if (report.resources.leaked.length > 0) return exitCodes.leaked;
  return report.runs.some((run) => run.counted) ? exitCodes.done : exitCodes.failed;
}
