import { join } from "node:path";
import { readBaseFiles } from "../../capture/base-files.js";
import { fromText } from "../../capture/patch/bytes.js";
import { createLinkCheck, lstatIfThere } from "../../capture/patch/links.js";
import { readPlainBytes } from "../../clients/files.js";
import { basePathsOf } from "../../facts/code/patch/read-patch.js";
import { type BaseFile, largestBase, largestText } from "../../model/code.js";
import type { Deps } from "../../model/deps.js";
import { compareText } from "../../model/text.js";
import type { FolderRun } from "./inputs.js";

export interface BaseTextsOptions {
  deps: Pick<Deps, "git">;
  /** The compared folder. */
  folder: string;
  runs: readonly FolderRun[];
  /** The commit the patches were made for, where one was named. */
  commit: { repo: string; sha: string } | undefined;
}

/**
 * The texts the patches of a folder were made for: of the commit that was named, else of `base/` in the folder, which
 * holds them at their paths. Undefined where there is neither.
 */
export async function readBaseTexts(options: BaseTextsOptions): Promise<Map<string, BaseFile> | undefined> {
  const { deps, folder, runs, commit } = options;
  const root = join(folder, "base");
  if (commit === undefined && !(await lstatIfThere(fromText(root)))?.isDirectory()) return undefined;
  const patches = runs.flatMap(({ patch }) => (patch && "value" in patch ? [patch.value] : []));
  const paths = new Set(patches.flatMap((patch) => basePathsOf(patch.toString("utf8"))));
  if (commit) return readBaseFiles({ git: deps.git, at: { cwd: commit.repo }, commit: commit.sha, paths });
  return readTree(root, [...paths].sort(compareText));
}

/** Nobody vouches for the folder: no link in it is followed. */
async function readTree(root: string, paths: readonly string[]): Promise<Map<string, BaseFile>> {
  const found = new Map<string, BaseFile>();
  const isBehindLink = createLinkCheck(fromText(root));
  let left = largestBase;
  for (const path of paths) {
    // What cannot even be looked at (a name too long for this folder) is not there either.
    if (await isBehindLink(fromText(path)).catch(() => true)) continue;
    const file = await readFile(join(root, path), Math.min(largestText, left));
    if (file === undefined) continue;
    if ("text" in file) left -= Buffer.byteLength(file.text);
    found.set(path, file);
  }
  return found;
}

/** Reasons of our own: those of the system name folders of this machine. */
async function readFile(path: string, limitBytes: number): Promise<BaseFile | undefined> {
  try {
    const stats = await lstatIfThere(fromText(path));
    if (stats === undefined) return undefined;
    if (!stats.isFile()) return { unread: "no plain file" };
    if (stats.size > limitBytes) return { unread: "too large" };
    const bytes = await readPlainBytes(path, "it", limitBytes);
    if (bytes === undefined) return undefined;
    return bytes.includes(0) ? { unread: "binary" } : { text: bytes.toString("utf8") };
  } catch {
    return { unread: "cannot be read" };
  }
}
