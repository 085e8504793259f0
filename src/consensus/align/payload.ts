import type { ShapeColumn } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { isEnd, isGeneric, type NameLikeness } from "./names.js";

/** What a table holds for its own sake, its generic columns, marks of deletion, keys and references left out. */
export interface Payload {
  columns: readonly { name: string; family: string }[];
}

/** What two payloads have in common. */
export interface PayloadLikeness {
  /** 0 to 1. */
  score: number;
  /** How many of their types both hold, of all that either holds. */
  types: number;
  /** Columns that are in both by their names. */
  named: number;
  /** True where both hold the same types, two or more and not all text: that tells as much as a name. */
  telling: boolean;
  /** True where two columns are in both by their names, or one that is no text: more than every look-up table has. */
  firm: boolean;
  /** True where all of the one, two columns or more, is in the other under the same names and types. */
  contained: boolean;
}

/** Columns of one name and type, and next to nothing less. */
const sameColumn = 0.95;

const numbers = new Set(["integer", "number"]);
const times = new Set(["time", "date"]);
const keys = new Set(["integer", "uuid"]);

/** A family as likeness sees it: how a value is checked or made is another question. */
export function plainFamily({ family }: Pick<ShapeColumn, "family">): string {
  const plain = family.replace(/^generated /, "");
  if (plain.startsWith("enum ")) return "text";
  return plain === "jsonb" ? "json" : plain;
}

/** 1 for the same family, .7 for neighbours, else 0. */
export function familyLikeness(one: string, other: string): number {
  if (one === other) return 1;
  return [numbers, times, keys].some((near) => near.has(one) && near.has(other)) ? 0.7 : 0;
}

export function payloadOf(columns: readonly ShapeColumn[]): Payload {
  const held = columns.filter(({ payload, name }) => payload && !isGeneric(name) && !isEnd(name));
  return { columns: held.map((column) => ({ name: column.name, family: plainFamily(column) })) };
}

/**
 * Dice over columns matched by name and type, best first, and no less than half of how alike the types are as multisets;
 * types alone count only where they are telling. Undefined where either holds nothing: that says neither yes nor no.
 */
export function comparePayload(
  { columns: ones }: Payload,
  { columns: others }: Payload,
  names: NameLikeness,
): PayloadLikeness | undefined {
  if (ones.length === 0 || others.length === 0) return undefined;
  const matches = matchColumns(ones, others, names);
  const all = ones.length + others.length;
  const dice = (2 * matches.reduce((sum, { score }) => sum + score, 0)) / all;
  const [a, b] = [ones, others].map((columns) => columns.map(({ family }) => family).sort());
  const types = a && b ? multisetJaccard(a, b) : 0;
  const few = Math.min(ones.length, others.length) < 2;
  const telling = types === 1 && !few && ones.some(({ family }) => family !== "text");
  const floor = matches.length > 0 || telling ? 0.5 * types * (few ? 0.5 : 1) : 0;
  const same = matches.filter(({ score }) => score >= sameColumn).length;
  const contained = !few && same === Math.min(ones.length, others.length);
  const firm = matches.length > 1 || matches.some(({ family }) => family !== "text");
  return { score: Math.max(dice, floor), types, named: matches.length, telling, firm, contained };
}

type Columns = Payload["columns"];

/** The scores of columns that go together, each column once, with the family both are of; text where they are not of one. */
function matchColumns(ones: Columns, others: Columns, names: NameLikeness): { score: number; family: string }[] {
  const numbers = others.map(({ name }) => names.number(name));
  const pairs: { at: number; to: number; score: number }[] = [];
  for (const [at, one] of ones.entries()) {
    const number = names.number(one.name);
    for (const [to, other] of others.entries()) {
      const name = names.between(number, numbers[to] ?? -1);
      const score = 0.6 * name + (one.family === other.family ? 0.4 : 0);
      if (name >= 0.3 && score >= 0.4) pairs.push({ at, to, score });
    }
  }
  const namesOf = ({ at, to }: { at: number; to: number }) => [ones[at]?.name ?? "", others[to]?.name ?? ""] as const;
  pairs.sort((a, b) => b.score - a.score || comparePairs(namesOf(a), namesOf(b)));
  const [left, right] = [new Set<number>(), new Set<number>()];
  return pairs.flatMap(({ at, to, score }) => {
    if (left.has(at) || right.has(to)) return [];
    const one = ones[at];
    left.add(at);
    right.add(to);
    const family = one && one.family === others[to]?.family ? one.family : "text";
    return [{ score, family }];
  });
}

/** By the first of either's names, then by the other, whichever side they are on. */
function comparePairs([a, b]: readonly [string, string], [c, d]: readonly [string, string]): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  const [otherLow, otherHigh] = c < d ? [c, d] : [d, c];
  return compareText(low, otherLow) || compareText(high, otherHigh);
}

/** Of sorted lists. */
export function multisetJaccard(ones: readonly string[], others: readonly string[]): number {
  const rest = [...others];
  const common = ones.filter((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  }).length;
  return common / (ones.length + others.length - common);
}
