import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ProcessIdentity } from "../clients/processes.js";
import { codeOf } from "../model/error.js";

export interface LeaseOptions {
  /** Folder of the leases of one experiment. */
  folder: string;
  owner: ProcessIdentity;
  now: () => number;
  /** True where that process still runs. Only asked about processes of this boot. */
  isAlive: (owner: ProcessIdentity) => Promise<boolean>;
  /** A lease that was not renewed for this long may be taken over, in milliseconds. */
  ttlMs?: number;
}

export interface Lease {
  name: string;
  /** 1 for the first holder; each take-over is one more. Names what the holder makes, so that two never share. */
  epoch: number;
  /** All holders from this epoch on are known to be dead: nobody else will touch what they made. */
  inheritsFrom: number;
  /** Puts the lease off by its full time. False where it was taken over: the holder must stop. */
  renew(): Promise<boolean>;
  giveBack(): Promise<void>;
}

const content = z.strictObject({
  pid: z.number().int(),
  startTime: z.number(),
  boot: z.string(),
  state: z.enum(["held", "given_back"]),
});
type Content = z.infer<typeof content>;

export const defaultLeaseMs = 20_000;

/**
 * Claims of one experiment, as files `<name>.<epoch>.json`. The highest epoch is the holder. A claim is one `link` to
 * the next epoch, which the file system lets exactly one process make; a lease is the file's time of change. Nothing is
 * ever deleted or overwritten by another process, so a slow holder can always find out that it has been replaced.
 */
export interface Leases {
  /** @returns undefined while somebody else holds it */
  claim(name: string): Promise<Lease | undefined>;
  /** Names that somebody holds and keeps alive. */
  held(): Promise<string[]>;
}

/** Opens the leases of one experiment; the folder is made where it lacks. */
export async function openLeases(options: LeaseOptions): Promise<Leases> {
  await mkdir(options.folder, { recursive: true });
  return {
    claim: (name) => claim(name, options),
    async held() {
      const newest = await newestEpochs(options.folder);
      const states = await Promise.all(
        [...newest].map(async ([name, epoch]) => ({ name, ...(await standing(name, epoch, options)) })),
      );
      return states.filter((each) => each.held).map((each) => each.name);
    },
  };
}

async function claim(name: string, options: LeaseOptions): Promise<Lease | undefined> {
  const newest = (await newestEpochs(options.folder)).get(name) ?? 0;
  if (newest > 0 && (await standing(name, newest, options)).held) return undefined;
  const epoch = newest + 1;
  if (!(await linkNew(leaseFile(options.folder, name, epoch), { ...options.owner, state: "held" }))) return undefined;
  let inheritsFrom = epoch;
  while (inheritsFrom > 1 && (await standing(name, inheritsFrom - 1, options)).ownerDead) inheritsFrom -= 1;
  return createLease(name, epoch, inheritsFrom, options);
}

function createLease(name: string, epoch: number, inheritsFrom: number, options: LeaseOptions): Lease {
  const path = leaseFile(options.folder, name, epoch);
  const replaced = async (): Promise<boolean> => ((await newestEpochs(options.folder)).get(name) ?? 0) > epoch;
  return {
    name,
    epoch,
    inheritsFrom,
    async renew() {
      if (await replaced()) return false;
      const at = new Date(options.now());
      try {
        await utimes(path, at, at);
      } catch (error) {
        // The experiment folder was removed under us: whoever did that does not want the work any more.
        if (codeOf(error) === "ENOENT") return false;
        throw error;
      }
      return !(await replaced());
    },
    async giveBack() {
      await writeFile(path, JSON.stringify({ ...options.owner, state: "given_back" } satisfies Content)).catch(
        (error: unknown) => {
          if (codeOf(error) !== "ENOENT") throw error;
        },
      );
    },
  };
}

/** Whether an epoch still counts: neither given back, nor run out, nor left by a process that has died. */
async function standing(
  name: string,
  epoch: number,
  options: LeaseOptions,
): Promise<{ held: boolean; ownerDead: boolean }> {
  const path = leaseFile(options.folder, name, epoch);
  const [text, stats] = await Promise.all([readFile(path, "utf8"), stat(path)]);
  const fresh = options.now() - stats.mtimeMs < (options.ttlMs ?? defaultLeaseMs);
  const read = content.safeParse(safeJson(text));
  if (!read.success) return { held: fresh, ownerDead: false };
  // A process of another boot may run on another machine: only time tells.
  const ownerDead = read.data.boot === options.owner.boot && !(await options.isAlive(read.data));
  return { held: read.data.state === "held" && fresh && !ownerDead, ownerDead };
}

async function linkNew(path: string, value: Content): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeFile(temporary, JSON.stringify(value), { flag: "wx" });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function newestEpochs(folder: string): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  const entries = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries) {
    const match = /^(.+)\.(\d+)\.json$/.exec(entry);
    if (match?.[1] && match[2]) newest.set(match[1], Math.max(newest.get(match[1]) ?? 0, Number(match[2])));
  }
  return newest;
}

function leaseFile(folder: string, name: string, epoch: number): string {
  return join(folder, `${name}.${epoch}.json`);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
