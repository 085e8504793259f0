import { join } from "node:path";
import type { Experiment, SeedFile, Variant } from "../../model/experiment.js";
import { type ExperimentId, runIds } from "../../model/ids.js";

export interface ComparePlan {
  id: ExperimentId;
  title: string;
  /** Names of the runs, counted ones first. */
  names: readonly string[];
  /** How many of them, the last ones, are references. */
  references: number;
  base: string;
  repo: string;
  createdAt: string;
  seeds: readonly SeedFile[];
  hasDatabase: boolean;
  /** Where a work folder would lie. There is none of this name, so that nobody who resumes or sweeps finds anything. */
  temporary: string;
  overrides: Overrides | undefined;
}

/** Names that are one thing, and names that never are: the lists a repo keeps. */
export type Overrides = Pick<Experiment, "aliases" | "distinct">;

/** Runs that somebody else made, as the plan of an experiment: each is a variant of its own, which is how it is named. */
export function planComparison(plan: ComparePlan): Experiment {
  const { id, title, names, references, base, repo, createdAt, seeds, hasDatabase } = plan;
  const runs = runIds(names.length);
  const counted = names.length - references;
  return {
    version: 1,
    id,
    createdAt,
    task: { title, text: "", sha256: "", source: "compare" },
    repo,
    base,
    dirty: false,
    parallel: Math.min(names.length, 8),
    sandbox: "unknown",
    database: { provider: hasDatabase ? "embedded" : "none", server: null, urlFrom: null, seeds: [...seeds] },
    variants: names.map(variantNamed),
    runs: runs.map((run, at) => ({
      id: run,
      variant: names[at] ?? "",
      portBase: 20_000 + 20 * at,
      ...(at >= counted ? { reference: true as const } : {}),
    })),
    work: join(plan.temporary, `multirun-${id}`),
    keep: false,
    budgetUsd: null,
    modelAccess: "gateway",
    network: null,
    expose: [],
    ...plan.overrides,
    notEnforced: [],
  };
}

/** Nothing of it is ever run. */
function variantNamed(name: string): Variant {
  return {
    name,
    agent: "",
    command: "",
    model: null,
    prompt: null,
    scripted: false,
    timeoutMs: 60_000,
    graceMs: 1_000,
    stallMs: 600_000,
    firstSignMs: 300_000,
    budgetUsd: null,
    setup: [],
    checks: [],
    checkTimeoutMs: 60_000,
    contract: {},
  };
}
