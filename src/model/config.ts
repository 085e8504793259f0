import { z } from "zod";
import { contractSchema } from "./contract.js";
import { duration } from "./duration.js";
import { maxRuns } from "./ids.js";

/** One word or a list of them. */
const words = z
  .union([z.string(), z.array(z.string())], "must be a text or a list of texts")
  .transform((value) => (Array.isArray(value) ? value : [value]));
const command = z.string().trim().min(1, "a command cannot be empty");
const commands = z
  .union([command, z.array(command)], "must be a command or a list of commands")
  .transform((value) => (Array.isArray(value) ? value : [value]));
/** Forms of test reports; pytest's is JUnit's, and vitest's is Jest's. */
export const reportFormats = ["junit", "pytest", "tap", "jest", "vitest", "go"] as const;
export type ReportFormat = (typeof reportFormats)[number];

const reportPath = z
  .string()
  .regex(
    /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))(?:[^*\0]*\/)?[^/\0]+$/,
    "must be a file inside the repo, whose name may hold *, or - for what the check prints",
  );
const checkWithReport = z
  .strictObject({ run: command, report: reportPath.optional(), format: z.enum(reportFormats).optional() })
  .refine(({ report, format }) => report !== undefined || format === undefined, "a format needs a report")
  .refine(
    ({ report, format }) => report !== "-" || format === undefined || format === "tap" || format === "go",
    "only tap and go can be read from what a check prints",
  );
const check = z.union([command, checkWithReport], "must be a command or { run, report, format }");
const checks = z
  .union([check, z.array(check)], "must be a check or a list of checks")
  .transform((value) => (Array.isArray(value) ? value : [value]));
const dollars = z.number("must be a number of US dollars").positive("must be more than 0 US dollars");

const runCount = z
  .number(`must be a whole number from 1 to ${maxRuns}`)
  .int(`must be a whole number from 1 to ${maxRuns}`)
  .min(1, `must be from 1 to ${maxRuns}`)
  .max(maxRuns, `must be from 1 to ${maxRuns}`);

export const databaseProviders = ["none", "embedded", "postgres", "neon"] as const;
export type DatabaseProviderName = (typeof databaseProviders)[number];

const database = z.strictObject({
  provider: z.enum(databaseProviders).optional(),
  seed: words.optional(),
  /** Environment variable that holds the admin URL of a `postgres` server; the URL itself is a secret and never in a file. */
  urlFrom: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, "must name an environment variable")
    .optional(),
  project: z.string().optional(),
  parent: z.string().optional(),
  /** A time (ISO 8601) or a log sequence number on the parent. */
  parentAt: z
    .string()
    .regex(
      /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9A-F]+\/[0-9A-F]+)$/i,
      "must be a time as 2026-12-01T12:00:00Z or an LSN as 0/1A2B3C",
    )
    .optional(),
  database: z.string().optional(),
  role: z.string().optional(),
});

const perMillion = z.number("must be US dollars per million tokens").nonnegative("cannot be below 0");
const rates = {
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  /** Kept for an hour instead of minutes. */
  cacheWriteHour: perMillion.optional(),
};

/** US dollars per million tokens; without a price of its own, what is read from or written to a cache costs as input. */
export const priceSchema = z.strictObject({
  ...rates,
  /** What calls cost that read more than so many tokens, all of them. */
  above: z.strictObject({ tokens: z.number().int().positive(), ...rates }).optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** What may differ from run to run. */
const perRun = {
  agent: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "must be an agent's name such as claude")
    .optional(),
  model: z.string().min(1).optional(),
  /** Any program: gets the task on stdin, its workspace as current directory. */
  command: command.optional(),
  /** A file put in front of the task, relative to the repo. */
  prompt: z.string().optional(),
  timeout: duration.optional(),
  stall: duration.optional(),
  firstSign: duration.optional(),
  setup: commands.optional(),
  checks: checks.optional(),
  checkTimeout: duration.optional(),
  contract: contractSchema.optional(),
  budget: z.strictObject({ perRun: dollars.optional(), total: dollars.optional() }).optional(),
};

/** Names as people write them: `teams`, `team_members.user_id`. */
const nameLists = z.array(
  z.array(z.string().trim().min(1, "a name cannot be empty")).min(2, "must be two names or more"),
);

export const variantSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,39}$/i, "must be a short name of letters, digits, dots and dashes"),
  /** How many of the runs; variants without a count share what is left evenly. */
  runs: runCount.optional(),
  ...perRun,
});
export type VariantConfig = z.infer<typeof variantSchema>;

/** `.github/multirun.yml`. Flags of `multirun run` have the same names and meanings. */
export const configSchema = z.strictObject({
  runs: runCount.optional(),
  parallel: runCount.optional(),
  ...perRun,
  /** Command lines by agent name, for agents without an adapter of their own. */
  agents: z.record(z.string(), z.strictObject({ command })).optional(),
  variants: z.array(variantSchema).min(1).optional(),
  database: database.optional(),
  sandbox: z.enum(["auto", "bwrap", "none"]).optional(),
  labels: z.array(z.string()).optional(),
  permission: z.enum(["triage", "write", "maintain", "admin"]).optional(),
  branches: z
    .strictObject({ keep: z.union([z.enum(["none", "picked"]), z.string().regex(/^\d+d$/)]).optional() })
    .optional(),
  /** Files and folders that agents in a sandbox may read, beside the system and the tools on PATH. */
  expose: words.optional(),
  network: z.strictObject({ allow: z.array(z.string()).optional() }).optional(),
  /** `direct`: agents reach their makers with the caller's own login, unmetered; else everything goes through the gateway. */
  modelAccess: z.enum(["gateway", "direct"]).optional(),
  /** By model, over the built-in table. */
  prices: z.record(z.string(), priceSchema).optional(),
  /** Names that stand for one thing when runs are compared: each list is one. */
  aliases: nameLists.optional(),
  /** Names that stand for two things, however alike: no two of a list are one. */
  distinct: nameLists.optional(),
  failOn: z.enum(["none", "split", "scattered", "risk"]).optional(),
});
export type Config = z.infer<typeof configSchema>;

/** Front matter of a task file. */
export const taskFrontMatter = z.strictObject({
  title: z.string().trim().min(1).max(120).optional(),
  n: runCount.optional(),
  checks: checks.optional(),
  contract: contractSchema.optional(),
  seed: words.optional(),
});
export type TaskFrontMatter = z.infer<typeof taskFrontMatter>;
