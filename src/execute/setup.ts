import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { redact } from "../model/secret.js";
import { shorten } from "../model/text.js";
import { describeEnd } from "./describe.js";
import type { RunPaths } from "./environment.js";
import { runProgram, type Supervision } from "./program.js";
import { tailOf } from "./tail.js";

export interface SetupOptions extends Supervision {
  commands: readonly string[];
  /** Milliseconds for each command. */
  timeoutMs: number;
  paths: Pick<RunPaths, "repo" | "out">;
  environment: Readonly<Record<string, string>>;
}

export type SetupResult =
  | { ok: true }
  | {
      ok: false;
      /** In one sentence; safe to show. */
      reason: string;
      /** Last lines of the command's output. */
      tail: string;
      cancelled: boolean;
    };

/**
 * Prepares a workspace with the user's commands, one after the other, up to the first that fails. What a command leaves
 * running is ended with it: an agent meets files and a database, no servers.
 * @throws MultirunError `infra` where a command could not be run at all
 */
export async function runSetup(options: SetupOptions): Promise<SetupResult> {
  const { commands, paths, environment, ...supervision } = options;
  const folder = join(paths.out, "setup");
  await mkdir(folder, { recursive: true });
  for (const [index, command] of commands.entries()) {
    const log = join(folder, `${index + 1}.log`);
    const program = { shell: command };
    const end = await runProgram({ ...supervision, program, cwd: paths.repo, environment, output: { stdout: log } });
    if (end.exitCode === 0 && !end.timedOut && !end.cancelled) continue;
    const shown = shorten(redact(command, options.secrets), 80);
    const reason = `setup command "${shown}" ${describeEnd(end, options.timeoutMs)}`;
    return { ok: false, reason, tail: await tailOf(log, options.secrets), cancelled: end.cancelled };
  }
  return { ok: true };
}
