import { spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { readIfThere } from "../../clients/files.js";
import { startTimeOf } from "../../clients/processes.js";
import type { Deps } from "../../model/deps.js";
import { codeOf, MultirunError } from "../../model/error.js";
import type { ServerUser } from "./server-user.js";

export interface StartOptions {
  program: string;
  /** Data folder, made by initdb. */
  data: string;
  log: string;
  port: number;
  user: ServerUser | undefined;
  /** All the server gets to know of the caller's. */
  environment: Record<string, string>;
  deps: Pick<Deps, "now" | "sleep">;
}

/**
 * Nothing here outlives the experiment, so nothing is made to survive a power cut, and nothing listens but loopback.
 * Commits stay synchronous: without fsync that costs next to nothing, while a killed server would otherwise come back
 * without the last half second of a base that is marked as ready.
 */
const settings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300",
  // Parallel workers need /dev/shm, which containers keep small.
  max_parallel_workers_per_gather: "0",
  TimeZone: "UTC",
  log_timezone: "UTC",
  // Statements may hold secrets of the user's.
  log_statement: "none",
  log_min_error_statement: "panic",
  log_min_duration_statement: "-1",
  log_checkpoints: "off",
};
export const maxConnections = Number(settings["max_connections"]);

/** Recovery of a killed server included: one that is given up loses its databases. */
const startPatienceMs = 60_000;
const stopPatienceMs = 5_000;
const pollMs = 10;

/**
 * Starts the server as a session of its own, as it must outlive this process, and waits until it takes connections.
 * @throws MultirunError `infra` with the end of the server's log
 */
export async function startPostmaster(options: StartOptions): Promise<void> {
  const { deps, data } = options;
  const log = await open(options.log, "a", 0o600);
  const from = (await log.stat()).size;
  const child = spawn(options.program, ["-D", data, ...flags({ ...settings, port: String(options.port) })], {
    cwd: "/",
    env: options.environment,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
  });
  let ended: string | undefined;
  child.on("error", (error) => {
    ended = error.message;
  });
  child.on("exit", (code, signal) => {
    ended = `it ended with ${signal ?? code}`;
  });
  child.unref();
  await log.close();
  for (const deadline = deps.now() + startPatienceMs; !(await isReady(data, child.pid)); await deps.sleep(pollMs)) {
    if (ended === undefined && deps.now() < deadline) continue;
    if (ended === undefined) child.kill("SIGQUIT");
    const tail = (await readFile(options.log, "utf8")).slice(from).trim().split("\n").slice(-5).join("\n");
    throw new MultirunError("infra", `Embedded Postgres did not start: ${ended ?? "no answer"}. ${tail}`, {
      hint: `Read ${options.log}.`,
    });
  }
}

function flags(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

/** Line 1 of postmaster.pid is the process, line 8 its state (pidfile.h). */
async function isReady(data: string, pid: number | undefined): Promise<boolean> {
  const lines = ((await readIfThere(join(data, "postmaster.pid"))) ?? "").split("\n");
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

/** The server that runs on a data folder. A number alone could be a stranger's: its command line must name the folder. */
async function findPostmaster(data: string): Promise<{ pid: number; startTime: number } | undefined> {
  const pid = Number(((await readIfThere(join(data, "postmaster.pid"))) ?? "").split("\n")[0]);
  if (!Number.isInteger(pid) || pid < 2) return undefined;
  const startTime = startTimeOf(pid);
  if (startTime === undefined || !(await runsOn(pid, data))) return undefined;
  return { pid, startTime };
}

async function runsOn(pid: number, data: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  return ((await readIfThere(`/proc/${pid}/cmdline`)) ?? "").split("\0").includes(data);
}

/**
 * Stops the server on a data folder at once and without saving anything; tolerates that none runs.
 * @throws MultirunError `infra` when even SIGKILL does not end it in time
 */
export async function stopPostmaster(data: string, deps: Pick<Deps, "now" | "sleep">): Promise<void> {
  const running = await findPostmaster(data);
  if (!running) return;
  // SIGQUIT is Postgres' "immediate" stop; its children end with it, and with SIGKILL they notice within moments.
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    send(running.pid, signal);
    for (const deadline = deps.now() + stopPatienceMs; deps.now() < deadline; await deps.sleep(pollMs)) {
      if (startTimeOf(running.pid) !== running.startTime) return;
    }
  }
  throw new MultirunError("infra", `Embedded Postgres (process ${running.pid}) does not end`, {
    hint: `End process ${running.pid}, then remove ${data}.`,
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** A file of a dead server keeps a new one from starting where its number now is somebody else's. */
export async function forgetDeadPostmaster(data: string): Promise<void> {
  if (!(await findPostmaster(data))) await rm(join(data, "postmaster.pid"), { force: true });
}

/** A port that was free a moment ago; `wanted` if that one is. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await tryPort(wanted)) !== undefined) return wanted;
  const port = await tryPort(0);
  if (port === undefined)
    throw new MultirunError("infra", "No port is free on 127.0.0.1", { hint: "Close some programs." });
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : undefined));
    });
  });
}
