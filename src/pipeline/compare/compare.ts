import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { withoutIdentity } from "../../facts/state.js";
import type { Deps } from "../../model/deps.js";
import { badInput } from "../../model/error.js";
import type { Experiment } from "../../model/experiment.js";
import type { RunArtifacts } from "../../model/fact.js";
import { experimentId, type RunId } from "../../model/ids.js";
import type { PatchStats } from "../../model/record.js";
import type { Report } from "../../model/report.js";
import { pinBase } from "../../plan/repository.js";
import { accountOf } from "../folder.js";
import { readBaseTexts } from "./base-texts.js";
import { type Loaded, type LoadedFolder, loadDatabases, type SqlFile } from "./databases.js";
import { type Gathered, reportOf } from "./gathered.js";
import { type FolderInputs, type FolderRun, type Found, readFolder } from "./inputs.js";
import { readPatches } from "./patches.js";
import { type Overrides, planComparison } from "./plan.js";
import { comparedRecord } from "./record.js";

export interface CompareFolderOptions {
  deps: Deps;
  /** Folder with `<run>.patch`, `<run>.sql`, `<run>.checks.json` and, for all, `base.sql`. Nothing is written there. */
  from: string;
  /** A ref of a repository: the commit the patches were made for. */
  base?: { repo: string; ref: string } | undefined;
  /** Name of the run that is aligned and not counted. */
  reference?: string | undefined;
  overrides?: Overrides;
  /** Folder for what is needed meanwhile: the system's temporary folder. */
  temporary: string;
  cancel: AbortController;
}

/**
 * N runs that somebody else made, as files → report.
 * @throws MultirunError `bad_input`: no such folder or run, or `base.sql` fails
 */
export async function compareFolder(options: CompareFolderOptions): Promise<Report> {
  return reportOf(await gatherFolder(options));
}

/** The same, before it is compared. */
export async function gatherFolder(options: CompareFolderOptions): Promise<Gathered> {
  const folder = resolve(options.from);
  const { base: named, deps } = options;
  const commit = named && (await pinBase(deps.git, resolve(named.repo), named.ref));
  const inputs = withReferenceLast(await readFolder(folder), options.reference);
  const hasDatabase = inputs.base.sql !== undefined || inputs.runs.some(({ sql }) => sql !== undefined);
  const experiment = planFolder(folder, {
    inputs,
    commit: commit?.sha,
    hasDatabase,
    references: options.reference === undefined ? 0 : 1,
    temporary: options.temporary,
    overrides: options.overrides,
  });
  const patches = await readPatches(options, inputs.runs);
  const databases = hasDatabase ? await load(options, experiment, inputs) : undefined;
  const runs = experiment.runs.map((run, at): RunArtifacts => {
    const input = inputs.runs[at];
    if (input === undefined) throw new Error("every planned run is an input");
    return artifactsOf({ experiment, run, input, patch: patches[at], databases });
  });
  const files = await readBaseTexts({ deps, folder, runs: inputs.runs, commit });
  const base = { schema: databases?.base ?? null, checks: inputs.base.checks ?? null, ...(files ? { files } : {}) };
  const patchBytes = inputs.runs.map(({ patch }) => (patch && "value" in patch ? patch.value : undefined));
  return { experiment, runs, base, patches: patchBytes, ledger: databases?.ledger ?? [] };
}

function withReferenceLast(inputs: FolderInputs, reference: string | undefined): FolderInputs {
  if (reference === undefined) return inputs;
  const found = inputs.runs.filter(({ name }) => name === reference);
  const others = inputs.runs.filter(({ name }) => name !== reference);
  if (found.length === 0) {
    const names = others.slice(0, 20).map(({ name }) => name);
    throw badInput(`--reference: there is no run "${reference}"`, `Name one of these: ${names.join(", ")}.`);
  }
  if (others.length === 0) throw badInput("--reference: no other run is there", "Compare at least one run with it.");
  return { ...inputs, runs: [...others, ...found] };
}

const nothing = "0".repeat(40);

