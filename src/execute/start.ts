import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { startTimeOf } from "../clients/processes.js";
import { codeOf, MultirunError, messageOf } from "../model/error.js";
import type { Executable, Wrap } from "../model/sandbox.js";
import type { Output } from "./output.js";

/** A person's own command line for `/bin/sh -c`, or a program with its arguments and no shell between. */
export type Program = { shell: string } | Executable;

export interface StartOptions {
  program: Program;
  /** Puts it into a sandbox; without one it can do what we can. */
  wrap?: Wrap | undefined;
  cwd: string;
  /** All the program gets; nothing is added. Its MULTIRUN_ variables are how strays are found. */
  environment: Readonly<Record<string, string>>;
  /** A file to read as standard input; without it there is none. A file cannot break or fill up as a pipe can. */
  stdin?: string;
}

export interface StartedProgram {
  pid: number;
  /** As `startTimeOf` gives it; 0 where the program had ended before we could look. */
  startTime: number;
}

export interface Exit {
  exitCode: number | null;
  signal: string | null;
  /** `performance.now()` when the program itself had ended. */
  at: number;
}

export interface Start {
  started: StartedProgram;
  exit: Promise<Exit>;
}

/**
 * Starts a program as leader of a session and a group of its own.
 * @throws MultirunError `infra` where it cannot be started
 */
export async function start(options: StartOptions, output: Output): Promise<Start> {
  const { cwd, environment, program, wrap } = options;
  const plain = "shell" in program ? { file: "/bin/sh", args: ["-c", program.shell] } : program;
  const { file, args } = wrap ? wrap(plain) : plain;
  const stdin = options.stdin === undefined ? undefined : openSync(options.stdin, constants.O_RDONLY);
  try {
    const stdio: StdioOptions = [stdin ?? "ignore", output.stdout, output.stderr];
    const child = spawn(file, args, { cwd, env: { ...environment }, detached: true, stdio });
    const pid = child.pid ?? (await refusal(child));
    return { started: { pid, startTime: startTimeOf(pid) ?? 0 }, exit: exitOf(child) };
  } catch (error) {
    throw notStarted(file, cwd, error);
  } finally {
    output.started();
    if (stdin !== undefined) closeSync(stdin);
  }
}

/** A child without a pid was not started; its error says why. */
function refusal(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => child.once("error", reject));
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // Not "close": that waits for everyone who holds the output.
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, at: performance.now() }));
  });
}

function notStarted(file: string, cwd: string, error: unknown): MultirunError {
  const code = codeOf(error) ?? "";
  const reason = existsSync(cwd) ? (spawnErrors[code] ?? messageOf(error)) : `there is no folder ${cwd}`;
  return new MultirunError("infra", `${file} could not be started: ${reason}`, {
    hint: "Start it by hand in the same folder to see what it lacks.",
    cause: error,
  });
}

const spawnErrors: Record<string, string> = {
  ENOENT: "there is no such program, or the interpreter named in its first line is missing",
  EACCES: "it is not executable, or lies in a folder that may not be read",
  E2BIG: "its arguments and environment are too long",
  EAGAIN: "the limit of processes is reached",
};
