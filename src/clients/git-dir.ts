import { mkdirSync, writeFileSync } from "node:fs";
import { copyFile, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface GitDirOptions {
  /** The work tree; created where it is missing. Its git directory will be `<folder>/.git`. */
  folder: string;
  /** `sha1` or `sha256`, as the store the objects come from. */
  format: string;
  /** Object stores to read from; nothing is ever written there. */
  objects: readonly string[];
  /** Content of the `shallow` file of the store, where its history is cut off. */
  shallow?: string | undefined;
  /** What HEAD is: a commit, and the branch that is on it; detached without a branch. */
  head?: { commit: string; branch?: string | undefined };
  /** More lines for its configuration. */
  settings?: string;
}

/** On these systems file names are folded by case, as `git init` would find out by trying. */
const folding = process.platform === "darwin" ? "\tignorecase = true\n\tprecomposeunicode = true\n" : "";

/**
 * An empty git directory without hooks, remotes and templates that sees the objects of others. Written by hand, as
 * gitrepository-layout describes it: ten runs start many gits at once, and each that need not start is felt. So is a
 * promise for each of a dozen tiny files.
 * @returns the absolute path of the git directory
 */
export function createGitDir(options: GitDirOptions): string {
  const { folder, format, objects, shallow, head } = options;
  const gitDir = join(folder, ".git");
  const at = (...parts: string[]) => join(gitDir, ...parts);
  for (const each of [at("objects", "info"), at("objects", "pack"), at("refs", "heads"), at("refs", "tags")]) {
    mkdirSync(each, { recursive: true });
  }
  const version = format === "sha1" ? 0 : 1;
  const core = `[core]\n\trepositoryformatversion = ${version}\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n`;
  const extensions = format === "sha1" ? "" : `[extensions]\n\tobjectformat = ${format}\n`;
  writeFileSync(at("config"), `${core}${folding}${extensions}${options.settings ?? ""}`);
  writeFileSync(at("objects", "info", "alternates"), objects.map((path) => `${quoteAlternate(path)}\n`).join(""));
  if (shallow !== undefined) writeFileSync(at("shallow"), shallow);
  const ref = `refs/heads/${head ? head.branch : "unborn"}`;
  writeFileSync(at("HEAD"), head && head.branch === undefined ? `${head.commit}\n` : `ref: ${ref}\n`);
  if (head?.branch !== undefined) {
    mkdirSync(dirname(at(ref)), { recursive: true });
    writeFileSync(at(ref), `${head.commit}\n`);
  }
  return gitDir;
}

/**
 * A path as a line of `objects/info/alternates` (gitrepository-layout): a leading `#` is a comment, a leading `"` starts
 * a C string. Absolute paths start with neither, so only a newline in the path needs the quotes, which other readers of
 * that file than git do not know.
 */
export function quoteAlternate(path: string): string {
  if (!/[\n\r]|^["#]/.test(path)) return path;
  const quoted = path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${quoted}"`;
}

/**
 * Copies an index and its age. Git, as it is mostly built, compares times in whole seconds, and looks into a file that
 * seems unchanged only where it is not older than the index: with a younger copy, a change of equal size in the second
 * of the checkout would go unseen.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await dateBack(to, (await stat(from)).mtimeMs);
}

/** Gives an index the start of the second it was written in: never younger than it is, and copied without rounding. */
export async function dateBack(index: string, mtimeMs: number): Promise<void> {
  const seconds = Math.floor(mtimeMs / 1000);
  await utimes(index, seconds, seconds);
}
