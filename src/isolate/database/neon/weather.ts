import PQueue from "p-queue";
import type { Deps } from "../../../model/deps.js";
import { MultirunError } from "../../../model/error.js";

/** What Neon refused, in its own words. Holds nothing of the request: that carries the key. */
export class NeonRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Neon began something and did not bring it to its end. */
export class FailedOperation extends MultirunError {}

/** How often something is done again that Neon began and did not finish. */
const mostTries = 4;

/** Does what may be done again until Neon brings it to its end. */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FailedOperation) || tries === mostTries) throw error;
    }
  }
}

/** What came of one try: an answer, or what is to be known of its failure. */
export type Tried<T> =
  | { kind: "answered"; data: T }
  /** `status` 0: no answer came, and nobody knows whether anything was done. */
  | { kind: "refused"; status: number; code: string; message: string; retryAfterMs: number | null };

export interface Weather {
  /**
   * Asks until there is an answer. Locks, rates, failures of the server and lost answers pass; whatever asks must be such
   * that it may be asked twice.
   * @param until milliseconds since the epoch: nothing is tried after it
   * @throws NeonRefusal where trying again does not help
   * @throws MultirunError `infra` where the weather does not pass in time
   */
  ask<T>(what: string, until: number, once: () => Promise<Tried<T>>): Promise<T>;
}

export interface WeatherOptions extends Pick<Deps, "now" | "sleep"> {
  /** Over all runs of this process. */
  callsPerSecond: number;
  random: () => number;
}

const firstWaitMs = 250;
const longestWaitMs = 10_000;

/** No answer, too early, locked, too many, and failures of the server. */
function passes(status: number): boolean {
  return status === 0 || status === 408 || status === 423 || status === 425 || status === 429 || status >= 500;
}

export function createWeather({ callsPerSecond, now, sleep, random }: WeatherOptions): Weather {
  // One by one at their distance, not all at once at each second's beginning.
  const queue = new PQueue({ intervalCap: 1, interval: Math.ceil(1_000 / callsPerSecond) });
  return {
    async ask(what, until, once) {
      for (let tries = 0; ; tries++) {
        const tried = await queue.add(once);
        if (tried.kind === "answered") return tried.data;
        if (!passes(tried.status)) throw new NeonRefusal(tried.status, tried.code, tried.message);
        const wait = tried.retryAfterMs ?? Math.min(longestWaitMs, firstWaitMs * 2 ** tries);
        const jittered = Math.round(wait * (1 + random() / 2));
        if (now() + jittered > until) throw gaveUp(what, tries + 1, tried);
        await sleep(jittered);
      }
    },
  };
}

function gaveUp(what: string, tries: number, { status, message }: { status: number; message: string }): MultirunError {
  const said = status === 0 ? message : `${status}: ${message}`;
  return new MultirunError(
    "infra",
    `Neon does not ${what}, after ${tries} ${tries === 1 ? "try" : "tries"} (${said})`,
    {
      hint: "Look at Neon's status page, then resume.",
    },
  );
}
