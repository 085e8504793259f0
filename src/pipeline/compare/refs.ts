import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { readBaseFiles } from "../../capture/base-files.js";
import { type BranchPatch, readBranch } from "../../capture/patch/branch.js";
import { basePathsOf } from "../../facts/code/patch/read-patch.js";
import { readSource } from "../../isolate/workspace/source.js";
import type { BaseFile } from "../../model/code.js";
import type { Deps, Git } from "../../model/deps.js";
import { badInput, MultirunError } from "../../model/error.js";
import type { RunArtifacts } from "../../model/fact.js";
import { experimentId, maxRuns } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareNatural, mostCommon } from "../../model/text.js";
import { pinBase, resolveRefs } from "../../plan/repository.js";
import { type Gathered, reportOf } from "./gathered.js";
import type { Found } from "./inputs.js";
import { type Scratch, withEmptyRepository } from "./patches.js";
import { type Overrides, planComparison } from "./plan.js";
import { comparedRecord } from "./record.js";

export interface CompareRefsOptions {
  deps: Deps;
  /** A folder of the repository, whose branches stay as they are. */
  repo: string;
  /** What the branches are compared with: each counts from where it left this. */
  base: string;
  refs: readonly string[];
  /** A ref that is aligned and not counted. */
  reference?: string | undefined;
  overrides?: Overrides;
  /** Folder for what is needed meanwhile: the system's temporary folder. */
  temporary: string;
  cancel: AbortController;
}

/**
 * N branches or commits that are there → report. Nothing is checked out.
 * @throws MultirunError `bad_input`: no repository, fewer than 2 refs or more than 256, one that is no commit or named twice
 */
export async function compareRefs(options: CompareRefsOptions): Promise<Report> {
  return reportOf(await gatherRefs(options));
}

/** The same, before it is compared. */
export async function gatherRefs(options: CompareRefsOptions): Promise<Gathered> {
  const { deps, temporary, reference, cancel } = options;
  const names = namesOf(options);
  const base = await pinBase(deps.git, resolve(options.repo), options.base);
  const commits = await resolveRefs(deps.git, base.repo, names);
  const { objects, format, shallow } = await readSource(deps.git, { cwd: base.repo }, base.sha);
  const { branches, files } = await withEmptyRepository({ temporary, objects: [objects], format, shallow }, (scratch) =>
    readAll({ deps, scratch, base: base.sha, cancel }, commits),
  );
  const experiment = planComparison({
    id: experimentId.parse(`compare-${hashOf([base.sha, ...[...commits].flat()]).slice(0, 12)}`),
    title: `${names.length - (reference === undefined ? 0 : 1)} branches from ${options.base}`,
    names,
    references: reference === undefined ? 0 : 1,
    base: base.sha,
    repo: base.repo,
    createdAt: await newest(deps, base.repo, [...commits.values()]),
    seeds: [],
    hasDatabase: false,
    temporary,
    overrides: options.overrides,
  });
  const runs = experiment.runs.map((run, at) => artifactsOf(experiment, run, branches[at]));
  const patches = branches.map((each) => ("value" in each ? each.value.patch : undefined));
  return { experiment, runs, base: { schema: null, checks: null, files }, patches, ledger: [] };
}

interface Reading {
  deps: Pick<Deps, "git" | "log">;
  scratch: Scratch;
  base: string;
  cancel: AbortController;
}

async function readAll({ deps, scratch, base, cancel }: Reading, commits: ReadonlyMap<string, string>) {
  const branches: Found<BranchPatch>[] = [];
  for (const [name, commit] of commits) {
    cancel.signal.throwIfAborted();
    const branch = await tryBranch({ git: deps.git, scratch, base, commit });
    if ("value" in branch) for (const each of branch.value.stats.warnings) deps.log.warn(`${name}: ${each}`);
    branches.push(branch);
  }
  return { branches, files: await readForkFiles(deps.git, scratch, branches) };
}

/**
 * The texts most branches started from. Where some left base at another commit, they are read as far as their patches apply
 * to these: what runs do can only be compared on one ground.
 */
function readForkFiles(git: Git, { cwd, gitDir }: Scratch, branches: readonly Found<BranchPatch>[]) {
  const read = branches.flatMap((each) => ("value" in each ? [each.value] : []));
  const commit = mostCommon(read.map(({ fork }) => fork));
  if (commit === undefined) return Promise.resolve(new Map<string, BaseFile>());
  const paths = read.flatMap(({ patch }) => basePathsOf(Buffer.from(patch).toString("utf8")));
  return readBaseFiles({ git, at: { cwd, gitDir }, commit, paths });
}

/** In natural order, so that the order on the command line means nothing; the reference last. */
function namesOf({ refs, reference }: CompareRefsOptions): string[] {
  if (refs.length < 2 || refs.length > maxRuns) {
    throw badInput(
      `compare: ${refs.length} refs: must be from 2 to ${maxRuns}`,
      "Name branches, tags or commits: multirun compare --base main try-1 try-2 try-3.",
    );
  }
  const names = [...[...refs].sort(compareNatural), ...(reference === undefined ? [] : [reference])];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw badInput(`compare: "${twice}" is named twice`, "Name each ref once.");
  if (names.length > maxRuns) throw badInput(`compare: more than ${maxRuns} refs`, "Leave some out.");
  return names;
}

async function tryBranch(options: Parameters<typeof readBranch>[0]): Promise<Found<BranchPatch>> {
  try {
    return { value: await readBranch(options) };
  } catch (error) {
    if (!(error instanceof MultirunError) || error.code !== "bad_artifact") throw error;
    return { reason: error.message };
  }
}

/** When the last of the commits was made: nothing else tells when the runs were. */
async function newest({ git }: Pick<Deps, "git">, repo: string, commits: readonly string[]): Promise<string> {
  const times = await git.text(["show", "--no-patch", "--format=%ct", ...commits], { cwd: repo });
  const seconds = times
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  return new Date(Math.max(0, ...seconds) * 1000).toISOString();
}

function hashOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

type Planned = Gathered["experiment"];

function artifactsOf(
  experiment: Planned,
  run: Planned["runs"][number],
  branch: Found<BranchPatch> | undefined,
): RunArtifacts {
  const read = branch && "value" in branch ? branch.value : null;
  const unreadable = branch && "reason" in branch ? [{ what: "patch", reason: branch.reason }] : [];
  const record = comparedRecord({
    experiment,
    run,
    patch: read?.stats ?? null,
    database: null,
    checks: null,
    changed: (read?.stats.files ?? 0) > 0,
    unreadable,
    warnings: read?.stats.warnings ?? [],
  });
  const patch = read && Buffer.from(read.patch).toString("utf8");
  return { id: run.id, record, schema: null, rows: null, checks: null, patch, unreadable };
}
