import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../../model/deps.js";
import { codeOf, MultirunError, messageOf } from "../../model/error.js";
import type { ChangedFile, PatchStats } from "../../model/record.js";
import { fromText } from "./bytes.js";
import { findChanges } from "./changes.js";
import { lstatIfThere } from "./links.js";
import { type Scratch, type Tree, withScratch } from "./scratch.js";
import { defaultLimits, type PatchLimits, type Staged, stageChanges } from "./stage.js";
import { parseStats } from "./stats.js";
import { withoutDenied } from "./without-denied.js";

export interface PatchOptions {
  git: Git;
  /** The agent's work tree, the harness's git directory for it, and the paths of its submodules. */
  workspace: Tree & { submodules: readonly string[] };
  /** Full sha the workspace was checked out from. */
  base: string;
  /** Where the patch goes; what is there is replaced. */
  file: string;
  limits?: Partial<PatchLimits>;
  /** Paths whose changes must not reach a branch, and where the patch without them goes, if there are any. */
  denial?: { isDenied: (path: string) => boolean; file: string };
}

/** Fixed here, whatever git's defaults become. */
export const patchArguments = [
  "--binary",
  "--full-index",
  "--no-ext-diff",
  "--no-textconv",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];
export const rawArguments = ["--raw", "--no-abbrev", "--numstat", "-z", "--no-textconv"];

/**
 * Writes the difference between base and the work tree as it stands: committed, staged, unstaged and untracked alike, and
 * what is ignored only where the agent added it by force. Nothing of the agent's `.git` is run or believed. Call it when
 * the agent's processes have ended.
 * @throws MultirunError `infra` where git or the disk fails; what the tree itself lacks or hides is a warning
 */
export async function capturePatch(options: PatchOptions): Promise<PatchStats> {
  const { git, workspace, base } = options;
  const limits = { ...defaultLimits, ...options.limits };
  await refuseReplaced(workspace.repo);
  const format = base.length === 64 ? "sha256" : "sha1";
  return withScratch({ tree: workspace, format, base }, async (scratch) => {
    const { submodules } = workspace;
    const changes = await findChanges(git, { tree: workspace, submodules, base, format, scratch });
    const patch = join(scratch.folder, "patch");
    if (changes.base.length + changes.present.length === 0) {
      await writeFile(patch, "");
      return { ...summarise([]), ...(await keep(patch, options.file)), applies: true, warnings: changes.warnings };
    }
    const staged = await stageChanges(git, { changes, scratch, limits });
    const [raw] = await Promise.all([
      diff(git, { scratch, staged, args: rawArguments }),
      diff(git, { scratch, staged, args: [...patchArguments, `--output=${patch}`] }),
    ]);
    const { denial } = options;
    const offered = denial && (await withoutDenied(git, { changes, scratch, staged, raw, denial }));
    const doubts = await findDoubts(git, { scratch, staged, patch, raw });
    const warnings = [...changes.warnings, ...staged.warnings, ...doubts];
    const kept = { ...(await keep(patch, options.file)), applies: doubts.length === 0 };
    return { ...summarise(parseStats(raw)), ...kept, warnings, ...(offered ? { offered } : {}) };
  });
}

/** Measures a finished patch and moves it to its place, to stay there whatever happens. */
export async function keep(patch: string, file: string): Promise<Pick<PatchStats, "bytes" | "sha256">> {
  const measured = await measure(patch);
  await publish(patch, file);
  await sync(file);
  return measured;
}

/** An agent can put a link where its work tree was. */
async function refuseReplaced(repo: string): Promise<void> {
  const stats = await lstatIfThere(fromText(repo));
  if (stats?.isDirectory()) return;
  throw new MultirunError("failed", `${repo} is no folder any more: the run removed or replaced its work tree`);
}

export async function diff(
  git: Git,
  { scratch, staged, args }: { scratch: Scratch; staged: Pick<Staged, "baseTree" | "endIndex">; args: string[] },
): Promise<Uint8Array> {
  const all = ["diff", "--cached", "--find-renames", ...args, staged.baseTree];
  return (await git.result(all, { ...scratch.objects, indexFile: staged.endIndex })).stdout;
}

/**
 * Applies the patch to base in an index of its own and compares: the raw difference to base names mode and object of
 * every path that differs, so equal differences mean equal trees.
 * @returns nothing where the patch gives the captured tree, otherwise the reason
 */
async function findDoubts(
  git: Git,
  { scratch, staged, patch, raw }: { scratch: Scratch; staged: Staged; patch: string; raw: Uint8Array },
): Promise<string[]> {
  const indexFile = staged.baseIndex;
  try {
    const args = ["apply", "--cached", "--binary", "--allow-empty", "--whitespace=nowarn", patch];
    await git.result(args, { ...scratch.objects, indexFile });
  } catch (error) {
    return [`the patch does not apply to base: ${messageOf(error)}`];
  }
  const again = await diff(git, { scratch, staged: { ...staged, endIndex: indexFile }, args: rawArguments });
  return Buffer.compare(raw, again) === 0
    ? []
    : ["the patch, applied to base, gives another tree than the captured one"];
}

export function summarise(changed: ChangedFile[]): Pick<PatchStats, "files" | "added" | "deleted" | "changed"> {
  const sum = (key: "added" | "deleted") => changed.reduce((total, file) => total + (file[key] ?? 0), 0);
  return { files: changed.length, added: sum("added"), deleted: sum("deleted"), changed };
}

async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** By rename, which replaces what stands there: a link an agent planted under that name is not followed. */
async function publish(patch: string, file: string): Promise<void> {
  try {
    await rename(patch, file);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    const beside = `${file}.${randomUUID()}.tmp`;
    await copyFile(patch, beside, constants.COPYFILE_EXCL);
    await rename(beside, file);
  }
}

/** What a record says of a patch must be true after a crash, too. */
async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
