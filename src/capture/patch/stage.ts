import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { join } from "node:path";
import type { Git, GitOptions } from "../../model/deps.js";
import { codeOf, messageOf } from "../../model/error.js";
import { type BytePath, fromText, joinBytes, shown, toBytes } from "./bytes.js";
import type { Changes } from "./changes.js";
import { createLinkCheck, lstatIfThere } from "./links.js";
import type { Scratch } from "./scratch.js";
import { kindOf } from "./walk.js";

export interface PatchLimits {
  /** Larger files are left out of the patch and named with size and sha256. */
  fileBytes: number;
}

export const defaultLimits: PatchLimits = { fileBytes: 50 * 1024 * 1024 };

interface Sorted {
  add: BytePath[];
  remove: BytePath[];
  warnings: string[];
}

/** The touched paths before and after. All others are equal on both sides, so nothing else need be in an index. */
export interface Staged {
  /** Index of the touched paths as base has them, and the tree of it. */
  baseIndex: string;
  baseTree: string;
  /** Index of the touched paths as they stand. */
  endIndex: string;
  /** One for each path that could not be taken. */
  warnings: string[];
}

/** Brings a private index from base to the work tree as it stands, path by path from an explicit list. */
export async function stageChanges(
  git: Git,
  { changes, scratch, limits }: { changes: Changes; scratch: Scratch; limits: PatchLimits },
): Promise<Staged> {
  const { add, remove, warnings } = await sort(scratch.tree.cwd, changes, limits);
  const baseIndex = join(scratch.folder, "base");
  const endIndex = join(scratch.folder, "end");
  const entries = joinBytes(changes.base.map(({ path, object }) => `${object}\t${path}`));
  const fill = ["update-index", "--force-write-index", "-z", "--index-info"];
  await git.result(fill, { ...scratch.objects, indexFile: baseIndex, input: entries });
  await copyFile(baseIndex, endIndex);
  const [written, unstaged] = await Promise.all([
    git.text(["write-tree"], { ...scratch.objects, indexFile: baseIndex }),
    stage(git, { ...scratch.tree, indexFile: endIndex }, { add, remove }),
  ]);
  return { baseIndex, baseTree: written.trim(), endIndex, warnings: [...warnings, ...unstaged] };
}

/** First what is gone, so that a folder can take the place of a file of the same name. */
async function stage(git: Git, end: GitOptions, { add, remove }: Pick<Sorted, "add" | "remove">): Promise<string[]> {
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  if (remove.length > 0) await git.result(args, { ...end, input: joinBytes(remove) });
  return addAll(git, end, add);
}

/** One path git cannot take (unreadable, not convertible) fails the whole call: halving finds it and keeps the others. */
async function addAll(git: Git, end: GitOptions, paths: BytePath[]): Promise<string[]> {
  const [first, second] = paths;
  if (first === undefined) return [];
  try {
    const args = ["update-index", "-z", "--add", "--replace", "--stdin"];
    const { stderr } = await git.result(args, { ...end, input: joinBytes(paths) });
    const refused = [...stderr.matchAll(/^Ignoring path (.*)$/gm)];
    return refused.map(([, path = ""]) => `${JSON.stringify(path)} is not part of the patch: git refuses the name`);
  } catch (error) {
    if (second === undefined) return [`${shown(first)} is not part of the patch: ${reasonOf(error)}`];
    const half = Math.ceil(paths.length / 2);
    const before = await addAll(git, end, paths.slice(0, half));
    return [...before, ...(await addAll(git, end, paths.slice(half)))];
  }
}

/** Git's first line without its preamble. */
function reasonOf(error: unknown): string {
  const said = /(?:error|fatal): (.*)/.exec(messageOf(error));
  return said?.[1] ?? messageOf(error);
}

async function sort(repo: string, changes: Changes, limits: PatchLimits): Promise<Sorted> {
  const sorted: Sorted = { add: [], remove: [...changes.removed], warnings: [] };
  const root = fromText(repo);
  const behindLink = createLinkCheck(root);
  for (const path of changes.present) {
    const stats = (await behindLink(path)) ? undefined : await lstatIfThere(`${root}/${path}`);
    if (!stats || stats.isDirectory()) continue;
    if (stats.isSymbolicLink() || (stats.isFile() && stats.size <= limits.fileBytes)) {
      sorted.add.push(path);
    } else if (stats.isFile()) {
      sorted.warnings.push(await describeLarge(`${root}/${path}`, { path, size: stats.size, limits }));
    } else {
      // Untracked ones are found and named by the walk; here one stands where base has a file.
      sorted.remove.push(path);
      sorted.warnings.push(`${shown(path)} is ${kindOf(stats)} now: deleted in the patch`);
    }
  }
  return sorted;
}

async function describeLarge(
  absolute: BytePath,
  { path, size, limits }: { path: BytePath; size: number; limits: PatchLimits },
): Promise<string> {
  const hash = createHash("sha256");
  const digest = await open(toBytes(absolute), constants.O_RDONLY | constants.O_NOFOLLOW)
    .then(async (file) => {
      for await (const chunk of file.createReadStream()) hash.update(chunk);
      return hash.digest("hex");
    })
    .catch((error: unknown) => `unknown (${codeOf(error) ?? "unreadable"})`);
  return `${shown(path)} is not part of the patch: ${size} bytes, over the limit of ${limits.fileBytes}; sha256 ${digest}`;
}
