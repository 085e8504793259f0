import type { TokenCounts } from "../../model/agent.js";
import type { Price } from "../../model/config.js";

/** Tokens of one call, as prices tell them apart. */
export interface Counted {
  /** Read anew and not written to a cache. */
  input: number;
  cacheWrite: number;
  /** Written to a cache for an hour, which costs more. */
  cacheWriteHour: number;
  cacheRead: number;
  output: number;
}

export const nothingCounted: Counted = { input: 0, cacheWrite: 0, cacheWriteHour: 0, cacheRead: 0, output: 0 };

/** The same in the words of a report, where writing to a cache is reading anew. */
export function tokensOf({ input, cacheWrite, cacheWriteHour, cacheRead, output }: Counted): TokenCounts {
  return { input: input + cacheWrite + cacheWriteHour, output, cached: cacheRead };
}

export function plus(one: Counted, other: Counted): Counted {
  return {
    input: one.input + other.input,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cacheWriteHour: one.cacheWriteHour + other.cacheWriteHour,
    cacheRead: one.cacheRead + other.cacheRead,
    output: one.output + other.output,
  };
}

const million = 1_000_000;

/** US dollars for one call. Cached tokens without a price of their own cost as input. */
export function costOf(counted: Counted, { above, ...usual }: Price): number {
  const { input, cacheWrite, cacheWriteHour, cacheRead, output } = counted;
  const read = input + cacheWrite + cacheWriteHour + cacheRead;
  const price = above && read > above.tokens ? above : usual;
  const perWrite = price.cacheWrite ?? price.input;
  const dollars =
    input * price.input +
    cacheWrite * perWrite +
    cacheWriteHour * (price.cacheWriteHour ?? perWrite) +
    cacheRead * (price.cacheRead ?? price.input) +
    output * price.output;
  return dollars / million;
}

/** A number of tokens that somebody else's JSON names: 0 where it is none. */
export function countIn(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** A field of somebody else's JSON, whatever that is. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
