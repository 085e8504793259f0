import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { createGit } from "../src/clients/git.js";
import { removeTree } from "../src/clients/remove.js";
import type { Resource } from "../src/isolate/resource.js";
import { createWork } from "../src/isolate/work.js";
import { createWorkspaces, type Workspace } from "../src/isolate/workspace/workspace.js";
import type { Git } from "../src/model/deps.js";
import { experimentId, type Holder } from "../src/model/ids.js";

export interface BenchRepository {
  path: string;
  base: string;
  /** Stands for the machine's temporary folder. */
  folder: string;
  git: Git;
  workspaces: Resource<Workspace>;
  /**
   * Git as a person has it, with nothing of the machine's configuration. It does not write to an index just to have
   * looked: every look at a work tree is then a first one, as a capture's is.
   */
  plain(args: string[], cwd?: string): Promise<string>;
}

const filesPerFolder = 20;
export const holder = { experiment: experimentId.parse("bench"), run: "base", attempt: 1 } satisfies Holder;

/** Lends a repository of `files` small source files, packed, and workspaces of it; removes all afterwards. */
export async function withRepository<T>(files: number, use: (repository: BenchRepository) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "bench-multirun-")));
  try {
    const path = join(folder, "repo");
    await generate(path, files);
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_OPTIONAL_LOCKS: "0" };
    const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"];
    const plain = async (args: string[], cwd = path) =>
      (await execa("git", [...author, ...args], { cwd, env, extendEnv: false, maxBuffer: 2 ** 28 })).stdout;
    await plain(["init", "--quiet"]);
    await plain(["add", "--all"]);
    await plain(["commit", "--quiet", "--message", "base"]);
    await plain(["repack", "-a", "-d", "--quiet"]);
    const base = await plain(["rev-parse", "HEAD"]);
    const git = createGit(env.PATH);
    const work = join(folder, "multirun-bench");
    const { experiment } = holder;
    await createWork({ experiment, experimentFolder: folder, work, now: Date.now }).acquire(holder);
    const workspaces = createWorkspaces({ git, repo: path, base, experiment, work, warn: console.error });
    return await use({ path, base, folder, git, workspaces, plain });
  } finally {
    await removeTree(folder);
  }
}

async function generate(path: string, files: number): Promise<void> {
  for (let first = 0; first < files; first += filesPerFolder) {
    const folder = join(path, `package-${Math.floor(first / 1000)}`, `part-${first}`);
    await mkdir(folder, { recursive: true });
    const count = Math.min(filesPerFolder, files - first);
    await Promise.all(Array.from({ length: count }, (_, index) => writeSource(folder, first + index)));
  }
}

function writeSource(folder: string, index: number): Promise<void> {
  const lines = Array.from({ length: 30 }, (_, line) => `export const value${index}x${line} = ${index * line};\n`);
  return writeFile(join(folder, `file-${index}.ts`), lines.join(""));
}

/** Milliseconds a call takes. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Disk use of a folder in bytes, as `du` counts it. */
export async function diskBytes(path: string): Promise<number> {
  const { stdout } = await execa("du", ["-s", "-k", path]);
  return Number(stdout.split("\t")[0]) * 1024;
}
