import { readBaseFiles } from "../capture/base-files.js";
import { readArtifact, readPlainFile, toJson, writeDurably } from "../clients/files.js";
import { basePathsOf } from "../facts/code/patch/read-patch.js";
import { type BaseFile, baseFilesSchema } from "../model/code.js";
import { messageOf } from "../model/error.js";
import { redactIn } from "../model/secret.js";
import type { Context } from "./context.js";
import type { ExperimentFolder } from "./folder.js";

type Place = Pick<Context, "deps" | "experiment" | "folder" | "secrets">;

/**
 * Puts the texts the runs' patches were made for beside them, so that the report can be made again where the repo is not.
 * Without them the report still comes: it then knows of edited files only that they were.
 */
export async function keepBaseFiles({ deps, experiment, folder, secrets }: Place): Promise<void> {
  const paths: string[] = [];
  try {
    for (const { id } of experiment.runs) {
      // A patch that cannot be read is told of by the report.
      const patch = await readPlainFile(folder.run(id).patch, `runs/${id}/patch.diff`).catch(() => undefined);
      for (const path of basePathsOf(patch ?? "")) paths.push(path);
    }
    const { repo, base: commit } = experiment;
    const files = await readBaseFiles({ git: deps.git, at: { cwd: repo }, commit, paths });
    const shown = [...files].map(([path, file]) => redactIn([path, file] as const, secrets, "mask"));
    await writeBaseFiles(folder, new Map(shown));
  } catch (error) {
    deps.log.warn(`the texts of ${experiment.base} cannot be kept: ${messageOf(error)}`);
  }
}

export async function writeBaseFiles(folder: ExperimentFolder, files: ReadonlyMap<string, BaseFile>): Promise<void> {
  await writeDurably(folder.baseFiles, toJson({ version: 1, files: Object.fromEntries(files) }));
}

/** @throws MultirunError `bad_artifact` */
export async function readKeptFiles(folder: ExperimentFolder): Promise<Map<string, BaseFile> | undefined> {
  const kept = await readArtifact(folder.baseFiles, baseFilesSchema, "base/files.json");
  return kept && new Map(Object.entries(kept.files));
}
