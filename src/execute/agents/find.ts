import { constants } from "node:fs";
import { access, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { execa } from "execa";
import { badInput } from "../../model/error.js";
import { shorten, visible } from "../../model/text.js";
import type { AgentAdapter } from "./adapter.js";

export interface FoundAgent {
  /** Absolute path of what is started. */
  file: string;
  /** As it prints it, on one line. */
  version: string;
  /** What a sandbox must show for it to run: the folder it was found in, and the one its program lies in. */
  folders: string[];
}

/** Some take seconds on a busy machine, and one that hangs must not hang us. */
const versionTimeoutMs = 30_000;

/**
 * Finds an agent's program on a search path and asks it for its version, with an empty HOME and nothing of the caller's
 * environment.
 * @throws MultirunError `bad_input` where it is missing, with the line that installs it, or does not run
 */
export async function findAgent(
  { name, install, version }: Pick<AgentAdapter, "name" | "install" | "version">,
  path: string,
): Promise<FoundAgent> {
  const file = await onPath(name, path);
  if (file === undefined)
    throw badInput(`agent "${name}" is not installed: there is no ${name} on PATH`, `Type: ${install}`);
  const home = await mkdtemp(join(tmpdir(), "multirun-version-"));
  try {
    const said = await execa(file, version, {
      env: { PATH: path, HOME: home, TMPDIR: home, LANG: "C.UTF-8", TERM: "dumb" },
      extendEnv: false,
      cwd: home,
      stdin: "ignore",
      timeout: versionTimeoutMs,
      forceKillAfterDelay: 1_000,
      maxBuffer: 64 * 1024,
      reject: false,
    });
    if (said.failed) {
      throw badInput(
        `agent "${name}" does not run: ${shorten(visible(said.shortMessage ?? ""), 200)}`,
        `Install it anew: ${install}`,
      );
    }
    return { file, version: shorten(visible(said.stdout ?? ""), 80), folders: await foldersOf(file) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** A package's program needs the packages beside it: of npm's the outermost `node_modules` is shown. */
async function foldersOf(file: string): Promise<string[]> {
  return [...new Set([dirname(file), ...[file, await realpath(file)].map(ownFolder)])];
}

/** By the path as it is written, too: links in it are followed from there. */
function ownFolder(file: string): string {
  const packages = `${sep}node_modules${sep}`;
  const at = file.indexOf(packages);
  return at === -1 ? dirname(file) : file.slice(0, at + packages.length - 1);
}
