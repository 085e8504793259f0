import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Git, GitOptions, GitResult } from "../../model/deps.js";
import { MultirunError } from "../../model/error.js";
import type { PatchStats } from "../../model/record.js";
import { patchArguments, rawArguments, summarise } from "./patch.js";
import { parseStats } from "./stats.js";

export interface BranchOptions {
  git: Git;
  /** A repository of ours that sees the objects: nothing the user's own one configures takes part. */
  scratch: GitOptions & { folder: string };
  /** Full shas. */
  base: string;
  commit: string;
}

export interface BranchPatch {
  /** The commit it was made for. */
  fork: string;
  patch: Uint8Array;
  stats: PatchStats;
}

/**
 * What a branch did: the difference from where it left base, or from base where they share no history. Work tree and
 * branches stay as they are.
 * @throws MultirunError `bad_artifact` where git cannot read it
 */
export async function readBranch({ git, scratch, base, commit }: BranchOptions): Promise<BranchPatch> {
  const { folder, ...at } = scratch;
  const merged = await git.result(["merge-base", base, commit], { ...at, accept: [1] });
  const fork = textOf(merged).trim() || base;
  const diff = async (...args: string[]) =>
    read(await git.result(["diff", "--find-renames", ...args, fork, commit], { ...at, accept: [128] }));
  const raw = await diff(...rawArguments);
  const patch = await diff(...patchArguments);
  const measured = { bytes: patch.length, sha256: createHash("sha256").update(patch).digest("hex") };
  const applies = fork === base || (await appliesTo(base, patch, { git, at, folder }));
  const warnings = [
    ...(merged.exitCode === 0 ? [] : ["shares no history with base: all that differs from base counts as its change"]),
    ...(applies ? [] : ["the patch does not apply to base: the branch left it earlier"]),
  ];
  return { fork, patch, stats: { ...summarise(parseStats(raw)), ...measured, applies, warnings } };
}

interface Trial {
  git: Git;
  at: GitOptions;
  folder: string;
}

async function appliesTo(base: string, patch: Uint8Array, { git, at, folder }: Trial): Promise<boolean> {
  const tried = { ...at, indexFile: join(folder, "trial") };
  await git.result(["read-tree", base], tried);
  const args = ["apply", "--cached", "--binary", "--allow-empty", "--whitespace=nowarn", "-"];
  return (await git.result(args, { ...tried, input: patch, accept: [1, 128] })).exitCode === 0;
}

function read(result: GitResult): Uint8Array {
  if (result.exitCode === 0) return result.stdout;
  const said = /^(?:fatal|error): (.*)$/m.exec(result.stderr)?.[1] ?? "git cannot read it";
  throw new MultirunError("bad_artifact", `the branch cannot be read: ${said}`);
}

function textOf({ stdout }: GitResult): string {
  return Buffer.from(stdout).toString("utf8");
}
