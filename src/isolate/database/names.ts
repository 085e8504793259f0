import { z } from "zod";
import { type ExperimentId, experimentId, type Holder, isoTime, runId } from "../../model/ids.js";

const prefix = "multirun_";

/**
 * The name of a holder's database, and of the role that owns it. At most 63 bytes, Postgres' limit. What all processes
 * of an experiment share has no attempt in its name.
 */
export function databaseName(holder: Holder): string {
  const shared = holder.run === "base" || holder.run === "reference";
  return `${ownedBy(holder.experiment)}${shared ? holder.run : `${holder.run}_${holder.attempt}`}`;
}

/** Roles of base: `seed` runs the seed files and owns what they make, `reader` is who capture reads as. */
export function sharedRoleName(experiment: ExperimentId, role: "seed" | "reader"): string {
  return `${ownedBy(experiment)}${role}`;
}

function ownedBy(experiment: ExperimentId): string {
  return `${prefix}${experiment.replaceAll("-", "_")}_`;
}

/** The holder a database or role name belongs to; undefined where the name is none of ours. */
export function holderOf(name: string): Holder | undefined {
  const match = /^multirun_([a-z0-9_]+)_(?:(base|reference|seed|reader)|(r\d{2,3}|baseline)_([1-9]\d*))$/.exec(name);
  // Ids have dashes and no underscores, so the way back is unique.
  const experiment = experimentId.safeParse(match?.[1]?.replaceAll("_", "-"));
  if (!match || !experiment.success) return undefined;
  if (match[2])
    return { experiment: experiment.data, run: match[2] === "reference" ? "reference" : "base", attempt: 1 };
  const run = match[3] === "baseline" ? "baseline" : runId.parse(match[3]);
  return { experiment: experiment.data, run, attempt: Number(match[4]) };
}

/** Kept as COMMENT on every database and role of ours: without it, nothing is touched. */
export const markerSchema = z.strictObject({
  multirun: z.literal(1),
  experiment: experimentId,
  run: z.string(),
  repo: z.string(),
  expiresAt: isoTime,
  /** `making` until the thing is complete: what a killed process left half-done is made anew. */
  state: z.enum(["making", "ready"]),
});
export type Marker = z.infer<typeof markerSchema>;

/** The marker in a comment, if it is one and fits the name it was found at. */
export function markerOf(name: string, comment: string | null): Marker | undefined {
  const holder = holderOf(name);
  if (!holder || comment === null) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(comment);
  } catch {
    return undefined; // Somebody else's comment.
  }
  const marker = markerSchema.safeParse(data);
  const fits = marker.success && marker.data.experiment === holder.experiment && marker.data.run === holder.run;
  return fits ? marker.data : undefined;
}
