import { execFile } from "node:child_process";
import type { Git, GitOptions, GitResult } from "../model/deps.js";
import { MultirunError } from "../model/error.js";

/**
 * Settings that keep git from running anything a repository names: hooks, file system monitor, external diff, pagers,
 * credential helpers, fetches of missing objects. Filters and text converters need a definition in some configuration;
 * with the system's and the user's switched off and a git directory of ours there is none.
 */
const hardened = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.pager": "cat",
  "core.quotePath": "false",
  "core.untrackedCache": "false",
  "credential.helper": "",
  "diff.external": "",
  "diff.noprefix": "false",
  "diff.mnemonicPrefix": "false",
  "diff.renames": "true",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "safe.directory": "*",
  "submodule.recurse": "false",
} as const;

/**
 * All cores for a checkout: writing tens of thousands of files is what a workspace costs. And no waiting for the disk:
 * what our git writes is made anew after a crash.
 */
const fast = { "checkout.workers": "0", "core.fsync": "none" } as const;

const settings = Object.entries({ ...hardened, ...fast }).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

const maxBuffer = 512 * 1024 * 1024;

/** Git with hardened settings and an environment that holds nothing of the caller's but PATH. */
export function createGit(path: string): Git {
  const result = (args: readonly string[], options: GitOptions) => run(args, options, path);
  return {
    result,
    text: async (args, options) => Buffer.from((await result(args, options)).stdout).toString("utf8"),
  };
}

/** Node's own execFile: a run starts some twenty gits, and everything more than a bare start adds up. */
function run(args: readonly string[], options: GitOptions, path: string): Promise<GitResult> {
  const { cwd, accept = [], input, signal } = options;
  const how = {
    cwd,
    env: environment(options, path),
    encoding: "buffer",
    maxBuffer,
    ...(signal ? { signal } : {}),
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile("git", ["--no-pager", ...settings, ...args], how, (error, stdout, bytes) => {
      const stderr = bytes.toString("utf8");
      const exitCode = error ? error.code : 0;
      if (typeof exitCode === "number" && (exitCode === 0 || accept.includes(exitCode))) {
        resolve({ stdout, stderr, exitCode });
      } else {
        reject(failure(`git ${args[0]} failed in ${cwd}: ${stderr.trim() || error?.message}`, error));
      }
    });
    // A git that needs no more input closes it early; its exit code tells how that went.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

function failure(message: string, cause: unknown): MultirunError {
  return new MultirunError("infra", message, { hint: "Check that the repository is readable: git fsck.", cause });
}

/** Splits what git wrote with `-z`. */
export function splitZ(text: string): string[] {
  return text.split("\0").filter((part) => part !== "");
}

function environment(options: GitOptions, path: string): Record<string, string> {
  return {
    PATH: path,
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    ...(options.gitDir ? { GIT_DIR: options.gitDir, GIT_WORK_TREE: options.cwd } : {}),
    ...(options.indexFile ? { GIT_INDEX_FILE: options.indexFile } : {}),
    ...(options.objectDirectories ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: options.objectDirectories.join(":") } : {}),
  };
}
