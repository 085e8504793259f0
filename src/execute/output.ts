import type { ProgramEnd } from "../model/record.js";
import type { Secret } from "../model/secret.js";
import { CappedLog, type LogTotals } from "./capped-log.js";
import { type Listener, openPipes } from "./pipe.js";

export interface OutputOptions {
  /** Files to create; they must not exist yet. Without `stderr` both streams go to `stdout`, in the order written. */
  files: { stdout: string; stderr?: string };
  /** Bytes kept of each stream: the first and the last half. */
  limitBytes: number;
  /** Kept out of the files. */
  secrets: readonly Secret[];
  /** Where to find `mkfifo`. */
  searchPath: string;
  /** Gets all that is written to `stdout`, too, unredacted and whole; must not throw, nor keep the chunk. */
  onStdout?: Listener;
}

/** Where a program writes, from before it starts until its last writer is gone. */
export interface Output {
  /** File descriptors for the program. */
  stdout: number;
  stderr: number;
  /** The program has the descriptors: ours are closed. */
  started(): void;
  /** Bytes it has written so far. */
  written(): number;
  /**
   * Reads what is left, for at most `deadlineMs`, and closes the files.
   * @throws MultirunError `infra` where a file could not be written
   */
  close(deadlineMs: number): Promise<ProgramEnd["output"]>;
}

/** @throws MultirunError `infra` where no pipe can be made; an error of the file system where a file exists already */
export async function openOutput(options: OutputOptions): Promise<Output> {
  const logs: CappedLog[] = [];
  try {
    const paths = [options.files.stdout, ...(options.files.stderr === undefined ? [] : [options.files.stderr])];
    for (const path of paths) logs.push(new CappedLog(path, options.limitBytes, options.secrets));
    const listeners = logs.map((log, index) => (chunk: Uint8Array) => {
      log.write(chunk);
      if (index === 0) options.onStdout?.(chunk);
    });
    const pipes = await openPipes(listeners, options.files.stdout, options.searchPath);
    const inputs = pipes.map(({ input }) => input);
    return {
      stdout: inputs[0] as number,
      stderr: inputs.at(-1) as number,
      started() {
        for (const pipe of pipes) pipe.started();
      },
      written: () => logs.reduce((sum, log) => sum + log.bytes, 0),
      async close(deadlineMs) {
        await Promise.all(pipes.map((pipe) => pipe.drained(deadlineMs)));
        return summary(logs.map((log) => log.close()));
      },
    };
  } catch (error) {
    for (const log of logs) log.close();
    throw error;
  }
}

function summary([stdout, stderr]: LogTotals[]): ProgramEnd["output"] {
  return {
    stdoutBytes: stdout?.bytes ?? 0,
    stderrBytes: stderr?.bytes ?? 0,
    droppedBytes: (stdout?.dropped ?? 0) + (stderr?.dropped ?? 0),
  };
}
