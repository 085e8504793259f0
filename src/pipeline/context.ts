import type { Reference } from "../capture/reference.js";
import type { DatabaseProvider } from "../isolate/database/database.js";
import type { Leases } from "../isolate/leases.js";
import type { Ledger } from "../isolate/ledger.js";
import type { Network } from "../isolate/network/network.js";
import type { Resource } from "../isolate/resource.js";
import type { Sandbox } from "../isolate/sandbox/sandbox.js";
import type { Workspace } from "../isolate/workspace/workspace.js";
import type { Deps } from "../model/deps.js";
import { MultirunError } from "../model/error.js";
import type { Experiment, Variant } from "../model/experiment.js";
import type { Secret } from "../model/secret.js";
import type { ExperimentFolder } from "./folder.js";
import type { Models } from "./models.js";

/** What every step of an experiment on this machine works with. */
export interface Context {
  folder: ExperimentFolder;
  experiment: Experiment;
  deps: Deps;
  ledger: Ledger;
  leases: Leases;
  work: Resource<void>;
  workspaces: Resource<Workspace>;
  database: DatabaseProvider;
  /** Runs at once: as many as were asked for, or as the database has room for. */
  parallel: number;
  sandbox: Sandbox;
  network: Network;
  models: Models;
  /** What nothing of the experiment may hold, whatever run it comes from. */
  secrets: readonly Secret[];
  /** Aborted when the user cancels: agents end, what they did is captured, everything goes back. */
  signal: AbortSignal;
}

/** The untouched project's database, for capture to compare with. */
export interface BaseDatabase {
  reference: Reference;
  /** False where the experiment was resumed on a database made anew: object identities do not carry over. */
  sameAsRecorded: boolean;
}

/** Whoever makes, looks for or gives back what all runs share holds this: one process at a time. */
export const sharedLease = "shared";

/** Every process at an experiment holds a lease of this name and its own number as long as it is there. */
export const workerLease = "worker-";

/** True where any process is at the experiment, this one included once it holds its lease. */
export async function hasWorkers(leases: Leases): Promise<boolean> {
  return (await leases.held()).some((name) => name.startsWith(workerLease));
}

/** The base database as it comes to be, while workspaces are made already. */
export interface Base {
  /** Resolves when runs can be cloned from it; rejects where a seed or the setup fails. */
  sealed: Promise<void>;
  /** What capture compares with, read once; null where the experiment has no database. */
  read(): Promise<BaseDatabase | null>;
}

/** How long one release may take before the rest goes on without it. */
export const releaseMs = 30_000;

/** How long one step of a capture may take: whole-table hashes and diffs included. */
export const captureMs = 5 * 60_000;

/** The settings a run was planned with. */
export function variantOf(experiment: Experiment, name: string): Variant {
  const found = experiment.variants.find((each) => each.name === name);
  if (!found) throw new MultirunError("bad_artifact", `experiment.json names no variant "${name}"`);
  return found;
}
