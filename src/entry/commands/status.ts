import { resolve } from "node:path";
import { findExperiment } from "../../pipeline/folder.js";
import { type ExperimentStatus, experimentStatus, listExperiments } from "../../pipeline/status.js";
import { createDeps } from "../deps.js";
import type { CommonOptions } from "../options.js";
import { say, sayJson } from "../say.js";

/** `multirun status [experiment]`: one experiment in detail, or a line for each of the repo. */
export async function status(name: string | undefined, options: CommonOptions): Promise<void> {
  const deps = createDeps();
  if (name !== undefined) {
    const one = await experimentStatus(findExperiment(name, options.repo), deps);
    if (options.json) sayJson(one);
    else say(describe(one));
    return;
  }
  const paths = await listExperiments(resolve(options.repo ?? "."));
  const all = await Promise.all(paths.map((each) => experimentStatus(each, deps)));
  const lines = all.map(summarise).join("") || "no experiments here; see multirun run --help\n";
  if (options.json) sayJson(all);
  else say(lines);
}

function summarise({ path, done, planned, alive, open }: ExperimentStatus): string {
  const state = alive ? "running" : done < planned ? "interrupted: resume or sweep it" : "done";
  return `${path}  ${done}/${planned} ${state}${open.length > 0 && !alive ? ` · ${open.length} not given back` : ""}\n`;
}

function describe(one: ExperimentStatus): string {
  const cutOff = (state: string) => !one.alive && state !== "done" && state !== "queued";
  const runs = one.runs.map(
    ({ id, state, outcome }) =>
      `  ${id} ${cutOff(state) ? "interrupted while " : ""}${state}${outcome ? ` (${outcome})` : ""}\n`,
  );
  const open = one.open.map((name) => `  not given back: ${name}\n`);
  return [summarise(one), ...runs, ...(one.alive ? [] : open)].join("");
}
