import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyIndex, createGitDir } from "../../clients/git-dir.js";
import { removeTree } from "../../clients/remove.js";
import type { GitOptions } from "../../model/deps.js";

/** A work tree to look at, and the harness's git directory for it. */
export interface Tree {
  repo: string;
  gitDir: string;
}

/**
 * A git directory for one capture. Its configuration is written here and now: an agent that found the harness's own git
 * directory can have changed what that one says.
 */
export interface Scratch {
  /** The folder, for files of this capture. */
  folder: string;
  /** For commands that look at the agent's work tree, with a copy of the index of base. */
  tree: GitOptions;
  /** For commands on objects and an index: their work tree is an empty folder. */
  objects: GitOptions;
}

/** What is binary is decided by content: with `*.ts -diff` in its `.gitattributes` an agent could hide what it wrote. */
const attributes = "* !diff\n";

/**
 * Lends a scratch git directory to `use` and removes it afterwards.
 * @param format of the repository's objects, `sha1` or `sha256`
 * @param base the commit that the index is of, where it is known: HEAD is there, and git need not list all it holds
 */
export async function withScratch<T>(
  { tree, format, base }: { tree: Tree; format: string; base?: string },
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tree.gitDir, "capture-"));
  try {
    const objects = [join(tree.gitDir, "objects")];
    const empty = join(folder, "empty");
    const gitDir = createGitDir({ folder: empty, format, objects, ...(base ? { head: { commit: base } } : {}) });
    await mkdir(join(gitDir, "info"));
    await writeFile(join(gitDir, "info", "attributes"), attributes);
    const indexFile = join(folder, "whole");
    await copyIndex(join(tree.gitDir, "index"), indexFile);
    return await use({ folder, tree: { cwd: tree.repo, gitDir, indexFile }, objects: { cwd: empty, gitDir } });
  } finally {
    await removeTree(folder);
  }
}
