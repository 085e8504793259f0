import type { Experiment } from "../../src/model/experiment.js";
import type { BaseArtifacts, RunArtifacts } from "../../src/model/fact.js";
import { experimentId, runIds } from "../../src/model/ids.js";
import type { Report } from "../../src/model/report.js";
import { buildReport } from "../../src/pipeline/report.js";
import { baseSha } from "./runs.js";

/** An experiment of so many scripted runs. */
export function experimentOf(n: number, more: Partial<Experiment> = {}): Experiment {
  return {
    version: 1,
    id: experimentId.parse("demo"),
    createdAt: "2026-03-01T10:00:00.000Z",
    task: { title: "Add teams to a single-user app", text: "", sha256: "0", source: "task.md" },
    repo: "/repo",
    base: baseSha,
    dirty: false,
    parallel: 10,
    sandbox: "none",
    database: { provider: "embedded", server: null, urlFrom: null, seeds: [] },
    variants: [
      {
        name: "default",
        agent: "demo",
        command: "node agent.mjs",
        model: null,
        prompt: null,
        scripted: true,
        timeoutMs: 10_000,
        graceMs: 1_000,
        stallMs: 600_000,
        firstSignMs: 300_000,
        budgetUsd: null,
        setup: [],
        checks: [],
        checkTimeoutMs: 10_000,
        contract: {},
      },
    ],
    runs: runIds(n).map((id, index) => ({ id, variant: "default", portBase: 20_000 + 20 * index })),
    work: "/tmp/work",
    keep: false,
    budgetUsd: null,
    modelAccess: "gateway",
    network: null,
    expose: [],
    notEnforced: [],
    ...more,
  };
}

/** The report of these runs, with circumstances that never change. */
export function reportOf(
  runs: readonly RunArtifacts[],
  base: BaseArtifacts,
  more: { planned?: number; experiment?: Partial<Experiment>; resources?: Report["resources"] } = {},
): Report {
  return buildReport({
    experiment: experimentOf(more.planned ?? runs.length, more.experiment),
    runs,
    base,
    startedAt: "2026-03-01T10:00:00.000Z",
    finishedAt: "2026-03-01T10:00:21.000Z",
    resources: more.resources ?? { acquired: 21, released: 21, leaked: [], kept: [] },
  });
}

export const noBase: BaseArtifacts = { schema: null, checks: null };
