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
  const [differing, others] = await Promise.all([
    git.result(["diff-files", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=all"], tree),
    git.result(["ls-files", "-z", "--others", "--exclude-standard"], tree),
  ]);
  const untracked = splitBytes(others.stdout);
  return {
    changed: parseChanged(splitBytes(differing.stdout)),
    untracked: untracked.filter((path) => !path.endsWith("/")),
    nested: untracked.filter((path) => path.endsWith("/")),
  };
}

/** `:100644 000000 <object> <zeros> D`, then the path. */
function parseChanged(fields: readonly string[]): Status["changed"] {
  const changed: Status["changed"] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , object = "", , letter = ""] = (fields[at] ?? "").slice(1).split(" ");
    changed.push({ path: fields[at + 1] ?? "", object: `${mode} ${object}`, gone: letter === "D" });
  }
  return changed;
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
