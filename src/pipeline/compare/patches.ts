import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { readForeignPatch } from "../../capture/patch/foreign.js";
import { createGitDir } from "../../clients/git-dir.js";
import { removeTree } from "../../clients/remove.js";
import type { Deps, GitOptions } from "../../model/deps.js";
import { MultirunError } from "../../model/error.js";
import type { PatchStats } from "../../model/record.js";
import type { FolderRun, Found } from "./inputs.js";

export type Scratch = Pick<GitOptions, "cwd"> & { gitDir: string; folder: string };

interface EmptyRepository {
  /** Where it goes. */
  temporary: string;
  objects?: readonly string[];
  format?: string;
  shallow?: string | undefined;
}

/** Lends an empty repository, which sees the objects of others where they are given, and removes it afterwards. */
export async function withEmptyRepository<T>(
  { temporary, objects = [], format = "sha1", shallow }: EmptyRepository,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(temporary, "multirun-patches-"));
  try {
    const cwd = join(folder, "empty");
    return await use({ folder, cwd, gitDir: createGitDir({ folder: cwd, format, objects, shallow }) });
  } finally {
    await removeTree(folder);
  }
}

/** What each run's patch changes; where a run has none, it changed no file. */
export function readPatches(
  { deps, temporary, cancel }: { deps: Pick<Deps, "git">; temporary: string; cancel: AbortController },
  runs: readonly FolderRun[],
): Promise<Found<PatchStats>[]> {
  return withEmptyRepository({ temporary }, async (scratch) => {
    const read: Found<PatchStats>[] = [];
    const { folder, ...at } = scratch;
    for (const { patch = { value: Buffer.alloc(0) } } of runs) {
      cancel.signal.throwIfAborted();
      read.push("reason" in patch ? patch : await readOne({ git: deps.git, patch: patch.value, scratch: at }));
    }
    return read;
  });
}

async function readOne(options: Parameters<typeof readForeignPatch>[0]): Promise<Found<PatchStats>> {
  try {
    return { value: await readForeignPatch(options) };
  } catch (error) {
    if (!(error instanceof MultirunError) || error.code !== "bad_artifact") throw error;
    return { reason: error.message };
  }
}
