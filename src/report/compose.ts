import type { Experiment } from "../model/experiment.js";
import type { RunId } from "../model/ids.js";
import type { PatchStats } from "../model/record.js";
import type { AgreedFact, Decision, Report, ReportRun } from "../model/report.js";
import { matters, type Unread, unreadableOf } from "../model/unreadable.js";
import { headlineOf } from "./headline.js";

/** What the count found, as the report needs it. */
export interface Findings {
  standings: ReadonlyMap<RunId, "votes" | "partial" | "missing" | "excluded">;
  relatives: ReadonlyMap<RunId, RunId[]>;
  decisions: Decision[];
  agreed: AgreedFact[];
  naming: Report["naming"];
  oddOneOut: Report["oddOneOut"];
  risks: Report["risks"];
  candidate: Report["candidate"];
  expectedDifferences: number;
  distinctDesigns: number;
}

export interface ReportInput {
  experiment: Experiment;
  /** Every planned run with its record; null where it left none that could be read, or, not `done`, none at all. */
  runs: readonly (Unread & { id: RunId; done: boolean })[];
  findings: Findings;
  /** ISO 8601, UTC. */
  startedAt: string;
  finishedAt: string;
  notes?: readonly string[];
  resources: Report["resources"];
}

/** Puts findings and circumstances together to the report, whose form is a contract: `model/report.ts`. */
export function composeReport(input: ReportInput): Report {
  const { findings } = input;
  const { decisions, agreed, naming, oddOneOut, risks, candidate, expectedDifferences, distinctDesigns } = findings;
  const references = new Map(input.experiment.runs.map(({ id, reference, variant }) => [id, reference && variant]));
  const runs = input.runs.map((run) => {
    const told = reportRun(run, findings);
    const name = references.get(run.id);
    return name === undefined ? told : { ...told, variant: name, counted: false, reference: true as const };
  });
  const count = (kind: Decision["class"]) => decisions.filter((each) => each.class === kind).length;
  const counts = {
    consensus: agreed.length,
    strong: count("strong"),
    split: count("split"),
    scattered: count("scattered"),
  };
  const voters = runs.filter(({ reference }) => !reference);
  const headline = headlineOf({
    runs: voters,
    decisions,
    agreed,
    oddOneOut,
    risks,
    expectedDifferences,
    distinctDesigns,
  });
  return {
    version: 1,
    experiment: header(input),
    runs,
    decisions,
    agreed,
    naming,
    oddOneOut,
    risks,
    summary: { headline, expectedDifferences, distinctDesigns, counts },
    candidate,
    resources: input.resources,
  };
}

function header({ experiment, startedAt, finishedAt, notes = [] }: ReportInput): Report["experiment"] {
  const { id, task, base, runs, variants, database, sandbox, network, modelAccess, notEnforced } = experiment;
  return {
    id,
    task: { title: task.title, sha256: task.sha256 },
    base,
    planned: runs.filter(({ reference }) => !reference).length,
    startedAt,
    finishedAt,
    scripted: variants.some(({ scripted }) => scripted),
    database: database.provider,
    sandbox,
    ...(modelAccess === "direct" ? { direct: true as const } : {}),
    ...(network === null ? {} : { network: network.allow }),
    ...(notes.length > 0 ? { notes: notes.map(bounded) } : {}),
    notEnforced,
  };
}

function reportRun(run: ReportInput["runs"][number], findings: Findings): ReportRun {
  const { id, record, done } = run;
  const unreadable = unreadableOf(run).map(({ what, reason }) => ({ what: bounded(what), reason: bounded(reason) }));
  const standing = findings.standings.get(id) ?? "missing";
  const counted = standing === "votes" || standing === "partial";
  const relatives = findings.relatives.get(id) ?? [];
  if (record === null) return { ...unread, ...(done ? {} : notDone), id, relatives, unreadable };
  const { outcome, variant, durationMs, usage, checks, patch, flags, reason, violations, claims, agentVersion } =
    record;
  return {
    id,
    outcome,
    counted,
    partial: standing === "partial",
    variant: bounded(variant),
    relatives,
    durationMs,
    costUsd: usage.costUsd,
    tokens: usage.tokens,
    ...(usage.atLeast ? { usageAtLeast: true as const } : {}),
    ...(agentVersion === undefined ? {} : { agentVersion: bounded(agentVersion) }),
    ...(record.refusedHosts ? { refusedHosts: record.refusedHosts } : {}),
    violations: violations.map(({ rule, path, found, ...more }) => ({
      rule: bounded(rule),
      path: bounded(path),
      ...more,
      ...(found === undefined ? {} : { found: bounded(found) }),
    })),
    claims: claims.map(bounded),
    checks,
    patch: patch && patchOf(patch),
    flags: [...flags, ...(unreadable.some(matters) ? ["unreadable"] : [])],
    reason: reason && bounded(reason),
    unreadable,
  };
}

function patchOf({ files, added, deleted, applies, offered }: PatchStats): NonNullable<ReportRun["patch"]> {
  const withheld = offered && Math.max(0, files - offered.files);
  return { files, added, deleted, applies, ...(withheld ? { withheld } : {}) };
}

/** Words nobody vouches for; what is longer is in the run's own files. */
const longestWords = 2_000;

function bounded(text: string): string {
  return text.length > longestWords ? `${text.slice(0, longestWords)}…` : text;
}

const notDone = { outcome: "cancelled", reason: "it was not done: the experiment was stopped before" } as const;

const unread: Omit<ReportRun, "id" | "relatives" | "unreadable"> = {
  outcome: "unreadable",
  counted: false,
  partial: false,
  variant: "",
  durationMs: 0,
  costUsd: null,
  tokens: null,
  violations: [],
  claims: [],
  checks: null,
  patch: null,
  flags: [],
  reason: "it left no record that can be read",
};
