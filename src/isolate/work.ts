import { lstat, mkdir, readdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readArtifact, toJson, writeDurably } from "../clients/files.js";
import { removeTree } from "../clients/remove.js";
import { badInput, codeOf, messageOf } from "../model/error.js";
import { type ExperimentId, experimentId, isoTime } from "../model/ids.js";
import type { Held, Resource } from "./resource.js";

const markerName = ".multirun.json";
const prefix = "multirun-";

const workMarker = z.strictObject({
  version: z.literal(1),
  experiment: experimentId,
  /** Where the experiment's own files are: what `resume` and `sweep` need to go on from a forgotten work folder. */
  experimentFolder: z.string(),
  createdAt: isoTime,
});
export type WorkMarker = z.infer<typeof workMarker>;

export interface WorkOptions {
  experiment: ExperimentId;
  experimentFolder: string;
  /** Absolute path of the folder, `<temporary folder>/multirun-<experiment>`. */
  work: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The folder that holds what runs borrow on disk. It is ours where it belongs to this user and carries our marker. */
export function createWork(options: WorkOptions): Resource<void> {
  return {
    kind: "work",
    idFor: () => options.work,
    acquire: () => acquire(options),
    release: () => release(options),
    list: async () => {
      const marked = await listWork(dirname(options.work));
      const unmarked = !marked.some(({ path }) => path === options.work) && (await isUnfinished(options.work));
      const all = marked.map(({ path, marker }) => held(path, marker.experiment));
      return unmarked ? [...all, held(options.work, options.experiment)] : all;
    },
  };
}

export interface FoundWork {
  path: string;
  marker: WorkMarker;
}

/** Every work folder of this user in a temporary folder, whatever experiment it belongs to. */
export async function listWork(temporary: string): Promise<FoundWork[]> {
  const names = (await readdir(temporary)).filter((name) => name.startsWith(prefix)).sort();
  const found = await Promise.all(names.map((name) => findWork(join(temporary, name))));
  return found.filter((each) => typeof each === "object");
}

/** One work folder by its path; `foreign` where something is there that we cannot say is ours. */
export async function findWork(path: string): Promise<FoundWork | "foreign" | "gone"> {
  try {
    if (!(await isOwnFolder(path))) return (await isThere(path)) ? "foreign" : "gone";
    const marker = await readMarker(path);
    return marker ? { path, marker } : "foreign";
  } catch {
    return "foreign";
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function acquire(options: WorkOptions): Promise<void> {
  try {
    // Others may pass through (an agent can run as another user) and not look around.
    await mkdir(options.work, { mode: 0o711 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (await fits(options)) return;
  }
  const marker: WorkMarker = {
    version: 1,
    experiment: options.experiment,
    experimentFolder: options.experimentFolder,
    createdAt: new Date(options.now()).toISOString(),
  };
  await writeDurably(join(options.work, markerName), toJson(marker));
}

/**
 * @returns true where the folder is this experiment's, false where it is ours and empty: a crash came before the marker
 * @throws MultirunError `bad_input` where it is anything else
 */
async function fits({ work, experiment, experimentFolder }: WorkOptions): Promise<boolean> {
  const other = (why: string) => badInput(`${work} ${why}`, "Remove it, or give the experiment another id.");
  if (!(await isOwnFolder(work))) throw other("is there already and is no folder of this user");
  const marker = await readMarker(work).catch((error: unknown) => {
    throw other(`is there already: ${messageOf(error)}`);
  });
  if (!marker) {
    if ((await entriesOf(work)).length > 0) throw other("is there already and carries no marker of multirun");
    return false;
  }
  if (marker.experiment !== experiment || marker.experimentFolder !== experimentFolder) {
    throw other(`belongs to the experiment ${marker.experiment} in ${marker.experimentFolder}`);
  }
  return true;
}

/** The marker goes last: a removal that is cut short can still be found and finished. */
async function release(options: WorkOptions): Promise<void> {
  try {
    await lstat(options.work);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  await fits(options);
  for (const name of await readdir(options.work)) {
    if (name !== markerName) await removeTree(join(options.work, name));
  }
  await removeTree(join(options.work, markerName));
  await rmdir(options.work);
}

function readMarker(work: string): Promise<WorkMarker | undefined> {
  return readArtifact(join(work, markerName), workMarker, `the marker of ${work}`);
}

/** True for a folder, no link to one, that belongs to this user. */
export async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** A crash came between the folder and its marker. */
async function isUnfinished(path: string): Promise<boolean> {
  return (await isOwnFolder(path)) && (await entriesOf(path)).length === 0;
}

/** What a folder without a marker holds beside halves of one. */
async function entriesOf(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => !name.startsWith(`${markerName}.`));
}

function held(path: string, experiment: ExperimentId): Held {
  return { kind: "work", id: path, holder: { experiment, run: "base", attempt: 1 } };
}
