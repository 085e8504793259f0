import { access, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { readArtifact } from "../clients/files.js";
import { findProgram } from "../execute/preflight.js";
import type { Deps } from "../model/deps.js";
import { badInput, codeOf, MultirunError } from "../model/error.js";
import type { Experiment } from "../model/experiment.js";
import { runRecord } from "../model/record.js";
import type { Report } from "../model/report.js";
import type { Secret } from "../model/secret.js";
import { neededBytes, requireDisk } from "../plan/disk.js";
import { hasWorkers } from "./context.js";
import { createExperimentFolder, openExperimentFolder, removeExperimentFolder } from "./folder.js";
import { openRuns, runExperiment } from "./local.js";
import { requireKeys, requireMeter } from "./models.js";
import { type OpenOptions, openContext } from "./open.js";

export interface StartOptions {
  deps: Deps;
  experiment: Experiment;
  /** Size of a checkout of the base commit. */
  checkoutBytes: number;
  out: string;
  databaseUrl: Secret | null;
  cancel: AbortController;
}

export interface Finished {
  report: Report;
  /** Path of the experiment. */
  folder: string;
  cancelled: boolean;
}

/**
 * Checks that a plan can be carried out, writes it down and carries it out.
 * @throws MultirunError `bad_input`: nothing was started, nothing is left
 */
export async function startExperiment(options: StartOptions): Promise<Finished> {
  const { deps, experiment, checkoutBytes, out } = options;
  for (const { command } of experiment.variants) if (command !== null) await requireProgram(deps, experiment, command);
  requireKeys(experiment, deps);
  await requireShown(experiment);
  await requireDisk(dirname(experiment.work), neededBytes(experiment, checkoutBytes));
  const folder = await createExperimentFolder(out, experiment);
  try {
    deps.log.info(`${experiment.id}: ${experiment.runs.length} runs of "${experiment.task.title}" in ${folder.path}`);
    if (experiment.dirty) deps.log.info("the work tree has changes: runs start from the commit, without them");
    return await perform({ ...options, folder, experiment });
  } catch (error) {
    const untouched = (await openRuns({ folder, experiment })).length === experiment.runs.length;
    if (error instanceof MultirunError && error.code === "bad_input" && untouched) await removeExperimentFolder(folder);
    throw error;
  }
}

export interface ResumeOptions {
  deps: Deps;
  path: string;
  databaseUrl: Secret | null;
  cancel: AbortController;
}

/**
 * Goes on with an experiment: runs that have a result keep it, the others are done.
 * @throws MultirunError `bad_input` where the folder is no experiment
 */
export async function resumeExperiment(options: ResumeOptions): Promise<Finished> {
  const { folder, experiment } = await openExperimentFolder(options.path);
  requireKeys(experiment, options.deps);
  requireMeter(experiment, options.deps);
  await reopenUntried({ folder, experiment });
  const open = await openRuns({ folder, experiment });
  options.deps.log.info(
    `${experiment.id}: ${experiment.runs.length - open.length} of ${experiment.runs.length} runs are done`,
  );
  return perform({ ...options, folder, experiment });
}

async function perform(options: OpenOptions): Promise<Finished> {
  const { context, close } = await openContext(options);
  try {
    // An old wish to cancel is not meant for those who go on; one that a living worker has yet to see is.
    if (!(await hasWorkers(context.leases))) await rm(options.folder.cancel, { force: true });
    // Looked for before anything is made, whoever starts them later.
    for (const variant of options.experiment.variants) await context.models.agentOf(variant);
    const { atOnce } = await context.database.check();
    const parallel = Math.min(context.parallel, atOnce ?? context.parallel);
    if (parallel < context.parallel) {
      const text = `The database had room for ${parallel} runs at once, not ${context.parallel}: the others waited.`;
      options.deps.log.warn(text);
      await context.ledger.write({ event: "note", run: "experiment", attempt: 1, text });
    }
    const report = await runExperiment({ ...context, parallel });
    return { report, folder: options.folder.path, cancelled: context.signal.aborted };
  } finally {
    await close();
  }
}

/** Runs whose agent never began are no results yet: a resumed experiment tries them again. */
async function reopenUntried({ folder, experiment }: Pick<OpenOptions, "folder" | "experiment">): Promise<void> {
  for (const { id } of experiment.runs) {
    const record = await readArtifact(folder.run(id).record, runRecord, `runs/${id}/record.json`).catch(
      () => undefined,
    );
    if (record?.outcome !== "infra_failed") continue;
    await rename(folder.run(id).folder, folder.attempt(id, record.attempt).folder).catch((error: unknown) => {
      // Another process did it just now.
      if (codeOf(error) !== "ENOENT") throw error;
    });
  }
}

/** What is to be shown to the agents must be there. */
async function requireShown({ expose }: Experiment): Promise<void> {
  for (const path of expose) {
    if (
      await access(path).then(
        () => false,
        () => true,
      )
    ) {
      throw badInput(
        `expose: "${path}" is not there`,
        "Name a file or folder that is, relative to the repo or absolute.",
      );
    }
  }
}

/** A relative path must be in the commit, as that is where the agent starts; any other word on PATH or the shell's. */
async function requireProgram(deps: Deps, { repo, base }: Experiment, command: string): Promise<void> {
  const path = deps.environment["PATH"] ?? "";
  const { word, found } = await findProgram(command, { path, cwd: repo });
  if (word === undefined) return;
  const relative = word.includes("/") && !word.startsWith("/");
  if (relative ? await isInCommit(deps, repo, `${base}:${word.replace(/^\.\//, "")}`) : found) return;
  throw badInput(
    `agent program "${word}" is not found${relative ? ` in the commit ${base.slice(0, 12)}` : ""}`,
    relative ? "Commit it, or name it by its absolute path." : "Install it, or name it by its absolute path.",
  );
}

async function isInCommit(deps: Deps, repo: string, object: string): Promise<boolean> {
  return (await deps.git.result(["cat-file", "-e", object], { cwd: repo, accept: [1, 128] })).exitCode === 0;
}
