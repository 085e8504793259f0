import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../../model/deps.js";
import { MultirunError } from "../../model/error.js";
import type { PatchStats } from "../../model/record.js";
import { type BytePath, joinBytes, toText } from "./bytes.js";
import type { Changes } from "./changes.js";
import { diff, keep, type PatchOptions, patchArguments, rawArguments, summarise } from "./patch.js";
import type { Scratch } from "./scratch.js";
import type { Staged } from "./stage.js";
import { parseChanges, parseStats } from "./stats.js";

export interface DeniedOptions {
  changes: Pick<Changes, "base">;
  scratch: Scratch;
  staged: Staged;
  /** The whole difference, as git lists it. */
  raw: Uint8Array;
  denial: NonNullable<PatchOptions["denial"]>;
}

/**
 * The one filter between a run's work and any branch: writes the patch in which every denied path is as base has it. Where a
 * file came from a denied path or went to one, both ends are: what was denied must not come along under another name. It
 * works on git's own index and never on the text of a patch, so that no name can be written to slip through.
 * @returns undefined where nothing is denied
 */
export async function withoutDenied(git: Git, options: DeniedOptions): Promise<PatchStats["offered"]> {
  const { scratch, staged, denial } = options;
  const denied = deniedPaths(options.raw, denial.isDenied);
  if (denied.length === 0) return undefined;
  const endIndex = join(scratch.folder, "offered-end");
  await copyFile(staged.endIndex, endIndex);
  await putBack(git, { ...options, endIndex, denied });
  const at = { scratch, staged: { ...staged, endIndex } };
  const raw = await diff(git, { ...at, args: rawArguments });
  if (deniedPaths(raw, denial.isDenied).length > 0) {
    throw new MultirunError("failed", "a denied path is still in the patch that is offered");
  }
  const patch = join(scratch.folder, "offered");
  await diff(git, { ...at, args: [...patchArguments, `--output=${patch}`] });
  const { files, added, deleted } = summarise(parseStats(raw));
  return { files, added, deleted, ...(await keep(patch, denial.file)) };
}

/** Both ends of every change of which one is denied, each once. */
function deniedPaths(raw: Uint8Array, isDenied: (path: string) => boolean): BytePath[] {
  const ends = parseChanges(raw).map(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  return [...new Set(ends.filter((paths) => paths.some((path) => isDenied(toText(path)))).flat())];
}

/** What base does not have goes first; what it has then takes the place of whatever stands in its way. */
async function putBack(
  git: Git,
  { changes, scratch, endIndex, denied }: DeniedOptions & { endIndex: string; denied: readonly BytePath[] },
): Promise<void> {
  const at = { ...scratch.objects, indexFile: endIndex };
  const base = new Map(changes.base.map(({ path, object }) => [path, object]));
  await git.result(["update-index", "-z", "--force-remove", "--stdin"], { ...at, input: joinBytes(denied) });
  const entries = denied.flatMap((path) => {
    const object = base.get(path);
    return object === undefined ? [] : [`${object}\t${path}`];
  });
  if (entries.length === 0) return;
  await git.result(["update-index", "-z", "--index-info"], { ...at, input: joinBytes(entries) });
}
