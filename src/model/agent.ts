import { z } from "zod";
import type { Secret } from "./secret.js";

/** Agents that have an adapter: everything else is run as a command line of the user's. */
export const agentNames = ["claude", "codex", "gemini", "opencode"] as const;
export type AgentName = (typeof agentNames)[number];

/** Ways of talking to models that the gateway passes on, each named after who made it. */
export const protocols = ["anthropic", "openai", "gemini"] as const;
export type Protocol = (typeof protocols)[number];

/** How a run's agent reaches its model through the gateway. */
export interface ModelAccess {
  /** Base URL per protocol, as the makers' own libraries take it; without a slash at its end. */
  urls: Readonly<Record<Protocol, string>>;
  /** Good for this run and this gateway only; given where the maker's key would be. */
  token: Secret;
}

const count = z.number().int().nonnegative();

/** `input`: read anew, cache writes included. `cached`: read from the provider's cache, not part of `input`. */
export const tokenCounts = z.strictObject({ input: count, output: count, cached: count });
export type TokenCounts = z.infer<typeof tokenCounts>;

/** What a run used. Null is unknown, which is not nothing. */
export const usageSchema = z.strictObject({
  costUsd: z.number().nonnegative().nullable(),
  tokens: tokenCounts.nullable(),
  /** There where a part of it is unknown: the sums are of what is known. */
  atLeast: z.literal(true).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** One line of `trace.jsonl`: what an agent's own stream says, in words all agents share. Untrusted. */
export const traceEvent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("tool"), name: z.string(), input: z.string(), denied: z.literal(true).optional() }),
  /** Of one message; what is said of the same message again replaces it. */
  z.strictObject({ kind: z.literal("usage"), message: z.string(), usage: usageSchema }),
  /** The agent's own last word; where it tells what it used, that is the sum of everything. */
  z.strictObject({ kind: z.literal("result"), ok: z.boolean(), text: z.string(), usage: usageSchema.optional() }),
  /** What else is worth knowing of the stream: a try that failed, a line that could not be read. */
  z.strictObject({ kind: z.literal("note"), text: z.string() }),
]);
export type TraceEvent = z.infer<typeof traceEvent>;

/** Why nothing more of a run is passed on to a model. */
export interface ModelStop {
  outcome: "over_budget" | "refused" | "overloaded";
  /** One sentence, safe to show. */
  reason: string;
}

/** What went through the gateway for one run. */
export interface Metered {
  requests: number;
  /** Both ways: grows as long as the model and the agent talk. */
  bytes: number;
  usage: Usage;
  /** Why no further call passes. */
  stopped: ModelStop | null;
  /** What the model's maker refuses, or is waited for: the reason where the agent gives up, and else of no account. */
  refused: ModelStop | null;
}
