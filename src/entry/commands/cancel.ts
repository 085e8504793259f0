import { writeFile } from "node:fs/promises";
import { badInput } from "../../model/error.js";
import { findExperiment, openExperimentFolder } from "../../pipeline/folder.js";
import { experimentStatus } from "../../pipeline/status.js";
import { createDeps } from "../deps.js";

/** `multirun cancel EXPERIMENT`: asks the workers to stop, whichever process they are in. */
export async function cancel(name: string): Promise<void> {
  const path = findExperiment(name);
  const { folder, experiment } = await openExperimentFolder(path);
  const { alive, done, planned } = await experimentStatus(path, createDeps());
  if (!alive)
    throw badInput(
      `"${path}": nobody works on it (${done} of ${planned} runs are done)`,
      done < planned
        ? `What is left of it: multirun sweep. Go on: multirun resume ${path}`
        : `It is over. Its report: multirun synthesize ${path}`,
    );
  await writeFile(folder.cancel, "");
  process.stdout.write(`${experiment.id}: asked its workers to stop; they capture what there is and report\n`);
}
