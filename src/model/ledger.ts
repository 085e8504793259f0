import { z } from "zod";
import { isoTime } from "./ids.js";
import { runOutcome } from "./record.js";

/** `experiment`, `base` and its copies stand beside the runs where a line is about what they share. */
const subject = z.string().regex(/^(?:r\d{2,3}|base|reference|baseline|experiment)$/);

/** Capture comes before the checks: what a check writes into the tree or the database is not the agent's work. */
export const runStates = ["queued", "provisioning", "running", "capturing", "checking", "releasing", "done"] as const;
export type RunState = (typeof runStates)[number];

export const resourceKinds = ["work", "workspace", "server", "database", "role", "process"] as const;
export type ResourceKind = (typeof resourceKinds)[number];

const head = { at: isoTime, run: subject, attempt: z.number().int().min(1) };
const resource = { kind: z.enum(resourceKinds), id: z.string() };

/**
 * One line of `ledger.jsonl`. An `acquire` line is written before the thing exists, so that a crash between the two
 * leaves a name to look for; `acquired` is what counts in the report.
 */
export const ledgerLine = z.discriminatedUnion("event", [
  z.strictObject({
    ...head,
    event: z.literal("state"),
    state: z.enum(runStates),
    outcome: runOutcome.optional(),
    reason: z.string().optional(),
  }),
  z.strictObject({ ...head, event: z.literal("acquire"), ...resource }),
  z.strictObject({ ...head, event: z.literal("acquired"), ...resource, detail: z.string().optional() }),
  z.strictObject({ ...head, event: z.literal("release"), ...resource, error: z.string().optional() }),
  z.strictObject({
    ...head,
    event: z.literal("claim"),
    action: z.enum(["claimed", "taken_over", "lost", "given_back"]),
  }),
  z.strictObject({ ...head, event: z.literal("note"), text: z.string() }),
]);
export type LedgerLine = z.infer<typeof ledgerLine>;
