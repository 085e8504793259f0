import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A living process. A zombie is dead and never listed. */
export interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Opaque. With the pid and `bootId()` it names one process for ever, while a pid alone is given out again. */
  startTime: number;
  /** What the process calls itself: untrusted, printable ASCII. */
  name: string;
  /** Milliseconds of processor time, its ended children's included; 0 elsewhere than on Linux. */
  cpuMs: number;
}

/** The variables by which a run's processes are known, with the exact values wanted. */
export interface Marks {
  experiment?: string;
  run?: string;
  /** Tells two attempts of one run apart: each has a task file of its own. */
  taskFile?: string;
  /** The experiment's work folder, where the process is nobody's in particular. */
  work?: string;
}

export interface MarkedProcess extends RunningProcess {
  experiment: string;
  /** Undefined for what the whole experiment shares. */
  run: string | undefined;
  /** The experiment's work folder, by what the process was told; untrusted. */
  work: string | undefined;
}

const linux = process.platform === "linux";

/**
 * Every living process but the first, ourselves and our ancestors: none of these may ever be ended.
 * Elsewhere than on Linux it is read with `ps`, which knows no sessions: they are taken to equal the group.
 */
export function livingProcesses(): RunningProcess[] {
  const table = linux ? readProc() : readPs();
  const spared = ancestry(table);
  return table.filter((each) => each.pid > 1 && !spared.has(each.pid));
}

/**
 * Processes that carry our variables in the environment they were started with, and their descendants.
 * Not covered: other users' processes where we may not look; a process that left its parents with an emptied
 * environment (only a sandbox holds that one); anything at all elsewhere than on Linux.
 */
export function listMarked(filter: Marks): MarkedProcess[] {
  const table = livingProcesses();
  const found = new Map<number, MarkedProcess>();
  for (const each of table) {
    const marks = readMarks(each.pid);
    if (marks?.experiment === undefined || !carries(marks, filter)) continue;
    const { experiment, run } = marks;
    const work = marks.work ?? (marks.taskFile && dirname(dirname(marks.taskFile)));
    for (const member of withDescendants([each], table)) {
      if (member === each || !found.has(member.pid)) found.set(member.pid, { ...member, experiment, run, work });
    }
  }
  return [...found.values()];
}

/**
 * What belongs to a program we started as leader of a session: its group, its session, whoever carries the marks, and
 * the descendants of all these. Keep the returned function and call it as often as needed: it stops trusting the number
 * of the group for good once it has seen the group empty, because from then on the number may be a stranger's.
 */
export function familyOf(
  leader: Pick<RunningProcess, "pid" | "startTime">,
  marks: Marks | undefined,
): () => RunningProcess[] {
  const { pid } = leader;
  let groupLives = true;
  return () => {
    const table = livingProcesses();
    const members = groupLives ? table.filter((each) => each.group === pid || each.session === pid) : [];
    groupLives = members.length > 0;
    // Nobody in the family is older than its head; on a busy machine that spares most of the reading.
    const younger = marks ? table.filter((each) => each.startTime >= leader.startTime) : [];
    const marked = younger.filter((each) => carries(readMarks(each.pid), marks ?? {}));
    return withDescendants([...members, ...marked], table);
  };
}

/** True while this very process lives, and not another one that was given its number. */
export function isAlive(pid: number, startTime: number): boolean {
  return startTimeOf(pid) === startTime;
}

/** Undefined where no such process lives; see `RunningProcess.startTime`. */
export function startTimeOf(pid: number): number | undefined {
  if (linux) return readStat(pid)?.startTime;
  return readPs().find((each) => each.pid === pid)?.startTime;
}

/** Changes with every start of the machine. Elsewhere than on Linux start times are absolute and need no such thing. */
export function bootId(): string {
  return linux ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : "absolute";
}

/** Names one process for ever: a pid alone is given out again. */
export interface ProcessIdentity {
  pid: number;
  startTime: number;
  boot: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? 0, boot: bootId() };
}

function carries(marks: Marks | undefined, wanted: Marks): boolean {
  if (!marks) return false;
  return (["experiment", "run", "taskFile"] as const).every(
    (key) => wanted[key] === undefined || wanted[key] === marks[key],
  );
}

function readMarks(pid: number): Marks | undefined {
  let text: string;
  try {
    text = linux ? readFileSync(`/proc/${pid}/environ`, "utf8") : "";
  } catch {
    return undefined; // Gone meanwhile, or not ours to look into.
  }
  const marks: Marks = {};
  for (const entry of text.split("\0")) {
    if (entry.startsWith("MULTIRUN_EXPERIMENT=")) marks.experiment ??= valueIn(entry);
    if (entry.startsWith("MULTIRUN_RUN=")) marks.run ??= valueIn(entry);
    if (entry.startsWith("MULTIRUN_TASK_FILE=")) marks.taskFile ??= valueIn(entry);
    if (entry.startsWith("MULTIRUN_WORK=")) marks.work ??= valueIn(entry);
  }
  return marks;
}

function valueIn(entry: string): string {
  return entry.slice(entry.indexOf("=") + 1);
}

function withDescendants(roots: readonly RunningProcess[], table: readonly RunningProcess[]): RunningProcess[] {
  const family = new Map(roots.map((each) => [each.pid, each]));
  // A map hands out what is added while it is walked.
  for (const pid of family.keys()) {
    for (const each of table) if (each.parent === pid && !family.has(each.pid)) family.set(each.pid, each);
  }
  return [...family.values()];
}

/** Ourselves and everyone above us. */
function ancestry(table: readonly RunningProcess[]): Set<number> {
  const parents = new Map(table.map((each) => [each.pid, each.parent]));
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && !line.has(pid); pid = parents.get(pid)) {
    line.add(pid);
  }
  return line;
}

function readProc(): RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => readStat(Number(pid))).filter((each) => each !== undefined);
}

/** proc_pid_stat(5): the name stands in brackets and may itself hold brackets and spaces. */
function readStat(pid: number): RunningProcess | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // No such process any more.
  }
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  if (isDead(fields[0])) return undefined;
  const [parent, group, session] = fields.slice(1, 4).map(Number);
  const startTime = Number(fields[19]);
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  if (parent === undefined || group === undefined || session === undefined) return undefined;
  const name = printable(text.slice(text.indexOf("(") + 1, nameEnd));
  return { pid, parent, group, session, startTime, name, cpuMs: ticks * tickMs };
}

/**
 * The table as `ps` gives it, on any Unix. Start times are in whole seconds, so that a number given out again within the
 * same second is taken for the same process.
 */
export function readPs(): RunningProcess[] {
  const args = ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart=,comm="];
  const text = execFileSync("ps", args, { encoding: "utf8", env: { PATH: "/bin:/usr/bin", LC_ALL: "C" } });
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/gm;
  return [...text.matchAll(line)]
    .filter((match) => !isDead(match[4]))
    .map(([, pid, parent, group, , started, name]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      startTime: Date.parse(started ?? "") / 1_000,
      name: printable(name ?? ""),
      cpuMs: 0,
    }));
}

/** Linux counts processor time in hundredths of a second, whatever its own clock is (USER_HZ). */
const tickMs = 10;

/**
 * Bytes a process has sent to a disk, its ended children's included; 0 where we may not look. What it wrote to pipes, and to
 * the signals a runtime sends itself, is not among them.
 */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function isDead(state: string | undefined): boolean {
  return state === undefined || state.startsWith("Z") || state.startsWith("X");
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, "?");
}
