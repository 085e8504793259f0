import type { IncomingHttpHeaders } from "node:http";
import type { ModelStop } from "../../model/agent.js";
import { single } from "./dialect.js";
import { readRefusal } from "./refusal.js";

/** What an upstream's refusal means for what comes after it. */
export type Weather =
  /** The agent hears it and goes on as it sees fit; `words` say what it is where it may be the end of it. */
  | { kind: "pass"; words?: string }
  /** Waiting helps; at least so long where the upstream says so. */
  | { kind: "passing"; waitMs: number | null }
  /** Nothing helps: nobody who uses this key, or not the run that asked. */
  | { kind: "stop"; outcome: ModelStop["outcome"]; words: string; whom: "run" | "all" };

const passing = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Tells a key that is refused, a model nobody knows and a quota that is used up from weather that passes. */
export function weatherOf(
  answer: { status: number; headers: IncomingHttpHeaders; body: string },
  call: { model: string | undefined; generates: boolean; keyVariable: string; now: number },
): Weather {
  const { status, headers, body } = answer;
  const refusal = readRefusal(body);
  if (status === 401 || refusal.wrongKey) {
    const words = `the key in ${call.keyVariable} was refused (${status}): set one that may use the model`;
    return { kind: "stop", outcome: "refused", words, whom: "all" };
  }
  if (status === 402 || refusal.usedUp) {
    const words = `the account behind ${call.keyVariable} has used up its quota or credit (${status})`;
    return { kind: "stop", outcome: "overloaded", words, whom: "all" };
  }
  if (status === 429 && refusal.dayUsedUp) {
    const words = `the day's quota for the model ${JSON.stringify(call.model ?? "")} is used up (429)`;
    return { kind: "stop", outcome: "overloaded", words, whom: "run" };
  }
  // Perhaps of a model the agent uses on the side and can do without.
  const model = JSON.stringify(call.model ?? "");
  if (status === 404 && call.generates)
    return { kind: "pass", words: `the model ${model} is not known to its maker (404)` };
  if (status === 403 && call.generates) {
    return { kind: "pass", words: `the key in ${call.keyVariable} may not use the model ${model} (403)` };
  }
  if (!passing.has(status)) return { kind: "pass" };
  return { kind: "passing", waitMs: retryAfter(headers, call.now) ?? refusal.retryMs };
}

/** Milliseconds an upstream asks to be left alone for: seconds, a date, or in its makers' own finer header. */
export function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const fine = Number(single(headers["retry-after-ms"]) || Number.NaN);
  if (Number.isFinite(fine) && fine >= 0) return fine;
  const text = headers["retry-after"] ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

/**
 * How long to wait before another try: what the upstream asks for, else twice as long each time, and up to a half more,
 * so that runs do not come back all at once.
 * @param chance from 0 up to 1
 */
export function backOff(tries: number, asked: number | null, chance: number): number {
  const wait = asked ?? Math.min(longestWaitMs, firstWaitMs * 2 ** tries);
  return Math.round(wait * (1 + chance / 2));
}
