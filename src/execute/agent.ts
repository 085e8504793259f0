import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Variant } from "../model/experiment.js";
import type { ProgramEnd, RunOutcome } from "../model/record.js";
import { describeEnd, shorten } from "./describe.js";
import type { RunPaths } from "./environment.js";
import { runProgram, type Supervision } from "./program.js";
import { tailOf } from "./tail.js";

export interface AgentOptions extends Omit<Supervision, "graceMs"> {
  variant: Pick<Variant, "command" | "prompt" | "timeoutMs" | "graceMs">;
  /** The experiment's task; the variant's prompt is put in front of it. */
  task: string;
  paths: Pick<RunPaths, "repo" | "taskFile" | "out">;
  environment: Readonly<Record<string, string>>;
}

export interface AgentResult {
  end: ProgramEnd;
  outcome: Extract<RunOutcome, "completed" | "crashed" | "timed_out" | "cancelled">;
  /** In one sentence, where the outcome is not completed; safe to show. */
  reason: string | null;
}

/**
 * Runs a command agent: task on standard input and in its task file, workspace as current directory, output in
 * `stdout.log` and `stderr.log` of the run's folder.
 * @throws MultirunError `infra` where the agent could not be run at all
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  const { variant, task, paths, environment, ...supervision } = options;
  await writeTask(paths.taskFile, taskText(variant.prompt, task));
  const output = { stdout: join(paths.out, "stdout.log"), stderr: join(paths.out, "stderr.log") };
  const end = await runProgram({
    ...supervision,
    program: { shell: variant.command },
    cwd: paths.repo,
    environment,
    stdin: paths.taskFile,
    output,
    timeoutMs: variant.timeoutMs,
    graceMs: variant.graceMs,
  });
  const outcome = outcomeOf(end);
  if (outcome === "completed") return { end, outcome, reason: null };
  const lastWords = outcome === "crashed" ? await tailOf(output.stderr, options.secrets, 1) : "";
  const reason = `the agent ${describeEnd(end, variant.timeoutMs)}`;
  return { end, outcome, reason: lastWords === "" ? reason : `${reason}: ${shorten(lastWords, 200)}` };
}

/** What the agent reads: the variant's prompt, an empty line, the task. */
export function taskText(prompt: string | null, task: string): string {
  return prompt === null ? task : `${prompt.trimEnd()}\n\n${task}`;
}

/** Made anew, so that nothing that ran before can have left a link there. */
async function writeTask(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: "wx" });
}

function outcomeOf(end: ProgramEnd): AgentResult["outcome"] {
  if (end.cancelled) return "cancelled";
  if (end.timedOut) return "timed_out";
  return end.exitCode === 0 ? "completed" : "crashed";
}
