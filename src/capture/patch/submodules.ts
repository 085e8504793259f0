import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../../model/deps.js";
import { type BytePath, fromText, shown, splitBytes } from "./bytes.js";
import { createLinkCheck, lstatIfThere } from "./links.js";
import { type Scratch, type Tree, withScratch } from "./scratch.js";
import { type BaseEntry, parseEntries, readStatus } from "./status.js";

export interface SubmodulesState {
  /** Entries of those that are gone or replaced, as base has them. */
  base: BaseEntry[];
  /** Where something else stands now. */
  replaced: BytePath[];
  warnings: string[];
}

/**
 * A submodule stays what it is in base, unless it is gone. What changed inside is said, and is no part of the patch.
 * @param paths of submodules, nested ones too
 */
export async function lookAtSubmodules(
  git: Git,
  { tree, paths, format, scratch }: { tree: Tree; paths: readonly string[]; format: string; scratch: Scratch },
): Promise<SubmodulesState> {
  const state: SubmodulesState = { base: [], replaced: [], warnings: [] };
  const root = fromText(tree.repo);
  const isBehindLink = createLinkCheck(root);
  const gone: string[] = [];
  for (const path of paths) {
    const bytes = fromText(path);
    const stats = (await isBehindLink(bytes)) ? undefined : await lstatIfThere(`${root}/${bytes}`);
    if (!stats?.isDirectory()) gone.push(path);
    if (stats && !stats.isDirectory()) state.replaced.push(bytes);
    const inner = { repo: join(tree.repo, path), gitDir: join(tree.gitDir, "modules", path) };
    if (stats?.isDirectory() && (await hasChanges(git, { tree: inner, format }))) {
      state.warnings.push(`submodule ${shown(bytes)}: changes inside are not part of the patch`);
    }
  }
  if (gone.length > 0) {
    const args = ["ls-files", "--stage", "-z", "--", ...gone.map((path) => `:(top,literal)${path}`)];
    state.base = parseEntries(splitBytes((await git.result(args, scratch.tree)).stdout));
  }
  return state;
}

/** A submodule that was never filled has no git directory of the harness's: anything in it is new. */
async function hasChanges(git: Git, { tree, format }: { tree: Tree; format: string }): Promise<boolean> {
  const filled = await lstat(join(tree.gitDir, "index")).catch(() => undefined);
  if (!filled) return (await readdir(tree.repo)).some((name) => name !== ".git");
  return withScratch({ tree, format }, async (scratch) => {
    const { changed, untracked, nested } = await readStatus(git, scratch);
    return changed.length + untracked.length + nested.length > 0;
  });
}
