import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MultirunError } from "../model/error.js";
import type { Variant } from "../model/experiment.js";
import type { CheckResult, ProgramEnd } from "../model/record.js";
import { redact } from "../model/secret.js";
import type { RunPaths } from "./environment.js";
import { findProgram } from "./preflight.js";
import { runProgram, type Supervision } from "./program.js";
import { tailOf } from "./tail.js";

export interface ChecksOptions extends Supervision {
  checks: Variant["checks"];
  /** Milliseconds for each check. */
  timeoutMs: number;
  paths: Pick<RunPaths, "repo" | "out">;
  environment: Readonly<Record<string, string>>;
}

type Check = Variant["checks"][number];

/** The harness's own verdict on what an agent left: one result per check, in order. A cancelled check is skipped. */
export async function runChecks(options: ChecksOptions): Promise<CheckResult[]> {
  const folder = join(options.paths.out, "checks");
  await mkdir(folder, { recursive: true });
  const results: CheckResult[] = [];
  for (const [index, check] of options.checks.entries()) {
    // Numbered, because an id is the user's text and no file name.
    results.push(await runCheck(check, join(folder, `${index + 1}.log`), options));
  }
  return results;
}

async function runCheck(check: Check, log: string, options: ChecksOptions): Promise<CheckResult> {
  const { checks: _, paths, environment, ...supervision } = options;
  const { id, title, command } = check;
  const program = { shell: command };
  try {
    const end = await runProgram({ ...supervision, program, cwd: paths.repo, environment, output: { stdout: log } });
    const status = await statusOf(end, command, options);
    return { id, title, status, durationMs: end.durationMs, tail: await tailOf(log, options.secrets) };
  } catch (error) {
    if (!(error instanceof MultirunError) || error.code !== "infra") throw error;
    return { id, title, status: "error", durationMs: 0, tail: redact(error.message, options.secrets) };
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
