import { lstat, opendir } from "node:fs/promises";
import { bytesWritten, type RunningProcess } from "../clients/processes.js";

/** How long a program may be silent, and where else than in itself its life shows. */
export interface Watch {
  /** Milliseconds without a sign of life. */
  stallMs: number;
  /** The same as long as there has been nothing but processor time. */
  firstSignMs: number;
  /** Numbers that grow while it works, such as bytes to and from its model. */
  signs: readonly (() => number)[];
  /** Folder whose files it is to change. */
  workspace: string;
}

export interface WatchOptions extends Watch {
  /** All its processes. */
  find: () => readonly RunningProcess[];
  /** Bytes it has printed. */
  written: () => number;
}

export interface Life {
  /** Milliseconds without a sign, once they are too many; never resolves where it goes on. */
  stalled: Promise<number>;
  end(): void;
}

const longestPollMs = 30_000;
/** Looks within the shorter limit: a stall is noticed late by at most so much of it. */
const looks = 20;
/** A share of one processor's time: what waits for something, however busily it looks for it, uses less. */
const busyShare = 0.05;

/**
 * Asks now and then what a program really does, and never what it says of itself. A sign of life is: a byte printed; a
 * number of `signs` that has grown; bytes written to files by its processes; processor time above 5 % of the time since
 * the last look. Before it is given up the files of its workspace are looked at, too.
 *
 * What is printed is looked at first: of a program that talks nothing else is asked. Elsewhere than on Linux neither
 * processor time nor bytes written are known: what is printed, the model and the workspace must do.
 */
export function watchLife(options: WatchOptions): Life {
  const { stallMs, firstSignMs, written, signs } = options;
  const pollMs = Math.max(20, Math.min(longestPollMs, Math.min(stallMs, firstSignMs) / looks));
  const talk = () => [written(), ...signs.map((sign) => sign())].join(" ");
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const stalled = new Promise<number>((resolve, reject) => {
    // Silence is counted by a clock that nobody sets; files carry the time of the other one.
    let lastSign = performance.now();
    let lastSignAt = Date.now();
    let hasTalked = false;
    const sign = (): false => {
      lastSign = performance.now();
      lastSignAt = Date.now();
      return false;
    };
    let heard = talk();
    let seen = work(options.find());
    const look = async (): Promise<boolean> => {
      const now = performance.now();
      const said = talk();
      if (said !== heard) {
        heard = said;
        hasTalked = true;
        return sign();
      }
      const worked = work(options.find());
      const sinceMs = now - seen.at;
      // Processes that ended took their counts along: less than before is as much a sign as more.
      const wrote = worked.bytes !== seen.bytes;
      const busy = Math.abs(worked.cpuMs - seen.cpuMs) > busyShare * sinceMs;
      seen = worked;
      if (wrote || busy) {
        hasTalked ||= wrote;
        return sign();
      }
      if (now - lastSign < (hasTalked ? stallMs : firstSignMs)) return false;
      if (!(await hasChangedSince(options.workspace, lastSignAt))) return true;
      hasTalked = true;
      return sign();
    };
    const next = (): void => {
      timer = setTimeout(() => {
        look().then((over) => {
          if (over) resolve(Math.round(performance.now() - lastSign));
          else if (!ended) next();
        }, reject);
      }, pollMs);
      timer.unref();
    };
    next();
  });
  return {
    stalled,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

function work(processes: readonly RunningProcess[]): { at: number; cpuMs: number; bytes: number } {
  return {
    at: performance.now(),
    cpuMs: processes.reduce((sum, each) => sum + each.cpuMs, 0),
    bytes: processes.reduce((sum, each) => sum + bytesWritten(each.pid), 0),
  };
}

const slash = Buffer.from("/");
/** Node's types know names as text only. */
const namesAsBytes = { encoding: "buffer" as BufferEncoding };

/** A tree larger than this is not looked through to its end: it then counts as unchanged where nothing was found. */
const mostEntries = 200_000;

/**
 * True where a file or folder has changed, looked for only when everything else is silent. Names are read as bytes: an
 * agent may give a folder one that is no text, and go on working in it.
 */
async function hasChangedSince(folder: string, time: number): Promise<boolean> {
  const changed = async (path: Buffer) => {
    const stats = await lstat(path).catch(() => undefined);
    return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) > time;
  };
  const top = Buffer.from(folder);
  if (await changed(top)) return true;
  const open = [top];
  for (let entries = 0; entries < mostEntries; ) {
    const path = open.pop();
    if (path === undefined) return false;
    for await (const entry of await opendir(path, namesAsBytes).catch(() => [])) {
      if (++entries > mostEntries) return false;
      const at = Buffer.concat([path, slash, entry.name as unknown as Buffer]);
      if (await changed(at)) return true;
      if (entry.isDirectory()) open.push(at);
    }
  }
  return false;
}
