import { z } from "zod";

/** `r01` … `r256`, or `base` for the untouched project itself, which is set up and checked like a run but never voted. */
export const runId = z
  .string()
  .regex(/^r\d{2,3}$/, "a run id looks like r01")
  .brand<"RunId">();
export type RunId = z.infer<typeof runId>;

/** Lower case, digits and dashes, at most 40 characters: safe as a folder, in a git ref and inside a database name. */
export const experimentId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "an experiment id is up to 40 lower-case letters, digits and dashes")
  .brand<"ExperimentId">();
export type ExperimentId = z.infer<typeof experimentId>;

export const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "a full commit sha");
export const isoTime = z.iso.datetime({ offset: false });

export const maxRuns = 256;

/** `r01`, `r02`, … for n runs, n in 1..256. */
export function runIds(n: number): RunId[] {
  return Array.from({ length: n }, (_, index) => runId.parse(`r${String(index + 1).padStart(2, "0")}`));
}

/**
 * What a resource is held for: one attempt of one run, or something the whole experiment shares: `base` (the template),
 * `reference` (its readable copy) and `baseline` (the copy on which the untouched project is checked).
 */
export interface Holder {
  experiment: ExperimentId;
  run: RunId | "base" | "reference" | "baseline";
  /** 1 for the first claim of the run, one more for each take-over. */
  attempt: number;
}

/** `r01-2`: names everything one attempt borrows. */
export function holderName(holder: Holder): string {
  return `${holder.run}-${holder.attempt}`;
}

const sharedRun = z.enum(["base", "reference", "baseline"]);
const attemptName = /^(?:(base|reference|baseline)|(r\d{2,3}))-([1-9]\d*)$/;

/** The way back from {@link holderName}; undefined where the name is none. */
export function parseHolderName(experiment: ExperimentId, name: string): Holder | undefined {
  const [, shared, run, attempt] = attemptName.exec(name) ?? [];
  if (attempt === undefined) return undefined;
  return {
    experiment,
    run: shared === undefined ? runId.parse(run) : sharedRun.parse(shared),
    attempt: Number(attempt),
  };
}
