import type { Git } from "../../model/deps.js";
import { findAddedByForce } from "./agent-index.js";
import { type BytePath, fromText, shown } from "./bytes.js";
import type { Scratch, Tree } from "./scratch.js";
import { type BaseEntry, readIgnored, readStatus } from "./status.js";
import { lookAtSubmodules } from "./submodules.js";
import { findOddities, type Oddity } from "./walk.js";

/** What may differ from base. */
export interface Changes {
  /** Every path of base among them, as base has it. */
  base: BaseEntry[];
  /** Those of them that are no longer there. */
  removed: BytePath[];
  /** What is there, and new or perhaps different. */
  present: BytePath[];
  warnings: string[];
}

export interface ChangesOptions {
  tree: Tree;
  submodules: readonly string[];
  base: string;
  format: string;
  scratch: Scratch;
}

/** Compares the work tree as it stands with the index of base. */
export async function findChanges(git: Git, options: ChangesOptions): Promise<Changes> {
  const { tree, submodules, base, format, scratch } = options;
  const [status, forced, oddities, modules] = await Promise.all([
    readStatus(git, scratch),
    findAddedByForce(git, { tree, base, scratch }),
    findOddities(tree.repo),
    lookAtSubmodules(git, { tree, paths: submodules, format, scratch }),
  ]);
  const untracked = new Set([...status.untracked, ...forced.paths]);
  const tracked = [...status.changed, ...modules.base.map((entry) => ({ ...entry, gone: true }))];
  const foreign = [...status.nested, ...submodules.map((path) => `${fromText(path)}/`)];
  const unnamed = await leaveOut(git, { oddities, foreign, known: new Set(tracked.map(({ path }) => path)), scratch });
  return {
    base: tracked.map(({ path, object }) => ({ path, object })),
    removed: tracked.filter(({ gone }) => gone).map(({ path }) => path),
    present: [...tracked.filter(({ gone }) => !gone).map(({ path }) => path), ...modules.replaced, ...untracked],
    warnings: [
      ...status.nested.map((path) => `${shown(path)} is a repository of its own: not part of the patch`),
      ...modules.warnings,
      ...unnamed.map(({ path, reason }) => `${shown(path)} ${reason}: not part of the patch`),
      ...forced.warnings,
    ],
  };
}

/** Oddities in folders nobody looks at are nobody's concern, and those in place of a file of base are named there. */
async function leaveOut(
  git: Git,
  options: { oddities: Oddity[]; foreign: BytePath[]; known: Set<BytePath>; scratch: Scratch },
): Promise<Oddity[]> {
  if (options.oddities.length === 0) return [];
  const ignored = (await readIgnored(git, options.scratch)).filter((path) => path.endsWith("/"));
  const outside = [...options.foreign, ...ignored];
  return options.oddities.filter(
    ({ path }) => !options.known.has(path) && !outside.some((folder) => path.startsWith(folder)),
  );
}
