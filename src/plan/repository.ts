import { stat } from "node:fs/promises";
import type { Git } from "../model/deps.js";
import { badInput, messageOf } from "../model/error.js";

/** The commit every run starts from, and what the plan must know about the repo it lies in. */
export interface Base {
  /** Absolute path of the work tree's top, or of the git directory where the repo is bare. */
  repo: string;
  sha: string;
  /** The work tree holds changes that are not part of the runs. */
  dirty: boolean;
  /** Bytes that a checkout of the commit takes. */
  checkoutBytes: number;
}

/**
 * Pins a ref of a repo to a full sha.
 * @throws MultirunError `bad_input`: no such folder, no repository, no commit yet, unknown ref
 */
export async function pinBase(git: Git, folder: string, ref: string): Promise<Base> {
  const repo = await findRepository(git, folder);
  const sha = await resolveCommit(git, { repo, ref, option: "--base" });
  const [dirty, checkoutBytes] = await Promise.all([isDirty(git, repo), sizeOf(git, repo, sha)]);
  return { repo, sha, dirty, checkoutBytes };
}

/**
 * Full shas of refs of a repo, each with the name it was given.
 * @throws MultirunError `bad_input` naming the first that is no commit
 */
export async function resolveRefs(git: Git, repo: string, refs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const ref of refs) found.set(ref, await resolveCommit(git, { repo, ref, option: "compare" }));
  return found;
}

async function findRepository(git: Git, folder: string): Promise<string> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw badInput(`--repo: "${folder}" is no folder`, "Name the folder of a git repository.");
  try {
    const bare = (await git.text(["rev-parse", "--is-bare-repository"], { cwd: folder })).trim() === "true";
    const what = bare ? "--absolute-git-dir" : "--show-toplevel";
    return (await git.text(["rev-parse", what], { cwd: folder })).replace(/\n$/, "");
  } catch (error) {
    throw badInput(
      `--repo: "${folder}" is not in a git repository`,
      "Run inside a repository, name one with --repo DIR, or make one: git init && git add . && git commit.",
      error,
    );
  }
}

interface Wanted {
  repo: string;
  ref: string;
  /** Where the ref was given, for the message. */
  option: string;
}

async function resolveCommit(git: Git, { repo, ref, option }: Wanted): Promise<string> {
  try {
    const spec = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
    return (await git.text(spec, { cwd: repo })).trim();
  } catch (error) {
    const unborn = await git.result(["rev-parse", "--verify", "--quiet", "HEAD"], { cwd: repo, accept: [1, 128] });
    if (unborn.exitCode !== 0 && ref === "HEAD") {
      throw badInput(`--repo: "${repo}" has no commit yet`, "Runs start from a commit: make one first.", error);
    }
    throw badInput(
      `${option}: "${ref}" is no commit of ${repo}`,
      "Name a branch, a tag or a sha: git branch --all.",
      error,
    );
  }
}

async function isDirty(git: Git, repo: string): Promise<boolean> {
  const status = ["status", "--porcelain", "-z", "--ignore-submodules=dirty"];
  // 128: a bare repo has no work tree to be dirty.
  const { stdout, exitCode } = await git.result(status, { cwd: repo, accept: [128] });
  return exitCode === 0 && stdout.length > 0;
}

async function sizeOf(git: Git, repo: string, sha: string): Promise<number> {
  try {
    const listing = await git.text(["ls-tree", "-r", "-l", sha], { cwd: repo });
    const sizes = listing.matchAll(/^\d+ blob [0-9a-f]+ +(\d+)\t/gm);
    return [...sizes].reduce((sum, [, size]) => sum + Number(size), 0);
  } catch (error) {
    throw badInput(
      `--base: the files of ${sha} cannot be read: ${messageOf(error)}`,
      "A partial clone lacks objects: fetch them with git fetch --refetch, then start again.",
      error,
    );
  }
}
