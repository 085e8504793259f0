import { lstat } from "node:fs/promises";
import { readArtifact, readPlainFile } from "../clients/files.js";
import { readLedger, tallyResources } from "../isolate/ledger.js";
import { MultirunError, messageOf } from "../model/error.js";
import type { Experiment } from "../model/experiment.js";
import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";
import type { LedgerLine } from "../model/ledger.js";
import { checksSchema, runRecord, type Unreadable } from "../model/record.js";
import type { Report } from "../model/report.js";
import { rowChanges } from "../model/rows.js";
import { schemaSnapshot } from "../model/schema.js";
import { readKeptFiles } from "./base-files.js";
import { readCodeOf } from "./code.js";
import { type ExperimentFolder, openExperimentFolder } from "./folder.js";
import { buildReport } from "./report.js";

/** An experiment folder → report. Runs nothing, trusts nothing: every file is size-checked and validated. */
export async function synthesizeFolder(path: string): Promise<Report> {
  const { folder, experiment } = await openExperimentFolder(path);
  const [runs, base, lines] = await Promise.all([
    readRuns(folder, experiment),
    readBase(folder),
    readLedger(folder.ledger),
  ]);
  const tally = tallyResources(lines);
  const open = tally.open.map(({ kind, id }) => `${kind} ${id}`);
  const finishes = runs.flatMap(({ record }) => (record ? [record.finishedAt] : [])).sort();
  return buildReport({
    experiment,
    runs,
    base,
    code: await readCodeOf(runs, base),
    startedAt: experiment.createdAt,
    finishedAt: finishes.at(-1) ?? experiment.createdAt,
    notes: notesIn(lines),
    resources: {
      acquired: tally.acquired,
      released: tally.released,
      leaked: experiment.keep ? [] : open,
      kept: experiment.keep ? open : [],
    },
  });
}

/** What the harness noted of the whole, each once. */
function notesIn(lines: readonly LedgerLine[]): string[] {
  return [...new Set(lines.flatMap((line) => (line.event === "note" && line.run === "experiment" ? [line.text] : [])))];
}

interface Place {
  folder: ExperimentFolder;
  experiment: Experiment;
}

type PlannedRun = Experiment["runs"][number];

/** One after the other: a run's artifacts may be large, and reading is not what takes the time. */
async function readRuns(folder: ExperimentFolder, experiment: Experiment): Promise<RunArtifacts[]> {
  const runs: RunArtifacts[] = [];
  for (const run of experiment.runs) {
    if (await isFolder(folder.run(run.id).folder)) runs.push(await readRun({ folder, experiment }, run));
  }
  return runs;
}

async function readRun({ folder, experiment }: Place, { id, variant }: PlannedRun): Promise<RunArtifacts> {
  const files = folder.run(id);
  const refused: Unreadable[] = [];
  const read = <T>(name: string, reading: Promise<T | undefined>): Promise<T | null> =>
    reading.then(
      (value) => value ?? null,
      (error: unknown) => refuse(refused, name, error),
    );
  const found = await read("record.json", readArtifact(files.record, runRecord, `runs/${id}/record.json`));
  const own = found?.id === id && found.experiment === experiment.id;
  if (found && !own) {
    refused.push({ what: "record.json", reason: `it is the record of ${found.id} of ${found.experiment}` });
  }
  const record = own ? found : null;
  const sql = await read("input.sql", readPlainFile(files.sql, `runs/${id}/input.sql`));
  const rows = await read("rows.json", readArtifact(files.rows, rowChanges, `runs/${id}/rows.json`));
  return {
    id,
    record,
    schema: await read("schema.json", readArtifact(files.schema, schemaSnapshot, `runs/${id}/schema.json`)),
    rows,
    checks: await read("checks.json", readArtifact(files.checks, checksSchema, `runs/${id}/checks.json`)),
    patch: await read("patch.diff", readPlainFile(files.patch, `runs/${id}/patch.diff`)),
    ...(sql === null ? {} : { sql: { file: `${variant}.sql`, text: sql } }),
    unreadable: [
      ...refused,
      ...(record?.unreadable ?? []),
      ...(rows?.unreadable ?? []).map(({ object, reason }) => ({ what: `rows of ${object}`, reason })),
    ],
  };
}

/** One bad file makes one run unreadable in one respect, never the experiment. */
function refuse(refused: Unreadable[], what: string, error: unknown): null {
  if (!(error instanceof MultirunError) || error.code !== "bad_artifact") {
    throw new MultirunError("infra", messageOf(error), { cause: error });
  }
  refused.push({ what, reason: error.message });
  return null;
}

/** Links are not followed: what counts as a run's must be its own. */
async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function readBase(folder: ExperimentFolder): Promise<BaseArtifacts> {
  const { base } = folder;
  const files = await readKeptFiles(folder);
  return {
    schema: (await readArtifact(base.schema, schemaSnapshot, "base/schema.json")) ?? null,
    checks: (await readArtifact(base.checks, checksSchema, "base/checks.json")) ?? null,
    ...(files ? { files } : {}),
  };
}
