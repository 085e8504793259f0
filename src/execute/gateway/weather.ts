import type { IncomingHttpHeaders } from "node:http";
import type { ModelStop } from "../../model/agent.js";
import { single } from "./dialect.js";

/** What an upstream's refusal means for what comes after it. */
export type Weather =
  /** The agent hears it and goes on as it sees fit; `words` say what it is where it may be the end of it. */
  | { kind: "pass"; words?: string }
  /** Waiting helps; at least so long where the upstream says so. */
  | { kind: "passing"; waitMs: number | null }
  /** Nothing helps anybody who uses this key. */
  | { kind: "stop"; outcome: ModelStop["outcome"]; words: string };

const passing = new Set([408, 429, 500, 502, 503, 504, 529]);
/** How makers say that money or the quota of a day is used up, which no waiting of minutes changes. */
const usedUp = /insufficient_quota|billing|credit balance|exceeded your current quota|PerDay|spend(?:ing)? limit/i;

/** Tells a key that is refused, a model nobody knows and a quota that is used up from weather that passes. */
export function weatherOf(
  answer: { status: number; headers: IncomingHttpHeaders; body: string },
  call: { model: string | undefined; generates: boolean; keyVariable: string; now: number },
): Weather {
  const { status, headers, body } = answer;
  if (status === 401 || status === 403) {
    const words = `the key in ${call.keyVariable} was refused (${status}): set one that may use the model`;
    return { kind: "stop", outcome: "refused", words };
  }
  if (status === 402 || ((status === 429 || status === 400) && usedUp.test(body))) {
    const words = `the account behind ${call.keyVariable} has used up its quota or credit (${status})`;
    return { kind: "stop", outcome: "overloaded", words };
  }
  if (status === 404 && call.generates) {
    // Perhaps of a model the agent uses on the side and can do without.
    return { kind: "pass", words: `the model ${JSON.stringify(call.model ?? "")} is not known to its maker (404)` };
  }
  return passing.has(status) ? { kind: "passing", waitMs: retryAfter(headers, call.now) } : { kind: "pass" };
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
