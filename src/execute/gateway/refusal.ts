import { field } from "./counted.js";

/** What a maker's refusal says beside its status, by its fields: prose speaks of billing where a minute's limit is meant. */
export interface MakersRefusal {
  wrongKey: boolean;
  /** Money or credit of the account, which no waiting changes. */
  usedUp: boolean;
  /** A day's quota of one model. */
  dayUsedUp: boolean;
  /** Milliseconds to wait, where the body says so. */
  retryMs: number | null;
}

const nothing: MakersRefusal = { wrongKey: false, usedUp: false, dayUsedUp: false, retryMs: null };

/** `error.type` and `error.code`, as Anthropic and OpenAI use them. */
const usedUpWords = ["billing_error", "insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];
/** Anthropic says these under the type of any bad request. */
const usedUpSentence =
  /^Your credit balance is too low|^You have reached your specified (?:workspace )?API usage limits/;

/** Reads the body of a refusal, or its beginning: what is no JSON says nothing. */
export function readRefusal(body: string): MakersRefusal {
  const error = errorIn(body);
  if (error === undefined) return nothing;
  const words = [field(error, "type"), field(error, "code")];
  const message = field(error, "message");
  const details = list(field(error, "details"));
  const quotas = details.flatMap((each) => list(field(each, "violations"))).map((each) => field(each, "quotaId"));
  const delay = details.map((each) => field(each, "retryDelay")).find((each) => typeof each === "string");
  const seconds = Number(/^(\d+(?:\.\d+)?)s$/.exec(String(delay))?.[1] ?? Number.NaN);
  return {
    wrongKey: details.some((each) => field(each, "reason") === "API_KEY_INVALID"),
    usedUp:
      words.some((word) => usedUpWords.includes(String(word))) ||
      (typeof message === "string" && usedUpSentence.test(message)),
    dayUsedUp: quotas.some((quota) => typeof quota === "string" && quota.includes("PerDay")),
    retryMs: Number.isNaN(seconds) ? null : seconds * 1_000,
  };
}

/** Gemini's streams put it in a list. */
function errorIn(body: string): unknown {
  try {
    const message: unknown = JSON.parse(body);
    return field(Array.isArray(message) ? message[0] : message, "error");
  } catch {
    return undefined;
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
