import { z } from "zod";
import { readArtifact, toJson, writeDurably } from "../clients/files.js";
import { usageSchema } from "../model/agent.js";
import { isoTime } from "../model/ids.js";
import { programEnd, refusedHosts, runOutcome } from "../model/record.js";

/** How the agent's part of an attempt ended; on disk before anything is captured. */
export const endedSchema = z.strictObject({
  outcome: runOutcome,
  reason: z.string().nullable(),
  agent: programEnd.nullable(),
  startedAt: isoTime,
  warnings: z.array(z.string()),
  usage: usageSchema,
  /** What else is to be known of it, in the words of a record's flags. */
  flags: z.array(z.string()),
  /** What the agent calls its version. */
  version: z.string().optional(),
  refusedHosts: refusedHosts.optional(),
});
export type Ended = z.infer<typeof endedSchema>;

/** Of an attempt whose agent never began. */
export const nothingUsed: Pick<Ended, "usage" | "flags"> = {
  usage: { costUsd: 0, tokens: { input: 0, output: 0, cached: 0 } },
  flags: [],
};

/** Does a step unless its result is on disk from before; an interrupted attempt is gone on with, not begun again. */
export async function once<T>(path: string, schema: z.ZodType<T>, work: () => Promise<T>): Promise<T> {
  const before = await readArtifact(path, schema, path);
  if (before !== undefined) return before;
  const result = await work();
  await writeDurably(path, toJson(result));
  return result;
}
