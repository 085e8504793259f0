import { wordsOf } from "../model/names.js";

/** Words by which a name says how its value is held. Words in general use only: none of any one kind of business. */
const holdings = new Map([
  ["base64", "base64"],
  ["cent", "cents"],
  ["cipher", "an encrypted value"],
  ["digest", "a hash"],
  ["encrypted", "an encrypted value"],
  ["gross", "gross"],
  ["hash", "a hash"],
  ["hashed", "a hash"],
  ["hour", "hours"],
  ["millisecond", "milliseconds"],
  ["minute", "minutes"],
  ["ms", "milliseconds"],
  ["net", "net"],
  ["path", "a path"],
  ["pct", "percent"],
  ["pence", "pence"],
  ["percent", "percent"],
  ["second", "seconds"],
  ["uri", "a URL"],
  ["url", "a URL"],
  ["utc", "UTC"],
]);

/** How a column's value is held, by its name: `password_hash` → "a hash". Undefined where the name does not say. */
export function holdingOf(name: string): string | undefined {
  const found = wordsOf(name).flatMap((word) => holdings.get(word) ?? holdings.get(word.replace(/s$/, "")) ?? []);
  return found.length > 0 ? [...new Set(found)].sort().join(" and ") : undefined;
}
