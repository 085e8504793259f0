import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readLedger, tallyResources } from "../isolate/ledger.js";
import type { Deps } from "../model/deps.js";
import type { RunState } from "../model/ledger.js";
import type { RunOutcome } from "../model/record.js";
import { hasWorkers } from "./context.js";
import { defaultParent, openExperimentFolder } from "./folder.js";
import { openRuns } from "./local.js";
import { openExperimentLeases } from "./open.js";

export interface ExperimentStatus {
  id: string;
  path: string;
  title: string;
  /** True while a process works on it. */
  alive: boolean;
  done: number;
  planned: number;
  runs: { id: string; state: RunState; outcome: RunOutcome | null }[];
  /** Acquired and not given back, by the ledger. */
  open: string[];
}

/** What the runs of one experiment are doing, by its ledger and its leases. */
export async function experimentStatus(path: string, deps: Pick<Deps, "now">): Promise<ExperimentStatus> {
  const { folder, experiment } = await openExperimentFolder(path);
  const [lines, leases, open] = await Promise.all([
    readLedger(folder.ledger),
    openExperimentLeases(folder, deps),
    openRuns({ folder, experiment }),
  ]);
  const states = new Map<string, { state: RunState; outcome: RunOutcome | null }>();
  for (const line of lines) {
    if (line.event !== "state") continue;
    states.set(line.run, { state: line.state, outcome: line.outcome ?? states.get(line.run)?.outcome ?? null });
  }
  return {
    id: experiment.id,
    path: folder.path,
    title: experiment.task.title,
    alive: await hasWorkers(leases),
    done: experiment.runs.length - open.length,
    planned: experiment.runs.length,
    runs: experiment.runs.map(({ id }) => {
      const state = open.some((each) => each.id === id) ? "queued" : "done";
      return { id, state, outcome: null, ...states.get(id) };
    }),
    open: tallyResources(lines).open.map(({ kind, id }) => `${kind} ${id}`),
  };
}

/** The experiments of a repo's `.multirun/`, oldest first; folders that hold none are passed over. */
export async function listExperiments(repo: string): Promise<string[]> {
  const parent = join(repo, defaultParent);
  const names = await readdir(parent).catch(() => []);
  const paths = names.sort().map((name) => join(parent, name));
  const known = await Promise.all(
    paths.map((path) =>
      openExperimentFolder(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return known.flat();
}
