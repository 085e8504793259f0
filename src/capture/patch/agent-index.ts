import { constants } from "node:fs";
import { lstat, open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Git } from "../../model/deps.js";
import { type BytePath, splitBytes } from "./bytes.js";
import type { Scratch, Tree } from "./scratch.js";

const largestIndexBytes = 256 * 1024 * 1024;
/** A larger one is left to git, which does not hold it in our memory. */
const comparedIndexBytes = 16 * 1024 * 1024;

/**
 * Paths the agent added in spite of the ignore rules: they stand in its own index, committed or staged. That file is read
 * as data with our git directory. Where it is unreadable, ignored files stay ignored.
 */
export async function findAddedByForce(
  git: Git,
  { tree, base, scratch }: { tree: Tree; base: string; scratch: Scratch },
): Promise<{ paths: BytePath[]; warnings: string[] }> {
  const indexFile = join(scratch.folder, "agent");
  try {
    if (!(await copyAgentIndex(join(tree.repo, ".git"), indexFile))) return { paths: [], warnings: [unreadable] };
    if (await isUntouched(indexFile, join(tree.gitDir, "index"))) return { paths: [], warnings: [] };
    const args = ["diff-index", "--cached", "--diff-filter=A", "--name-only", "--no-renames", "-z"];
    const options = ["--ita-visible-in-index", "--ignore-submodules=all", base];
    const { stdout } = await git.result([...args, ...options], { ...scratch.objects, indexFile });
    return { paths: splitBytes(stdout).filter(isPlain), warnings: [] };
  } catch {
    // Garbage in, no names out: git's words about it would be the agent's words.
    return { paths: [], warnings: [unreadable] };
  }
}

const unreadable =
  "the agent's own index is gone or unreadable: ignored files it added by force are not part of the patch";

/** Git would take no other, and an index can be written by hand. */
function isPlain(path: BytePath): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git");
}

/** An agent that left its index alone added nothing: no git need say so. */
async function isUntouched(indexFile: string, given: string): Promise<boolean> {
  const [own, other] = await Promise.all([stat(indexFile), stat(given)]);
  if (own.size !== other.size || own.size > comparedIndexBytes) return false;
  const [content, before] = await Promise.all([readFile(indexFile), readFile(given)]);
  return content.equals(before);
}

/** False where there is no plain index of sane size in a plain git directory. */
async function copyAgentIndex(gitDir: string, to: string): Promise<boolean> {
  if (!(await lstat(gitDir)).isDirectory()) return false;
  const file = await open(join(gitDir, "index"), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > largestIndexBytes) return false;
    const target = await open(to, "wx");
    await pipeline(
      file.createReadStream({ autoClose: false, highWaterMark: 4 * 1024 * 1024 }),
      target.createWriteStream(),
    );
    return true;
  } finally {
    await file.close();
  }
}
