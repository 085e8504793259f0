import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readArtifact, toJson, writeDurably } from "../clients/files.js";
import { badInput, codeOf } from "../model/error.js";
import { type Experiment, experimentSchema } from "../model/experiment.js";

/** Where the parts of an experiment lie; programs of others rely on it, too. `attempts/` holds what is not yet, or never will be, a run's. */
export interface ExperimentFolder {
  path: string;
  experiment: string;
  ledger: string;
  /** What models were paid, call by call. */
  spending: string;
  leases: string;
  /** Its presence asks every worker to stop. */
  cancel: string;
  base: RunFiles;
  /** Texts of base that the runs touch. */
  baseFiles: string;
  runs: string;
  run(id: string): RunFiles;
  attempt(id: string, attempt: number): RunFiles;
  attempts: string;
  report: { json: string; markdown: string };
}

export interface RunFiles {
  folder: string;
  record: string;
  patch: string;
  /** The patch without denied paths, where there were any: only this may go to a branch then. */
  offered: string;
  /** The SQL a compared database was loaded from. */
  sql: string;
  schema: string;
  rows: string;
  checks: string;
  claims: string;
  /** How the agent ended, and what was captured: what a resumed attempt need not do again. Gone once published. */
  ended: string;
  captured: string;
}

/** The layout below one path. */
export function folderAt(path: string): ExperimentFolder {
  const at = (...parts: string[]): string => join(path, ...parts);
  return {
    path,
    experiment: at("experiment.json"),
    ledger: at("ledger.jsonl"),
    spending: at("spending.jsonl"),
    leases: at("leases"),
    cancel: at("cancel"),
    base: runFiles(at("base")),
    baseFiles: at("base", "files.json"),
    runs: at("runs"),
    run: (id) => runFiles(at("runs", id)),
    attempt: (id, attempt) => runFiles(at("attempts", `${id}-${attempt}`)),
    attempts: at("attempts"),
    report: { json: at("report.json"), markdown: at("report.md") },
  };
}

function runFiles(folder: string): RunFiles {
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    record: at("record.json"),
    patch: at("patch.diff"),
    offered: at("offered.diff"),
    sql: at("input.sql"),
    schema: at("schema.json"),
    rows: at("rows.json"),
    checks: at("checks.json"),
    claims: at("claims.json"),
    ended: at("ended.json"),
    captured: at("captured.json"),
  };
}

/** The folder experiments of a repo go to unless `--out` names another. */
export const defaultParent = ".multirun";

/** The experiment folder of what nobody keeps: beside its work folder, and gone with it. */
export function accountOf(work: string): string {
  return `${work}.account`;
}

/**
 * Makes the folder of a new experiment and writes its plan, before anything else starts.
 * @throws MultirunError `bad_input` where the folder holds something already
 */
export async function createExperimentFolder(path: string, experiment: Experiment): Promise<ExperimentFolder> {
  const folder = folderAt(resolve(path));
  await refuseUsed(folder.path);
  await mkdir(folder.path, { recursive: true });
  if (basename(dirname(folder.path)) === defaultParent) await hideFromGit(dirname(folder.path));
  for (const each of [folder.base.folder, folder.runs, folder.attempts]) await mkdir(each);
  await writeDurably(folder.experiment, toJson(experiment));
  return folder;
}

/** The bundled example's repo lies inside its experiment, so that the patches have something to be tried on. */
export const projectFolder = "project";

/** @throws MultirunError `bad_input` where a folder holds another experiment or anything else */
export async function refuseUsed(path: string): Promise<void> {
  const there = await readdir(path).catch((error: unknown): string[] => {
    if (codeOf(error) === "ENOENT") return [];
    throw badInput(`--out: "${path}" cannot be used: ${codeOf(error) ?? "unreadable"}`, "Name another folder.");
  });
  if (there.includes("experiment.json")) {
    throw badInput(
      `--out: "${path}" holds another experiment`,
      `Name another folder. What is in that one: multirun status ${path}`,
    );
  }
  if (there.some((name) => name !== projectFolder)) {
    throw badInput(`--out: "${path}" is not empty`, "Name an empty folder or one that does not exist yet.");
  }
}

/** `.multirun/` looks after itself: the user's own .gitignore stays as it is. */
async function hideFromGit(parent: string): Promise<void> {
  await writeFile(join(parent, ".gitignore"), "*\n", { flag: "wx" }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
}

/** Takes back a folder in which nothing was started. */
export async function removeExperimentFolder(folder: ExperimentFolder): Promise<void> {
  await rm(folder.path, { recursive: true, force: true });
}

/** An experiment as people name it: the path of its folder, or its id in a repo's `.multirun/`. */
export function findExperiment(name: string, repo = "."): string {
  const inRepo = resolve(repo, defaultParent, name);
  return !existsSync(resolve(name)) && existsSync(inRepo) ? inRepo : resolve(name);
}

/**
 * Reads the plan of an existing experiment.
 * @throws MultirunError `bad_input` where there is none or it is not ours
 */
export async function openExperimentFolder(
  path: string,
): Promise<{ folder: ExperimentFolder; experiment: Experiment }> {
  const folder = folderAt(resolve(path));
  const experiment = await readArtifact(folder.experiment, experimentSchema, "experiment.json");
  if (!experiment) {
    throw badInput(`"${path}" is no experiment: it has no experiment.json`, "See which there are: multirun status");
  }
  return { folder, experiment };
}
