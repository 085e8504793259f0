import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGitDir, dateBack } from "../../clients/git-dir.js";
import type { Git } from "../../model/deps.js";
import { badInput, MultirunError, messageOf } from "../../model/error.js";
import { isPartial, type Source } from "./source.js";

export interface CheckoutOptions {
  source: Source;
  /** The work tree to make; its git directory is `<folder>/.git`. */
  folder: string;
  /** The branch to be on; detached without. */
  branch?: string;
}

/** Agents commit; without a name git refuses. */
const identity = "[user]\n\tname = multirun\n\temail = multirun@localhost\n";

/**
 * A private clone at one commit that copies no object and no ref: a clone of git's own would bring every branch and tag
 * of the user's, one of which may hold the answer. The index is left warm, so that the next look at it reads no content.
 */
export async function checkOut(git: Git, options: CheckoutOptions): Promise<void> {
  const { source, folder, branch } = options;
  const gitDir = createGitDir({
    folder,
    format: source.format,
    objects: [source.objects],
    shallow: source.shallow,
    head: { commit: source.commit, branch },
    settings: identity,
  });
  try {
    await git.result(["read-tree", "-m", "-u", source.commit], { cwd: folder });
  } catch (error) {
    throw await explain(git, source, error);
  }
  const index = join(gitDir, "index");
  await dateBack(index, (await stat(index)).mtimeMs);
}

async function explain(git: Git, source: Source, error: unknown): Promise<unknown> {
  if (!(error instanceof MultirunError) || !(await isPartial(git, source))) return error;
  const repo = dirname(source.objects);
  return badInput(
    `${repo} is a partial clone and lacks objects of ${source.commit}: ${messageOf(error)}`,
    `Bring them here first: git -C ${repo} fetch --refetch --no-filter origin`,
    error,
  );
}
