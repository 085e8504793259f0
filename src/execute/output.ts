import type { ProgramEnd } from "../model/record.js";
import type { Secret } from "../model/secret.js";
import { CappedLog, type LogTotals } from "./capped-log.js";
import { openPipe, type Pipe } from "./pipe.js";

export interface OutputOptions {
  /** Files to create; they must not exist yet. Without `stderr` both streams go to `stdout`, in the order written. */
  files: { stdout: string; stderr?: string };
  /** Bytes kept of each stream: the first and the last half. */
  limitBytes: number;
  /** Kept out of the files. */
  secrets: readonly Secret[];
  /** Where to find `mkfifo`. */
  searchPath: string;
}

/** Where a program writes, from before it starts until its last writer is gone. */
export interface Output {
  /** File descriptors for the program. */
  stdout: number;
  stderr: number;
  /** The program has the descriptors: ours are closed. */
  started(): void;
  /**
   * Reads what is left, for at most `deadlineMs`, and closes the files.
   * @throws MultirunError `infra` where a file could not be written
   */
  close(deadlineMs: number): Promise<ProgramEnd["output"]>;
}

interface Stream {
  pipe: Pipe;
  log: CappedLog;
}

/** @throws MultirunError `infra` where no pipe can be made; an error of the file system where a file exists already */
export async function openOutput(options: OutputOptions): Promise<Output> {
  const stdout = await openStream(options.files.stdout, options);
  const stderr = await secondStream(stdout, options);
  const streams = [...new Set([stdout, stderr])];
  return {
    stdout: stdout.pipe.input,
    stderr: stderr.pipe.input,
    started() {
      for (const { pipe } of streams) pipe.started();
    },
    async close(deadlineMs) {
      await Promise.all(streams.map(({ pipe }) => pipe.drained(deadlineMs)));
      return summary(streams.map(({ log }) => log.close()));
    },
  };
}

async function secondStream(stdout: Stream, options: OutputOptions): Promise<Stream> {
  if (options.files.stderr === undefined) return stdout;
  try {
    return await openStream(options.files.stderr, options);
  } catch (error) {
    await stdout.pipe.drained(0);
    stdout.log.close();
    throw error;
  }
}

async function openStream(path: string, options: OutputOptions): Promise<Stream> {
  const log = new CappedLog(path, options.limitBytes, options.secrets);
  try {
    return { log, pipe: await openPipe(path, (chunk) => log.write(chunk), options.searchPath) };
  } catch (error) {
    log.close();
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
