import { z } from "zod";
import { tokenCounts } from "./agent.js";
import { violation } from "./contract.js";
import { experimentId, isoTime, runId, sha } from "./ids.js";
import { checkTally, refusedHosts, runOutcome, unreadable } from "./record.js";

const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1);

export const decisionClass = z.enum(["consensus", "strong", "split", "scattered", "insufficient"]);
export type DecisionClass = z.infer<typeof decisionClass>;

export const reportRun = z.strictObject({
  id: runId,
  outcome: runOutcome,
  /** False where the run failed before it changed anything: shown, and no vote. */
  counted: z.boolean(),
  partial: z.boolean(),
  variant: z.string(),
  /** Runs that left the very same content. */
  relatives: z.array(runId),
  durationMs: count,
  costUsd: z.number().nonnegative().nullable(),
  tokens: tokenCounts.nullable(),
  /** There where a part of cost or tokens is unknown. */
  usageAtLeast: z.literal(true).optional(),
  /** Which version of the agent it was, by its own words. */
  agentVersion: z.string().optional(),
  /** Hosts it asked for that `network.allow` does not name, the most often first. */
  refusedHosts: refusedHosts.optional(),
  /** Where it left the contract, and what it says that is not so. */
  violations: z.array(violation).default([]),
  claims: z.array(z.string()).default([]),
  checks: checkTally.nullable(),
  patch: z
    .strictObject({
      files: count,
      added: count,
      deleted: count,
      applies: z.boolean().nullable(),
      /** Files whose changes are denied and not in the patch that may go to a branch. */
      withheld: count.optional(),
    })
    .nullable(),
  flags: z.array(z.string()),
  reason: z.string().nullable(),
  /** There for orientation only: aligned with the others and never counted. */
  reference: z.literal(true).optional(),
  /** What is or was there and could not be read. */
  unreadable: z.array(unreadable).default([]),
});
export type ReportRun = z.infer<typeof reportRun>;

export const option = z.strictObject({
  id: z.string(),
  label: z.string(),
  runs: z.array(runId),
  share,
  /** Wilson 95 %. */
  interval: z.tuple([share, share]),
  risk: z.string().nullable(),
  /** Reference runs that took it, by their variants' names. */
  reference: z.array(z.string()),
  /** What one of its runs wrote: changed lines with their signs, around `line` of `file`. Absent where none can be shown. */
  excerpt: z
    .strictObject({ run: runId, file: z.string(), line: z.number().int().positive(), text: z.string() })
    .optional(),
});
export type Option = z.infer<typeof option>;

export const decisionFact = z.strictObject({
  slot: z.string(),
  aspect: z.string(),
  title: z.string(),
  /** The same as a noun phrase. */
  topic: z.string(),
  /** Who answered what: the decision's first fact decides its options, the others are their details. */
  answers: z.array(z.strictObject({ label: z.string(), runs: z.array(runId) })),
  evidence: z.array(z.strictObject({ run: runId, file: z.string(), line: z.number().int().nullable() })),
});

export const decision = z.strictObject({
  id: z.string().regex(/^D\d+$/),
  title: z.string(),
  dimension: z.enum(["schema", "data", "code", "checks", "dependencies"]),
  class: decisionClass,
  /** The classes if the missing runs had gone the worst or the best way. */
  worstClass: decisionClass,
  bestClass: decisionClass,
  counted: count,
  of: count,
  notApplicable: z.array(runId),
  missing: z.array(runId),
  options: z.array(option),
  disagreement: share,
  weight: z.number().positive(),
  sameRunsAs: z.array(z.string()),
  /** True where a person has to answer: nothing in the runs settles it. */
  ask: z.boolean(),
  /** True in the main table: counted by enough runs, and among the eight that matter most. */
  main: z.boolean(),
  /**
   * What the reference runs answered, where there are any: the option they took, or null where no counted run gave that
   * answer, the question does not apply to them or they could not be read; `label` says which in words.
   */
  reference: z.array(z.strictObject({ name: z.string(), option: z.string().nullable(), label: z.string() })).optional(),
  facts: z.array(decisionFact),
});
export type Decision = z.infer<typeof decision>;

export const agreedFact = z.strictObject({
  title: z.string(),
  label: z.string(),
  dimension: decision.shape.dimension,
  counted: count,
  of: count,
  /** Smaller facts about the same thing, one "question answer" each. */
  details: z.array(z.string()),
});
export type AgreedFact = z.infer<typeof agreedFact>;

export const reportSchema = z.strictObject({
  version: z.literal(1),
  experiment: z.strictObject({
    id: experimentId,
    task: z.strictObject({ title: z.string(), sha256: z.string() }),
    base: sha,
    planned: count,
    startedAt: isoTime,
    finishedAt: isoTime,
    scripted: z.boolean(),
    database: z.string(),
    sandbox: z.string(),
    /** Agents reached their models with the caller's own login: nothing was metered. */
    direct: z.literal(true).optional(),
    /** Hosts the agents could reach; absent where they reached what the machine does. */
    network: z.array(z.string()).optional(),
    /** What the harness noted of the whole experiment, in sentences. */
    notes: z.array(z.string()).optional(),
    notEnforced: z.array(z.string()),
  }),
  runs: z.array(reportRun),
  decisions: z.array(decision),
  agreed: z.array(agreedFact),
  naming: z.array(
    z.strictObject({
      title: z.string(),
      options: z.array(option),
      /** How much speaks for these names being one thing, where that is little: the weakest likeness, below .60. */
      likeness: share.optional(),
    }),
  ),
  oddOneOut: z.array(z.strictObject({ run: runId, statements: z.array(z.string()) })),
  risks: z.array(z.strictObject({ title: z.string(), runs: z.array(runId), of: count })),
  summary: z.strictObject({
    headline: z.string(),
    expectedDifferences: z.number().nonnegative(),
    distinctDesigns: count,
    counts: z.strictObject({ consensus: count, strong: count, split: count, scattered: count }),
  }),
  candidate: z.strictObject({
    run: runId.nullable(),
    reason: z.string(),
    perOption: z.record(z.string(), z.record(z.string(), runId)),
  }),
  resources: z.strictObject({
    acquired: count,
    released: count,
    leaked: z.array(z.string()),
    kept: z.array(z.string()),
  }),
});
export type Report = z.infer<typeof reportSchema>;
