import { dirname, join } from "node:path";
import { readIfThere } from "../../clients/files.js";
import type { Git, GitOptions } from "../../model/deps.js";
import { badInput } from "../../model/error.js";

/** What a private clone takes from a repository of the user's: places to read from, never to write to. */
export interface Source {
  /** The commit to check out, with tags followed. */
  commit: string;
  /** Absolute path of the object store. */
  objects: string;
  format: string;
  /** Content of the `shallow` file, where the history is cut off. */
  shallow: string | undefined;
  /** Folders that may hold the git directories of submodules. */
  modules: string[];
}

/**
 * Reads where a repository (with a work tree, bare, or a linked worktree) keeps what a clone needs.
 * @param at `cwd`, and `gitDir` for the git directory of a submodule
 * @throws MultirunError `bad_input` where the commit is not there
 */
export async function readSource(git: Git, at: Pick<GitOptions, "cwd" | "gitDir">, sha: string): Promise<Source> {
  // One question a call: a path may hold newlines, and git ends each answer with one.
  const ask = async (...args: string[]) => (await git.text(["rev-parse", ...args], at)).replace(/\n$/, "");
  const path = (name: string) => ask("--path-format=absolute", "--git-path", name);
  const [commit, objects, shallowFile, ownModules, common, format] = await Promise.all([
    findCommit(git, at, sha),
    path("objects"),
    path("shallow"),
    path("modules"),
    ask("--path-format=absolute", "--git-common-dir"),
    ask("--show-object-format"),
  ]);
  const modules = [...new Set([ownModules, join(common, "modules")])];
  return { commit, objects, format, shallow: await readIfThere(shallowFile), modules };
}

async function findCommit(git: Git, at: Pick<GitOptions, "cwd" | "gitDir">, sha: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${sha}^{commit}`];
  const { stdout, exitCode } = await git.result(args, { ...at, accept: [0, 1, 128] });
  if (exitCode === 0) return Buffer.from(stdout).toString("utf8").trim();
  throw badInput(
    `${sha} is no commit in the object store of ${at.cwd}`,
    "Fetch it there (git fetch origin <commit>), or start from another commit.",
  );
}

/** True where some objects are only promised by a remote (`git clone --filter`). */
export async function isPartial(git: Git, source: Source): Promise<boolean> {
  const gitDir = dirname(source.objects);
  const args = ["config", "--get-regexp", "^(remote\\..*\\.promisor|extensions\\.partialclone)$"];
  const { exitCode } = await git.result(args, { cwd: gitDir, gitDir, accept: [0, 1] });
  return exitCode === 0;
}