interface FolderPlan {
  inputs: FolderInputs;
  commit: string | undefined;
  hasDatabase: boolean;
  references: number;
  temporary: string;
  overrides: Overrides | undefined;
}

/** The same folder gives the same plan: nothing in it comes from the clock. */
function planFolder(folder: string, { inputs, commit = nothing, ...plan }: FolderPlan): Experiment {
  const title = folder.split("/").at(-1) || "comparison";
  return planComparison({
    id: experimentId.parse(`compare-${inputs.sha256.slice(0, 12)}`),
    title,
    names: inputs.runs.map(({ name }) => name),
    base: commit,
    repo: folder,
    createdAt: new Date(inputs.modifiedMs).toISOString(),
    seeds: inputs.base.sql === undefined ? [] : [{ path: "base.sql", sha256: inputs.sha256, sql: inputs.base.sql }],
    ...plan,
  });
}

/** With an id and folders that no other comparison has, of the same runs or of others. */
function load(options: CompareFolderOptions, plan: Experiment, { runs }: FolderInputs): Promise<LoadedFolder> {
  const { deps, temporary, cancel } = options;
  const id = experimentId.parse(`compare-${randomBytes(5).toString("hex")}`);
  const files = plan.runs.flatMap(({ id: run }, at): SqlFile[] => {
    const input = runs[at];
    return input?.sql && "value" in input.sql ? [{ id: run, file: `${input.name}.sql`, sql: input.sql.value }] : [];
  });
  const experiment = { ...plan, id, work: join(temporary, `multirun-${id}`) };
  return loadDatabases({ deps, experiment, folder: accountOf(experiment.work), files, cancel });
}

interface Parts {
  experiment: Experiment;
  run: Experiment["runs"][number];
  input: FolderRun;
  patch: Found<PatchStats> | undefined;
  databases: LoadedFolder | undefined;
}

/** What a run has no file of, it did not do: its database is base's, its patch is empty. */
function artifactsOf({ experiment, run, input, patch, databases }: Parts): RunArtifacts {
  const loaded = loadedOf(run.id, input, databases);
  const checks = input.checks && "value" in input.checks ? input.checks.value : null;
  const unreadable = [
    ...(patch && "reason" in patch ? [{ what: "patch", reason: patch.reason }] : []),
    ...(loaded && "reason" in loaded ? [{ what: "database", reason: loaded.reason }] : []),
    ...(input.checks && "reason" in input.checks ? [{ what: "checks.json", reason: input.checks.reason }] : []),
  ];
  const stats = patch && "value" in patch ? patch.value : null;
  const read = loaded && "schema" in loaded ? loaded : null;
  const lineage = read?.lineage ?? "independent";
  const record = comparedRecord({
    experiment,
    run,
    patch: stats,
    database: databases ? { provider: "embedded", lineage } : null,
    checks,
    changed: (stats?.files ?? 0) > 0 || (read !== null && hasChanged(read, databases)),
    unreadable,
  });
  const text = input.patch && "value" in input.patch ? input.patch.value.toString("utf8") : null;
  const lostRows = (read?.rows.unreadable ?? []).map(({ object, reason }) => ({ what: `rows of ${object}`, reason }));
  return {
    id: run.id,
    record,
    schema: read?.schema ?? null,
    rows: read?.rows ?? null,
    checks,
    patch: text,
    ...(read && input.sql && "value" in input.sql ? { sql: { file: `${input.name}.sql`, text: input.sql.value } } : {}),
    unreadable: [...unreadable, ...lostRows],
  };
}

function loadedOf(id: RunId, { sql }: FolderRun, databases: LoadedFolder | undefined): Loaded | undefined {
  if (databases === undefined) return undefined;
  if (sql === undefined) return databases.untouched;
  return "reason" in sql ? sql : (databases.runs.get(id) ?? { reason: "it was not loaded" });
}

function hasChanged(
  { schema, rows }: Exclude<Loaded, { reason: string }>,
  databases: LoadedFolder | undefined,
): boolean {
  if (rows.tables.length > 0 || rows.unreadable.length > 0 || databases === undefined) return true;
  return withoutIdentity(schema) !== withoutIdentity(databases.base);
}
