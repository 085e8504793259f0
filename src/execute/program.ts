import { endProcesses } from "../clients/end-processes.js";
import { familyOf, isAlive, type Marks, type RunningProcess } from "../clients/processes.js";
import { MultirunError } from "../model/error.js";
import type { ProgramEnd } from "../model/record.js";
import type { Secret } from "../model/secret.js";
import { type Output, openOutput } from "./output.js";
import type { Listener } from "./pipe.js";
import { type Exit, type StartedProgram, type StartOptions, start } from "./start.js";
import { type Watch, watchLife } from "./watch.js";

export type { StartedProgram } from "./start.js";

/** What every program of a run is watched with. */
export interface Supervision extends Pick<StartOptions, "wrap"> {
  /** Milliseconds between TERM and KILL at the deadline and on cancel. */
  graceMs: number;
  /** Aborted: the program is cancelled. */
  signal?: AbortSignal;
  /** Kept out of its files and messages. */
  secrets: readonly Secret[];
  /** Called once the program runs; where it fails the program is ended and the error passed on. */
  onStart?: (started: StartedProgram) => void | Promise<void>;
  /** Called where something it left behind could not be ended. */
  onSurvivors?: (survivors: readonly RunningProcess[]) => void | Promise<void>;
}

export interface ProgramOptions extends StartOptions, Supervision {
  /** Files to create. Without `stderr` both streams go to `stdout`, in the order written. */
  output: { stdout: string; stderr?: string };
  /** Gets the program's standard output while it comes; see `OutputOptions`. */
  onStdout?: Listener;
  /** Bytes kept of each stream, 1 MiB unless said otherwise. */
  limitBytes?: number;
  timeoutMs: number;
  /** How long it may show no sign of life; without it only its deadline counts. */
  watch?: Watch;
}

export const defaultLimitBytes = 1024 * 1024;
const defaultSearchPath = "/usr/local/bin:/usr/bin:/bin";
/** For what is left when the program itself has ended: it had its time. */
const leftoverGraceMs = 500;
const drainMs = 2_000;

type Stop = "ended" | "timedOut" | "cancelled" | "failed" | { stalledMs: number };

/**
 * Runs one program as leader of its own session and gives back when it has ended, and with it all it started: the rest
 * of its group and session, descendants, and processes that carry its MULTIRUN_ variables wherever they went. What is
 * not found is a process that emptied its environment and lost its parents; only a sandbox holds that one.
 * @throws MultirunError `infra` where it could not be started, its output not be kept, or it outlived KILL
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  const output = await openOutput({
    files: options.output,
    limitBytes: options.limitBytes ?? defaultLimitBytes,
    secrets: options.secrets,
    searchPath: options.environment["PATH"] ?? defaultSearchPath,
    ...(options.onStdout ? { onStdout: options.onStdout } : {}),
  });
  let supervised: Supervised;
  try {
    supervised = options.signal?.aborted ? neverStarted : await supervise(options, output);
  } catch (error) {
    await output.close(0);
    throw error;
  }
  return { ...supervised, output: await output.close(drainMs) };
}

type Supervised = Omit<ProgramEnd, "output">;

const neverStarted: Supervised = {
  exitCode: null,
  signal: null,
  timedOut: false,
  cancelled: true,
  durationMs: 0,
};

async function supervise(options: ProgramOptions, output: Output): Promise<Supervised> {
  const begun = performance.now();
  const { started, exit } = await start(options, output);
  const find = familyOf(started, marksIn(options.environment));
  const noted = Promise.resolve(started).then((program) => options.onStart?.(program));
  const life = options.watch && watchLife({ ...options.watch, find, written: output.written });
  let stop: Stop = "failed";
  try {
    stop = await firstStop(exit, { noted, stalled: life?.stalled }, options);
  } finally {
    life?.end();
    const friendly = stop !== "ended" && stop !== "failed";
    const graceMs = friendly ? options.graceMs : leftoverGraceMs;
    const spare = options.wrap && { spare: holdsTheOthers(started) };
    const survivors = await endProcesses(find, { graceMs, leader: started, ...spare });
    if (survivors.length > 0) await options.onSurvivors?.(survivors);
  }
  if (isAlive(started.pid, started.startTime)) throw outlived(started);
  await noted;
  const { exitCode, signal, at } = await exit;
  const durationMs = Math.round(at - begun);
  const stalled = typeof stop === "object" ? stop : {};
  return { exitCode, signal, timedOut: stop === "timedOut", cancelled: stop === "cancelled", ...stalled, durationMs };
}

/** A sandbox is two processes, the one we started and the first one inside. */
function holdsTheOthers({ pid }: StartedProgram): (each: RunningProcess) => boolean {
  return (each) => each.pid === pid || (each.parent === pid && each.name === "bwrap");
}

/** What comes first: the program's own end, its deadline, the last sign of its life, or the wish to cancel it. */
async function firstStop(
  exit: Promise<Exit>,
  { noted, stalled }: { noted: Promise<void>; stalled: Promise<number> | undefined },
  options: ProgramOptions,
): Promise<Stop> {
  const { signal, timeoutMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  try {
    return await new Promise<Stop>((resolve, reject) => {
      cancel = () => resolve("cancelled");
      timer = setTimeout(() => resolve("timedOut"), timeoutMs);
      signal?.addEventListener("abort", cancel);
      if (signal?.aborted) cancel();
      exit.then(() => resolve("ended"), reject);
      stalled?.then((stalledMs) => resolve({ stalledMs }), reject);
      noted.catch(reject);
    });
  } finally {
    clearTimeout(timer);
    if (cancel) signal?.removeEventListener("abort", cancel);
  }
}

/** By these a stray of this program is known; without an experiment among them none is looked for. */
function marksIn(environment: Readonly<Record<string, string>>): Marks | undefined {
  const experiment = environment["MULTIRUN_EXPERIMENT"];
  const run = environment["MULTIRUN_RUN"];
  const taskFile = environment["MULTIRUN_TASK_FILE"];
  if (experiment === undefined || run === undefined) return undefined;
  return { experiment, run, ...(taskFile === undefined ? {} : { taskFile }) };
}

function outlived({ pid }: StartedProgram): MultirunError {
  return new MultirunError("infra", `process ${pid} outlived KILL`, {
    hint: "It is stuck in the kernel or belongs to another user; end it by hand, then resume.",
  });
}
