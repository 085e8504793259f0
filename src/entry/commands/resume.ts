import { findExperiment } from "../../pipeline/folder.js";
import { resumeExperiment } from "../../pipeline/start.js";
import { cancelOnSignals, createDeps } from "../deps.js";
import type { CommonOptions } from "../options.js";
import { present } from "../present.js";
import { findDatabaseUrl } from "../settings.js";

/** `multirun resume EXPERIMENT`. */
export async function resume(name: string, options: CommonOptions): Promise<void> {
  const deps = createDeps();
  const finished = await resumeExperiment({
    deps,
    path: findExperiment(name),
    databaseUrl: findDatabaseUrl(deps, {}, options.databaseUrl),
    cancel: cancelOnSignals(),
  });
  present(finished, options);
}
