import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MultirunError } from "../model/error.js";
import type { PlannedCheck } from "../model/experiment.js";
import type { CheckResult, ProgramEnd } from "../model/record.js";
import { redact } from "../model/secret.js";
import type { RunPaths } from "./environment.js";
import { findProgram } from "./preflight.js";
import { defaultLimitBytes, runProgram, type Supervision } from "./program.js";
import { clearReport, printed, readReport, reportLimitBytes, type Told } from "./reports/report.js";
import { tailOf } from "./tail.js";
import { isWorthAnother, together } from "./twice.js";

export interface ChecksOptions extends Supervision {
  checks: readonly PlannedCheck[];
  /** Milliseconds for each check, each time it is run. */
  timeoutMs: number;
  paths: Pick<RunPaths, "repo" | "out">;
  environment: Readonly<Record<string, string>>;
  /** Results on the untouched project, where they are known: what fails there, too, is not run again. */
  base?: readonly CheckResult[];
}

/**
 * The harness's own verdict on what an agent left: one result per check, in order. A check that fails where base does not
 * is run a second time at once, in the same workspace. A cancelled check is skipped.
 */
export async function runChecks(options: ChecksOptions): Promise<CheckResult[]> {
  const folder = join(options.paths.out, "checks");
  await mkdir(folder, { recursive: true });
  const results: CheckResult[] = [];
  for (const [index, check] of options.checks.entries()) {
    // Numbered, because an id is the user's text and no file name.
    const log = join(folder, `${index + 1}`);
    const first = await runCheck(check, `${log}.log`, options);
    const before = options.base?.find(({ id }) => id === check.id);
    const again = isWorthAnother(first, before);
    results.push(again ? together(first, await runCheck(check, `${log}-again.log`, options)) : first);
  }
  return results;
}

async function runCheck(check: PlannedCheck, log: string, options: ChecksOptions): Promise<CheckResult> {
  const { checks: _, base: __, paths, environment, ...supervision } = options;
  const { secrets } = supervision;
  const { id, title, command, report } = check;
  const place = report && { report, repo: paths.repo, secrets };
  const limitBytes = report?.path === printed ? reportLimitBytes : defaultLimitBytes;
  try {
    const cleared = place ? await clearReport(place) : {};
    const program = { program: { shell: command }, cwd: paths.repo, environment, output: { stdout: log }, limitBytes };
    const end = await runProgram({ ...supervision, ...program });
    const status = await statusOf(end, command, options);
    const ran = status !== "skip" && status !== "error";
    const believed = place && ran && cleared.unread === undefined;
    const told: Told = believed ? await readReport(place, { path: log, ...end.output }) : cleared;
    return { id, title, status, durationMs: end.durationMs, tail: await tailOf(log, secrets), ...told };
  } catch (error) {
    if (!(error instanceof MultirunError) || error.code !== "infra") throw error;
    return { id, title, status: "error", durationMs: 0, tail: redact(error.message, secrets) };
  }
}

async function statusOf(end: ProgramEnd, command: string, options: ChecksOptions): Promise<CheckResult["status"]> {
  if (end.cancelled) return "skip";
  if (end.timedOut) return "timeout";
  if (end.exitCode === 0) return "pass";
  return (await couldNotStart(end, command, options)) ? "error" : "fail";
}

/** The shell says 126 and 127 for a program it cannot start; so may the program itself, of something it started. */
async function couldNotStart(end: ProgramEnd, command: string, options: ChecksOptions): Promise<boolean> {
  if (end.exitCode !== 126 && end.exitCode !== 127) return false;
  const { found } = await findProgram(command, { path: options.environment["PATH"] ?? "", cwd: options.paths.repo });
  return !found;
}
