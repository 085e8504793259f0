import { mkdir } from "node:fs/promises";
import { toJson, writeDurably } from "../../clients/files.js";
import { tallyResources } from "../../isolate/ledger.js";
import type { Experiment } from "../../model/experiment.js";
import type { BaseArtifacts, RunArtifacts } from "../../model/fact.js";
import type { LedgerLine } from "../../model/ledger.js";
import type { Report } from "../../model/report.js";
import { writeBaseFiles } from "../base-files.js";
import { readCodeOf } from "../code.js";
import { createExperimentFolder, type ExperimentFolder } from "../folder.js";
import { buildReport } from "../report.js";

/** Runs that somebody else made, as the artifacts of an experiment. */
export interface Gathered {
  experiment: Experiment;
  runs: RunArtifacts[];
  base: BaseArtifacts;
  /** The runs' patches to the byte, in their order. */
  patches: (Uint8Array | undefined)[];
  ledger: LedgerLine[];
}

export async function reportOf({ experiment, runs, base, ledger }: Gathered): Promise<Report> {
  const { acquired, released, open } = tallyResources(ledger);
  return buildReport({
    experiment,
    runs,
    base,
    code: await readCodeOf(runs, base),
    startedAt: experiment.createdAt,
    finishedAt: experiment.createdAt,
    resources: { acquired, released, leaked: open.map(({ kind, id }) => `${kind} ${id}`), kept: [] },
  });
}

/**
 * Writes it all as an experiment's folder, from which `synthesize` makes the same report.
 * @throws MultirunError `bad_input` where the folder holds something already
 */
export async function writeExperiment(out: string, gathered: Gathered): Promise<ExperimentFolder> {
  const { experiment, runs, base, patches, ledger } = gathered;
  const folder = await createExperimentFolder(out, experiment);
  const write = (path: string, value: unknown) => (value === null ? undefined : writeDurably(path, toJson(value)));
  await write(folder.base.schema, base.schema);
  await write(folder.base.checks, base.checks);
  if (base.files) await writeBaseFiles(folder, base.files);
  await writeDurably(folder.ledger, ledger.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (const [at, run] of runs.entries()) {
    const files = folder.run(run.id);
    await mkdir(files.folder);
    await write(files.schema, run.schema);
    await write(files.rows, run.rows);
    await write(files.checks, run.checks);
    if (run.patch !== null) await writeDurably(files.patch, patches[at] ?? run.patch);
    if (run.sql) await writeDurably(files.sql, run.sql.text);
    await write(files.record, run.record);
  }
  return folder;
}
