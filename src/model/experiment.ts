import { z } from "zod";
import { databaseProviders, priceSchema, reportFormats } from "./config.js";
import { plannedContract } from "./contract.js";
import { experimentId, isoTime, maxRuns, runId, sha } from "./ids.js";

const ms = z.number().int().positive();
const dollars = z.number().positive().nullable();

export const defaultStallMs = 10 * 60_000;
export const defaultFirstSignMs = 5 * 60_000;

/** A file of test results that a check writes, relative to its workspace; `-`: what it prints. */
const report = z.strictObject({ path: z.string(), format: z.enum(reportFormats).optional() });
export type CheckReport = z.infer<typeof report>;

const plannedCheck = z.strictObject({
  id: z.string(),
  title: z.string(),
  command: z.string(),
  report: report.optional(),
});
export type PlannedCheck = z.infer<typeof plannedCheck>;

/** What one kind of run gets, fully resolved: nothing here falls back to anything else. */
export const variant = z.strictObject({
  name: z.string(),
  agent: z.string(),
  /** Null where the agent has an adapter: that knows how to start it. */
  command: z.string().nullable(),
  model: z.string().nullable(),
  /** Text put in front of the task, as read when the experiment was planned. */
  prompt: z.string().nullable(),
  /** True for agents that replay prepared edits: said wherever the agent is named. */
  scripted: z.boolean(),
  timeoutMs: ms,
  graceMs: ms,
  /** Longest time without a sign of life, and longest time until the first. */
  stallMs: ms.default(defaultStallMs),
  firstSignMs: ms.default(defaultFirstSignMs),
  /** US dollars one run may spend on models. */
  budgetUsd: dollars.default(null),
  setup: z.array(z.string()),
  checks: z.array(plannedCheck),
  checkTimeoutMs: ms,
  contract: plannedContract,
});
export type Variant = z.infer<typeof variant>;

export const plannedRun = z.strictObject({
  id: runId,
  variant: z.string(),
  /** First port of this run's own range of 20. */
  portBase: z.number().int().min(1024).max(65_000),
  /** Aligned like any other and never counted: the report says which option it took. */
  reference: z.literal(true).optional(),
});
export type PlannedRun = z.infer<typeof plannedRun>;

export const seedFile = z.strictObject({ path: z.string(), sha256: z.string(), sql: z.string() });

/** Where branches of a Neon project are made, and as whom. */
const neonPlace = z.strictObject({
  project: z.string(),
  /** Name or id of the branch that base is made from; null for the project's default. */
  parent: z.string().nullable(),
  /** A time (ISO 8601) or log sequence number on the parent; null for its newest state. */
  at: z.string().nullable(),
  database: z.string(),
  role: z.string(),
});
export type NeonPlace = z.infer<typeof neonPlace>;

/** `experiment.json`: written once, before anything starts, and never changed. */
export const experimentSchema = z.strictObject({
  version: z.literal(1),
  id: experimentId,
  createdAt: isoTime,
  task: z.strictObject({ title: z.string(), text: z.string(), sha256: z.string(), source: z.string() }),
  /** Absolute path of the user's repo, and the commit every run starts from. */
  repo: z.string(),
  base: sha,
  /** True where the work tree had changes when planned: they are not part of the runs. */
  dirty: z.boolean(),
  parallel: z.number().int().min(1).max(maxRuns),
  /** `unknown`: the runs were made elsewhere, by whatever means. */
  sandbox: z.enum(["none", "bwrap", "unknown"]),
  database: z.strictObject({
    provider: z.enum(databaseProviders),
    /** `postgres`: the server as `host:port/database`, without user or password. */
    server: z.string().nullable(),
    /** `postgres`: the environment variable the URL came from; null where a flag gave it. */
    urlFrom: z.string().nullable(),
    /** Only of the provider of that name. */
    neon: neonPlace.optional(),
    seeds: z.array(seedFile),
  }),
  variants: z.array(variant).min(1),
  runs: z.array(plannedRun).min(1).max(maxRuns),
  /** Absolute path of the folder that holds workspaces, homes and the embedded server while the experiment lives. */
  work: z.string(),
  keep: z.boolean(),
  /** US dollars all runs together may spend on models. */
  budgetUsd: dollars.default(null),
  /** How agents reach models; `direct` is with the caller's own login, past the gateway. */
  modelAccess: z.enum(["gateway", "direct"]).default("gateway"),
  /** Hosts agents may reach; null where they reach what the machine does. */
  network: z
    .strictObject({ allow: z.array(z.string()) })
    .nullable()
    .default(null),
  prices: z.record(z.string(), priceSchema).optional(),
  /** Absolute paths that a sandbox shows, read-only. */
  expose: z.array(z.string()).default([]),
  /** Names a person calls one thing, and names of things a person keeps apart; none where they are not there. */
  aliases: z.array(z.array(z.string())).optional(),
  distinct: z.array(z.array(z.string())).optional(),
  /** Settings that are recorded and that nothing enforces yet. */
  notEnforced: z.array(z.string()),
});
export type Experiment = z.infer<typeof experimentSchema>;
export type SeedFile = z.infer<typeof seedFile>;

/** Longest a run may take, with setup, checks, capture and release: what leases and markers are good for. */
export function lifetimeMs(experiment: Pick<Experiment, "variants" | "runs" | "parallel">): number {
  const longest = Math.max(...experiment.variants.map(variantLifetimeMs));
  const rounds = Math.ceil(experiment.runs.length / experiment.parallel);
  return longest * rounds;
}

const overheadMs = 10 * 60_000;

function variantLifetimeMs(each: Variant): number {
  // A check that does not pass is run a second time.
  const programs = 2 * each.checks.length + each.setup.length;
  return each.timeoutMs + each.graceMs + programs * each.checkTimeoutMs + overheadMs;
}
