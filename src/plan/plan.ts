import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type Config, configSchema, type DatabaseProviderName, type TaskFrontMatter } from "../model/config.js";
import { badInput } from "../model/error.js";
import { type Experiment, experimentSchema, type NeonPlace, type SeedFile, type Variant } from "../model/experiment.js";
import { type ExperimentId, experimentId } from "../model/ids.js";
import { parseNetworkRules } from "../model/network.js";
import type { SandboxKind } from "../model/sandbox.js";
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
  /** @throws MultirunError `bad_input` where what is wanted cannot be had on this machine */
  chooseSandbox: (wanted: { kind: "auto" | SandboxKind; closedNetwork: boolean }) => SandboxKind;
  /** True where the caller has a key for some model: then there is a gateway, and what goes through it is metered. */
  hasModelKey: boolean;
}

/**
 * Resolves task, configuration and flags into what every run gets. Flags win over the task's front matter, which wins
 * over the repo's file.
 * @throws MultirunError `bad_input`
 */
export function planExperiment(input: PlanInput): Experiment {
  const flags = parseStrict(configSchema, input.flags, { name: "command line" });
  const config = mergeSettings<Config>(input.file, fromTask(input.task.settings), flags);
  const allow = config.network?.allow;
  if (allow) parseNetworkRules(allow);
  const sandbox = input.chooseSandbox({ kind: config.sandbox ?? "auto", closedNetwork: allow !== undefined });
  const shares = shareRuns(config, input.arms, config.runs);
  const own = shares.map((share) => ({ ...share.config, ...(flags.command ? { command: flags.command } : {}) }));
  const resolved = own.map((each) => resolveVariant(config, each, input.readPrompt));
  const unmetered = unmeteredAgents(config, resolved, input.hasModelKey);
  if (flags.budget) refuseUnmetered(unmetered);
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
    sandbox,
    database,
    variants: numberChecks(resolved).map((variant): Variant => ({ ...variant, scripted: input.scripted })),
    runs,
    work,
    keep: input.keep,
    budgetUsd: config.budget?.total ?? null,
    modelAccess: config.modelAccess ?? "gateway",
    network: allow && sandbox === "bwrap" ? { allow } : null,
    ...(config.prices ? { prices: config.prices } : {}),
    expose: (config.expose ?? []).map((path) => resolve(input.base.repo, path)),
    aliases: config.aliases,
    distinct: config.distinct,
    notEnforced: notEnforced(config, unmetered, sandbox),
  } satisfies Experiment);
}

function fromTask({ n, checks, contract, seed }: TaskFrontMatter): Partial<Config> {
  return { runs: n, checks, contract, ...(seed === undefined ? {} : { database: { seed } }) };
}

function resolveDatabase(config: Config, input: PlanInput): Experiment["database"] {
  const settings = config.database ?? {};
  const provider: DatabaseProviderName = settings.provider ?? (settings.seed ? "embedded" : "none");
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
    ...(provider === "neon" ? { neon: neonPlaceIn(settings) } : {}),
    server: provider === "postgres" ? input.server : null,
    urlFrom: provider === "postgres" ? (settings.urlFrom ?? null) : null,
    seeds: provider === "none" ? [] : input.readSeeds(settings.seed ?? []),
  };
}

function neonPlaceIn({ project, parent, parentAt, database, role }: NonNullable<Config["database"]>): NeonPlace {
  const missing = Object.entries({ project, database, role }).find(([, value]) => value === undefined)?.[0];
  if (missing !== undefined || !project || !database || !role) {
    throw badInput(
      `database: neon needs database.${missing ?? "project"}`,
      "Write project, database and role under database: in .github/multirun.yml, as the project's dashboard shows them.",
    );
  }
  return { project, parent: parent ?? null, at: parentAt ?? null, database, role };
}

/** Agents whose spending nobody sees, as they reach models past the gateway; in words. */
function unmeteredAgents({ modelAccess }: Config, variants: readonly Variant[], hasModelKey: boolean): string[] {
  if (modelAccess === "direct") return variants.map(({ agent }) => `${agent} reaches its model directly`);
  const commands = hasModelKey ? [] : variants.filter(({ command }) => command !== null);
  return commands.map(({ agent }) => `no key for a model is set, so ${agent} reaches none through the gateway`);
}

/** A limit somebody counts on must hold: on the command line it is refused, from a shared file it is reported. */
function refuseUnmetered([why]: readonly string[]): void {
  if (why === undefined) return;
  throw badInput(
    `--budget: ${why}, and nobody sees what is spent`,
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and leave modelAccess: direct out, or leave the budget out.",
  );
}

function notEnforced(config: Config, unmetered: readonly string[], sandbox: SandboxKind): string[] {
  const settings = {
    budget: config.budget && unmetered.length > 0,
    network: config.network?.allow && sandbox === "none",
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
