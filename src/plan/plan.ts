import { createHash } from "node:crypto";
import { type Config, configSchema, type DatabaseProviderName, type TaskFrontMatter } from "../model/config.js";
import { badInput } from "../model/error.js";
import { type Experiment, experimentSchema, type SeedFile, type Variant } from "../model/experiment.js";
import { type ExperimentId, experimentId } from "../model/ids.js";
import { parseStrict } from "../model/strict.js";
import { mergeSettings } from "./config.js";
import type { Base } from "./repository.js";
import type { Task } from "./task.js";
import { type Arms, numberChecks, numberRuns, resolveVariant, shareRuns } from "./variants.js";

/** Everything a plan is made of; files are read by the caller, so that planning itself is pure. */
export interface PlanInput {
  task: Task;
  base: Base;
  /** `.github/multirun.yml`, validated. */
  file: Config;
  /** Flags that are settings, as the command line wrote them: validated here against the same schema. */
  flags: Record<string, unknown>;
  arms: Arms;
  /** Expands the seeds' patterns and reads them, in order. */
  readSeeds: (patterns: readonly string[]) => SeedFile[];
  readPrompt: (path: string) => string;
  now: Date;
  id: ExperimentId;
  /** Absolute path of the work folder. */
  work: string;
  keep: boolean;
  scripted: boolean;
  /** `host:port/database` of a user's server, where the caller knows its URL. */
  server: string | null;
}

/**
 * Resolves task, configuration and flags into what every run gets. Flags win over the task's front matter, which wins
 * over the repo's file.
 * @throws MultirunError `bad_input`
 */
export function planExperiment(input: PlanInput): Experiment {
  const flags = parseStrict(configSchema, input.flags, { name: "command line" });
  refuseUnenforceable(flags);
  const config = mergeSettings<Config>(input.file, fromTask(input.task.settings), flags);
  const shares = shareRuns(config, input.arms, config.runs);
  const own = shares.map((share) => ({ ...share.config, ...(flags.command ? { command: flags.command } : {}) }));
  const resolved = own.map((each) => resolveVariant(config, each, input.readPrompt));
  const { id, work } = input;
  const runs = numberRuns(shares, hashNumber(id));
  const database = resolveDatabase(config, input);
  return experimentSchema.parse({
    version: 1,
    id,
    createdAt: input.now.toISOString(),
    task: { title: input.task.title, text: input.task.text, sha256: input.task.sha256, source: input.task.source },
    repo: input.base.repo,
    base: input.base.sha,
    dirty: input.base.dirty,
    parallel: Math.min(config.parallel ?? runs.length, runs.length),
    sandbox: "none",
    database,
    variants: numberChecks(resolved).map((variant): Variant => ({ ...variant, scripted: input.scripted })),
    runs,
    work,
    keep: input.keep,
    aliases: config.aliases,
    distinct: config.distinct,
    notEnforced: notEnforced(config),
  } satisfies Experiment);
}

function fromTask({ n, checks, contract, seed }: TaskFrontMatter): Partial<Config> {
  return { runs: n, checks, contract, ...(seed === undefined ? {} : { database: { seed } }) };
}

function resolveDatabase(config: Config, input: PlanInput): Experiment["database"] {
  const settings = config.database ?? {};
  const provider: DatabaseProviderName = settings.provider ?? (settings.seed ? "embedded" : "none");
  if (provider === "neon") {
    throw badInput('database: "neon" is not available in this version', "Use embedded, postgres or none.");
  }
  if (provider === "none" && settings.seed) {
    throw badInput("database: none, yet there are seed files", "Use --database embedded, or leave the seeds out.");
  }
  if (provider === "postgres" && input.server === null) {
    throw badInput(
      "database: postgres needs the URL of a server",
      "Pass --database-url URL, or set it in an environment variable and name that in database.urlFrom.",
    );
  }
  return {
    provider,
    server: provider === "postgres" ? input.server : null,
    urlFrom: provider === "postgres" ? (settings.urlFrom ?? null) : null,
    seeds: provider === "none" ? [] : input.readSeeds(settings.seed ?? []),
  };
}

const gateway = "needs the model gateway, which this version lacks";

/** A limit somebody counts on must hold: on the command line it is refused, from a shared file it is reported. */
function refuseUnenforceable(flags: Config): void {
  if (flags.budget) throw badInput(`--budget: ${gateway}`, "Leave it out; limit the agent with its own options.");
  if (flags.stall) throw badInput("--stall: is not watched in this version", "Leave it out; --timeout limits a run.");
  if (flags.sandbox === "bwrap") {
    throw badInput(
      '--sandbox: "bwrap" is not available in this version',
      "Use --sandbox none, inside a container or VM.",
    );
  }
}

function notEnforced(config: Config): string[] {
  const settings = {
    budget: config.budget,
    stall: config.stall,
    network: config.network,
    sandbox: config.sandbox === "bwrap",
    "contract.forbid": config.contract?.forbid,
  };
  return Object.entries(settings).flatMap(([name, value]) => (value ? [name] : []));
}

const slugLength = 18;

/** `add-teams-20261130-181500-x7k2`: safe in paths, refs and database names, sortable by time, hard to guess. */
export function nameExperiment({ title, now, nonce }: { title: string; now: Date; nonce: string }): ExperimentId {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const slug = words.slice(0, slugLength).replace(/-+$/, "") || "task";
  const time = now.toISOString().replace(/[-:]/g, "").slice(0, 15).replace("T", "-");
  return experimentId.parse(`${slug}-${time}-${nonce.slice(0, 4)}`);
}

function hashNumber(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
