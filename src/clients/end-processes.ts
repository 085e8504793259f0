import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "../model/error.js";
import { isAlive, type RunningProcess, startTimeOf } from "./processes.js";

export interface EndOptions {
  /** Milliseconds between the friendly signal (TERM) and the one nobody can refuse (KILL). */
  graceMs: number;
  /** Milliseconds after the grace until we give up on what does not die. */
  deadlineMs?: number;
  /** The leader of a group that is ours: its group is signalled as a whole, too, because no fork escapes that. */
  leader?: { pid: number; startTime: number };
  /**
   * Those that do not hear the friendly signal: a sandbox would take all it holds with it. They end when what they hold
   * has ended, or with everything else.
   */
  spare?: (each: RunningProcess) => boolean;
}

const defaultDeadlineMs = 5_000;
const firstPollMs = 5;
const longestPollMs = 100;

/**
 * TERM → grace → KILL, until a search finds nothing left. Before KILL everything is frozen with STOP and searched again
 * until nothing new appears: what is frozen cannot fork, so a fork bomb cannot outrun us.
 * Start times are checked just before each signal, so that nobody is hit who got the number of one that died.
 * @param find the search, which must leave out ourselves and our ancestors as `listMarked` and `familyOf` do
 * @returns what could not be ended: other users' processes, or ones stuck in the kernel
 */
export async function endProcesses<T extends RunningProcess>(find: () => T[], options: EndOptions): Promise<T[]> {
  const left = await terminate(find, options);
  if (left.length > 0) return kill(find, options);
  // A search can miss one that forks and exits all the time.
  if (options.leader) signalGroup(options.leader, "SIGKILL");
  return [];
}

async function terminate<T extends RunningProcess>(find: () => T[], options: EndOptions): Promise<T[]> {
  const until = performance.now() + options.graceMs;
  for (;;) {
    const found = find();
    if (found.length === 0 || performance.now() >= until) return found;
    if (options.spare) for (const each of found.filter((one) => !options.spare?.(one))) signal(each, "SIGTERM");
    else signalAll(found, "SIGTERM", options);
    await untilGone(found, until);
  }
}

async function kill<T extends RunningProcess>(find: () => T[], options: EndOptions): Promise<T[]> {
  const until = performance.now() + (options.deadlineMs ?? defaultDeadlineMs);
  for (;;) {
    const found = await freeze(find, until);
    signalAll(found, "SIGKILL", options);
    await untilGone(found, until);
    const left = find();
    if (left.length === 0 || performance.now() >= until) return left;
  }
}

/** Stops everything found, again and again, until a search finds only what is stopped already. */
async function freeze<T extends RunningProcess>(find: () => T[], until: number): Promise<T[]> {
  const frozen = new Set<string>();
  for (;;) {
    const found = find();
    const fresh = found.filter((each) => !frozen.has(keyOf(each)));
    if (fresh.length === 0 || performance.now() >= until) return found;
    for (const each of fresh) {
      signal(each, "SIGSTOP");
      frozen.add(keyOf(each));
    }
    await wait(0); // Thousands of processes take a while: leases are renewed meanwhile.
  }
}

/** Looks only at the known ones, which is cheap; the search for others comes after. */
async function untilGone(known: readonly RunningProcess[], until: number): Promise<void> {
  let pollMs = firstPollMs;
  while (performance.now() < until && known.some((each) => isAlive(each.pid, each.startTime))) {
    await wait(Math.max(1, Math.min(pollMs, until - performance.now())));
    pollMs = Math.min(pollMs * 2, longestPollMs);
  }
}

function signalAll(targets: readonly RunningProcess[], name: NodeJS.Signals, { leader }: EndOptions): void {
  const together = leader !== undefined && targets.some((each) => each.group === leader.pid);
  if (together) signalGroup(leader, name);
  for (const each of targets) if (!together || each.group !== leader.pid) signal(each, name);
}

/** While a group lives its number is given to no process. Whoever has it with another start time leads a new group. */
function signalGroup(leader: { pid: number; startTime: number }, name: NodeJS.Signals): void {
  const holder = startTimeOf(leader.pid);
  if (leader.pid > 1 && (holder === undefined || holder === leader.startTime)) send(-leader.pid, name);
}

function signal(target: RunningProcess, name: NodeJS.Signals): void {
  if (target.pid <= 1 || target.pid === process.pid || !isAlive(target.pid, target.startTime)) return;
  send(target.pid, name);
}

function send(to: number, name: NodeJS.Signals): void {
  try {
    process.kill(to, name);
  } catch (error) {
    // ESRCH: it died by itself. EPERM: another user's, which the last search reports.
    if (codeOf(error) !== "ESRCH" && codeOf(error) !== "EPERM") throw error;
  }
}

function keyOf(each: RunningProcess): string {
  return `${each.pid}:${each.startTime}`;
}
