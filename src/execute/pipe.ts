import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import { execa } from "execa";
import { MultirunError } from "../model/error.js";

const chunkBytes = 64 * 1024;

/** One end for a program to write into, the other read here. */
export interface Pipe {
  /** File descriptor for the program; `started` closes our copy of it. */
  input: number;
  started(): void;
  /** Resolves when every writer is gone, or after the deadline, where one that could not be ended holds on. */
  drained(deadlineMs: number): Promise<void>;
}

/** `onread` has been an option of sockets on open descriptors since Node 12; its types know it for connections only. */
type ReadingOptions = SocketConstructorOpts & Pick<ConnectOpts, "onread">;

export type Listener = (chunk: Uint8Array) => void;

/**
 * One real pipe for each listener. What Node makes for `stdio: "pipe"` is a socket, on which `echo oops > /dev/stderr`
 * fails: a check would fail here and nowhere else. Everything is read into one reused buffer, so that memory does not
 * grow with the output.
 * @param path where names beginning so are free for a moment
 * @throws MultirunError `infra`
 */
export async function openPipes(listeners: readonly Listener[], path: string, searchPath: string): Promise<Pipe[]> {
  const wanted = listeners.map((listener) => ({ name: `${path}.${randomUUID()}`, listener }));
  const pipes: Pipe[] = [];
  try {
    // One call for all: starting a program is what a pipe costs.
    await makeFifos(
      wanted.map(({ name }) => name),
      searchPath,
    );
    for (const { name, listener } of wanted) pipes.push(openPipe(name, listener));
    return pipes;
  } catch (error) {
    await Promise.all(pipes.map((pipe) => pipe.drained(0)));
    throw error;
  } finally {
    for (const { name } of wanted) rmSync(name, { force: true });
  }
}

function openPipe(name: string, onChunk: Listener): Pipe {
  const [output, input] = openBothEnds(name);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return true;
  };
  const options: ReadingOptions = { fd: output, readable: true, writable: false, onread: { buffer, callback } };
  const socket = new Socket(options);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  socket.resume();
  let open = true;
  const started = () => {
    if (open) closeSync(input);
    open = false;
  };
  const drained = async (deadlineMs: number) => {
    started();
    const timer = setTimeout(() => socket.destroy(), deadlineMs);
    await closed;
    clearTimeout(timer);
  };
  return { input, started, drained };
}

/** The reader first, without waiting for a writer; then the writer, which finds a reader and need not wait either. */
function openBothEnds(name: string): [output: number, input: number] {
  const output = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  return [output, openSync(name, constants.O_WRONLY)];
}

async function makeFifos(names: readonly string[], searchPath: string): Promise<void> {
  const env = { PATH: searchPath };
  const result = await execa("mkfifo", ["-m", "600", ...names], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
  });
  if (!result.failed) return;
  throw new MultirunError("infra", `no pipe could be made for a program's output: ${result.shortMessage}`, {
    hint: "mkfifo must be on PATH, and the experiment's folder on a file system that knows pipes.",
    cause: result,
  });
}
