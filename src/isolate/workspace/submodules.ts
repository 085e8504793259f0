import { lstat, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { splitZ } from "../../clients/git.js";
import type { Git } from "../../model/deps.js";
import { messageOf } from "../../model/error.js";
import { checkOut } from "./checkout.js";
import { readSource, type Source } from "./source.js";

export interface SubmodulesOptions {
  source: Source;
  /** Work tree that has just been checked out, and the git directory that belongs to it. */
  repo: string;
  gitDir: string;
  /** Path of `repo` inside the outermost work tree, for messages: empty or ending with a slash. */
  prefix?: string;
}

export interface Submodules {
  /** Paths of all submodules of the outermost work tree and below, filled or not. */
  paths: string[];
  warnings: string[];
}

interface Entry {
  name: string;
  path: string;
  url: string | undefined;
}

const nothing: Submodules = { paths: [], warnings: [] };

/**
 * Fills the submodules a commit names from the objects the user's repository has of them, nested ones too. Nothing is
 * fetched. A submodule that cannot be filled stays an empty folder and is named in a warning.
 */
export async function checkOutSubmodules(git: Git, options: SubmodulesOptions): Promise<Submodules> {
  const prefix = options.prefix ?? "";
  const stats = await lstat(join(options.repo, ".gitmodules")).catch(() => undefined);
  if (!stats?.isFile()) return nothing;
  let entries: Entry[];
  try {
    entries = await readEntries(git, options);
  } catch (error) {
    return { paths: [], warnings: [`${prefix}.gitmodules cannot be read: ${messageOf(error)}`] };
  }
  const found: Submodules = { paths: [], warnings: [] };
  for (const [path, sha] of await readGitlinks(git, options.repo, entries)) {
    const entry = entries.find((each) => each.path === path);
    if (!entry) continue;
    found.paths.push(prefix + path);
    try {
      const below = await fill(git, options, { entry, sha });
      found.paths.push(...below.paths);
      found.warnings.push(...below.warnings);
    } catch (error) {
      found.warnings.push(`submodule ${prefix}${path} is left empty: ${messageOf(error)}`);
    }
  }
  return found;
}

/** The `.gitmodules` of the commit. Includes are not followed: they could name any file. */
async function readEntries(git: Git, { source, repo }: SubmodulesOptions): Promise<Entry[]> {
  const args = ["config", "--no-includes", "-z", "--blob", `${source.commit}:.gitmodules`];
  const pattern = "^submodule\\..*\\.(path|url)$";
  const { stdout } = await git.result([...args, "--get-regexp", pattern], { cwd: repo, accept: [0, 1] });
  const entries = new Map<string, { path?: string; url?: string }>();
  for (const item of splitZ(Buffer.from(stdout).toString("utf8"))) {
    const match = /^submodule\.([\s\S]*)\.(path|url)\n([\s\S]*)$/.exec(item);
    if (!match?.[1] || !match[2]) continue;
    const entry = entries.get(match[1]) ?? {};
    entries.set(match[1], { ...entry, [match[2]]: match[3] });
  }
  return [...entries].flatMap(([name, { path, url }]) => (path ? [{ name, path, url }] : []));
}

/** Path → commit of the entries that really are submodules. */
async function readGitlinks(git: Git, repo: string, entries: Entry[]): Promise<[path: string, sha: string][]> {
  if (entries.length === 0) return [];
  const paths = entries.map(({ path }) => `:(top,literal)${path}`);
  const lines = splitZ(await git.text(["ls-files", "--stage", "-z", "--", ...paths], { cwd: repo }));
  return lines.flatMap((line) => {
    const match = /^160000 ([0-9a-f]+) 0\t([\s\S]+)$/.exec(line);
    return match?.[1] && match[2] ? [[match[2], match[1]]] : [];
  });
}

async function fill(git: Git, options: SubmodulesOptions, module: { entry: Entry; sha: string }): Promise<Submodules> {
  const { name, path, url } = module.entry;
  const source = await findSource(git, options.source, module);
  const folder = join(options.repo, path);
  await checkOut(git, { source, folder });
  // As git itself lays it out, so that `git submodule` works there; by path, so that the place follows from it.
  const gitDir = join(options.gitDir, "modules", path);
  await mkdir(dirname(gitDir), { recursive: true });
  await rename(join(folder, ".git"), gitDir);
  await writeFile(join(folder, ".git"), `gitdir: ${relative(folder, gitDir)}\n`);
  await git.result(["config", "core.worktree", relative(gitDir, folder)], { cwd: gitDir, gitDir });
  await activate(git, options, { name, url: url ?? path });
  const prefix = `${options.prefix ?? ""}${path}/`;
  return checkOutSubmodules(git, { source, repo: folder, gitDir, prefix });
}

/** What `git submodule init` notes down. */
async function activate(git: Git, { repo, gitDir }: SubmodulesOptions, module: { name: string; url: string }) {
  const at = { cwd: repo, gitDir };
  await git.result(["config", `submodule.${module.name}.active`, "true"], at);
  await git.result(["config", `submodule.${module.name}.url`, module.url], at);
}

async function findSource(git: Git, parent: Source, { entry, sha }: { entry: Entry; sha: string }): Promise<Source> {
  if (entry.name.split("/").some((part) => part === ".." || part === "")) {
    throw new Error(`its name ${JSON.stringify(entry.name)} is not allowed`);
  }
  for (const folder of parent.modules) {
    const gitDir = join(folder, entry.name);
    const stats = await lstat(join(gitDir, "objects")).catch(() => undefined);
    if (stats?.isDirectory()) return readSource(git, { cwd: gitDir, gitDir }, sha);
  }
  throw new Error("the repository has no objects of it; run git submodule update --init --recursive there");
}
