import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createGit } from "../../src/clients/git.js";

/** The client under test, with the path of this process. */
export const git = createGit(process.env["PATH"] ?? "");

/** Nothing of the machine's configuration, and a fixed author and date: the same content gives the same commit. */
const environment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export interface Repository {
  path: string;
  /** Runs git there as a person would, hooks and local configuration included; standard output without the last newline. */
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array): void;
  /** Commits all there is, ignored files left out; the sha. */
  commit(message?: string): string;
}

/** A temporary folder that goes with the test, its path without links. */
export function temporaryFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "test-multirun-")));
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+rwX", path]);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** Git in any folder. */
export function gitAt(path: string, ...args: string[]): string {
  const said = execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: path,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return said.replace(/\n$/, "");
}

/** A repository around a folder that has one already. */
export function repositoryAt(path: string): Repository {
  const git = (...args: string[]) => gitAt(path, ...args);
  return {
    path,
    git,
    write: (name, content) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    commit: (message = "change") => {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message);
      return git("rev-parse", "HEAD");
    },
  };
}

/** A new repository in a folder of its own (or the one given) on the branch main, with the files given committed. */
export function createRepository(
  files: Record<string, string> = {},
  { path = join(temporaryFolder(), "repo"), format = "sha1" }: { path?: string; format?: "sha1" | "sha256" } = {},
): Repository {
  mkdirSync(path, { recursive: true });
  gitAt(path, "init", "--quiet", "--initial-branch=main", `--object-format=${format}`);
  const repository = repositoryAt(path);
  for (const [name, content] of Object.entries(files)) repository.write(name, content);
  repository.commit("first");
  return repository;
}
