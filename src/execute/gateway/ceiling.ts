import { type Counted, countIn, field, nothingCounted } from "./counted.js";

/** The longest answer of any model in the price table, for calls that set no limit of their own. */
const longestOutput = 128_000;
/** The largest context of any of them, for calls whose text lies with the maker. */
const largestContext = 1_000_000;

/**
 * Names of what stands for text or pictures that are not in the call itself, the one type that does, and a prompt that the
 * maker keeps: tools often have an input of that name, which begins otherwise.
 */
const elsewhere = new RegExp(
  [
    String.raw`"(?:previous_response_id|conversation|file_ids?|fileUri|file_uri|cachedContent|cached_content|vector_store_ids)"\s*:`,
    String.raw`"(?:image_url|file_url|server_url|connector_id)"\s*:|"type"\s*:\s*"url"`,
    `"item_reference"`,
    String.raw`"prompt"\s*:\s*\{\s*"(?:id|version|variables)"`,
  ].join("|"),
);

/**
 * The most that one call can come to, for those that never say what they came to. A token is at least one byte of what was
 * sent, as all these models' tokenizers work on bytes; at most it is written to a cache for an hour, the dearest way to be
 * read.
 * @param outputs how many answers were asked for
 */
export function ceilingOf(body: Buffer, limits: { output: number | undefined; outputs: number }): Counted {
  const refers = elsewhere.test(body.toString("latin1"));
  const read = refers ? Math.max(body.length, largestContext) : body.length;
  return { ...nothingCounted, cacheWriteHour: read, output: (limits.output ?? longestOutput) * limits.outputs };
}

/** The first of some limits that a body sets, by the names makers give it; undefined where it sets none. */
export function limitIn(body: unknown, ...paths: readonly (readonly string[])[]): number | undefined {
  return paths.map((path) => countIn(field(body, ...path))).find((limit) => limit > 0);
}
