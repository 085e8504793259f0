import type { Git } from "../../model/deps.js";
import { type BytePath, splitBytes } from "./bytes.js";
import type { Scratch } from "./scratch.js";

/** A path as base has it: `100644 <sha>`, as `git update-index --index-info` takes it. */
export interface BaseEntry {
  path: BytePath;
  object: string;
}

export interface Status {
  /** Paths of base that seem to differ; some may turn out to be equal. */
  changed: (BaseEntry & { gone: boolean })[];
  untracked: BytePath[];
  /** Other people's repositories inside, ending with a slash: not looked into. */
  nested: BytePath[];
}

/**
 * Submodules are left out (`--ignore-submodules=all`): to look at one, git would run another git inside, with the
 * configuration the agent may have written there.
 */
export async function readStatus(git: Git, { tree }: Scratch): Promise<Status> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const entries = splitBytes((await git.result(args, tree)).stdout);
  const untracked = entries.filter((entry) => entry.startsWith("? ")).map((entry) => entry.slice(2));
  return {
    changed: entries.flatMap(parseChanged),
    untracked: untracked.filter((path) => !path.endsWith("/")),
    nested: untracked.filter((path) => path.endsWith("/")),
  };
}

/**
 * `1 <XY> <submodule> <modes: HEAD, index, work tree> <objects: HEAD, index> <path>` of git-status(1). How the index
 * differs from HEAD (X) is nobody's concern here.
 */
const changedEntry = /^1 .([^.]) \S+ \S+ (\S+) \S+ \S+ (\S+) (.+)$/s;

function parseChanged(entry: string): Status["changed"] {
  const [, letter, mode, object, path] = changedEntry.exec(entry) ?? [];
  return path === undefined ? [] : [{ path, object: `${mode} ${object}`, gone: letter === "D" }];
}

/** `100644 <object> 0<tab>path` of `git ls-files --stage`. */
export function parseEntries(lines: readonly string[]): BaseEntry[] {
  return lines.map((line) => {
    const tab = line.indexOf("\t");
    return { path: line.slice(tab + 1), object: line.slice(0, tab).replace(/ 0$/, "") };
  });
}

/** Ignored files, and ignored folders as a whole, ending with a slash. */
export async function readIgnored(git: Git, { tree }: Scratch): Promise<BytePath[]> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  return splitBytes((await git.result(args, tree)).stdout);
}
