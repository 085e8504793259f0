import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DatabaseOptions } from "../../src/isolate/database/database.js";
import type { Deps } from "../../src/model/deps.js";
import { experimentId, type Holder, runId, runIds } from "../../src/model/ids.js";

interface TestExperiment {
  id?: string;
  provider?: "embedded" | "postgres" | "none";
  seeds?: string[];
}

/** As much of an experiment as databases ask for; seed files are named `db/1.sql`, `db/2.sql`, … */
export function testExperiment(folder: string, options: TestExperiment = {}): DatabaseOptions["experiment"] {
  const seeds = (options.seeds ?? []).map((sql, index) => ({
    path: `db/${index + 1}.sql`,
    sha256: createHash("sha256").update(sql).digest("hex"),
    sql,
  }));
  return {
    id: experimentId.parse(options.id ?? "add-teams"),
    repo: join(folder, "repo"),
    work: join(folder, "work"),
    parallel: 4,
    database: { provider: options.provider ?? "embedded", server: null, urlFrom: null, seeds },
    runs: runIds(10).map((id) => ({ id, variant: "v", portBase: 20_000 })),
    variants: [
      {
        name: "v",
        agent: "command",
        command: "true",
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
      },
    ],
  };
}

export function holder(run: string, options: { experiment?: string; attempt?: number } = {}): Holder {
  return {
    experiment: experimentId.parse(options.experiment ?? "add-teams"),
    run: run === "base" || run === "reference" ? run : runId.parse(run),
    attempt: options.attempt ?? 1,
  };
}

/** Real clock and environment; what was logged is kept. */
export function testDeps(): Pick<Deps, "log" | "now" | "sleep" | "environment"> & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    environment: process.env,
  };
}
