import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Usage } from "../model/agent.js";
import type { Variant } from "../model/experiment.js";
import type { ProgramEnd, RunOutcome } from "../model/record.js";
import { redact, type Secret } from "../model/secret.js";
import { shorten } from "../model/text.js";
import type { Agent, Invocation } from "./agents/adapter.js";
import { describeEnd } from "./describe.js";
import type { RunPaths } from "./environment.js";
import { type ProgramOptions, runProgram, type Supervision } from "./program.js";
import { plainText, tailOf } from "./tail.js";
import { type Told, Trace } from "./trace.js";

export interface AgentOptions extends Omit<Supervision, "graceMs"> {
  /** How the agent is started, perhaps inside a sandbox, and how what it prints is read. */
  invocation: Invocation;
  parser: Agent["parser"];
  variant: Pick<Variant, "timeoutMs" | "graceMs" | "stallMs" | "firstSignMs">;
  /** What grows while the agent's model is at work. */
  signs?: readonly (() => number)[];
  /** All that the agent reads. */
  task: string;
  paths: Pick<RunPaths, "repo" | "home" | "taskFile" | "out">;
  /** What every program of the run gets; the invocation's own is put on top. */
  environment: Readonly<Record<string, string>>;
}

export interface AgentResult {
  end: ProgramEnd;
  outcome: Extract<RunOutcome, "completed" | "crashed" | "timed_out" | "stalled" | "cancelled">;
  /** In one sentence, where the outcome is not completed; safe to show. */
  reason: string | null;
  /** By its own account. */
  usage: Usage;
  /** How many times it says it was not allowed to do something. */
  denied: number;
}

/**
 * Runs an agent: task on standard input and in its task file, workspace as current directory, output in `stdout.log` and
 * `stderr.log` of the run's folder, what it says in `trace.jsonl` where it can be read.
 * @throws MultirunError `infra` where the agent could not be run at all
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  const { invocation, parser, variant, task, paths, environment, signs = [], ...supervision } = options;
  await writeAnew(paths.taskFile, task);
  for (const { path, content } of invocation.files) await writeAnew(join(paths.home, path), content);
  const output = { stdout: join(paths.out, "stdout.log"), stderr: join(paths.out, "stderr.log") };
  const { end, told } = await readWhile(options, {
    ...supervision,
    program: invocation,
    cwd: paths.repo,
    environment: { ...environment, ...invocation.environment },
    stdin: paths.taskFile,
    output,
    timeoutMs: variant.timeoutMs,
    graceMs: variant.graceMs,
    watch: { stallMs: variant.stallMs, firstSignMs: variant.firstSignMs, signs, workspace: paths.repo },
  });
  return {
    end,
    ...(await verdict(end, { told, timeoutMs: variant.timeoutMs, secrets: options.secrets, stderr: output.stderr })),
    usage: told?.usage ?? { costUsd: null, tokens: null },
    denied: told?.denied ?? 0,
  };
}

/** What the agent reads without an adapter of its own: the variant's prompt, an empty line, the task. */
export function taskText(prompt: string | null, task: string): string {
  return prompt === null ? task : `${prompt.trimEnd()}\n\n${task}`;
}

/** Runs the program and reads its stream while it comes; nothing is told where there is no parser. */
async function readWhile(
  { parser, paths, secrets }: AgentOptions,
  program: ProgramOptions,
): Promise<{ end: ProgramEnd; told: Told | null }> {
  if (parser === null) return { end: await runProgram(program), told: null };
  const trace = new Trace({ path: join(paths.out, "trace.jsonl"), parser: parser(), secrets });
  let end: ProgramEnd;
  try {
    end = await runProgram({ ...program, onStdout: (chunk) => trace.write(chunk) });
  } catch (error) {
    trace.close();
    throw error;
  }
  return { end, told: trace.close() };
}

/** Made anew, so that nothing that ran before can have left a link there. */
async function writeAnew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await writeFile(path, text, { flag: "wx" });
}

interface Evidence {
  told: Told | null;
  timeoutMs: number;
  secrets: readonly Secret[];
  /** Path of the log. */
  stderr: string;
}

/** An exit code of 0 is no success where the agent itself says otherwise, or never came to its last word. */
async function verdict(
  end: ProgramEnd,
  { told, timeoutMs, secrets, stderr }: Evidence,
): Promise<Pick<AgentResult, "outcome" | "reason">> {
  const ended = `the agent ${describeEnd(end, timeoutMs)}`;
  if (end.cancelled) return { outcome: "cancelled", reason: ended };
  if (end.timedOut) return { outcome: "timed_out", reason: ended };
  if (end.stalledMs !== undefined) return { outcome: "stalled", reason: ended };
  if (told?.result?.ok === false) {
    const text = redact(plainText(told.result.text), secrets);
    return { outcome: "crashed", reason: `the agent gave up${followed(text)}` };
  }
  if (end.exitCode !== 0) {
    return { outcome: "crashed", reason: `${ended}${followed(await tailOf(stderr, secrets, 1))}` };
  }
  if (told?.result === null) return { outcome: "crashed", reason: "the agent ended before it said that it was done" };
  return { outcome: "completed", reason: null };
}

function followed(words: string): string {
  const short = shorten(words, 200);
  return short === "" ? "" : `: ${short}`;
}
