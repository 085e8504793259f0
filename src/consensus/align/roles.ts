import type { Shape } from "../../model/shape.js";
import { areForeign, areOpenTo, type Filler, fillersOf, likenessOfTypes } from "./fillers.js";
import { type Fit, type Joined, matchClearly } from "./matching.js";
import { NameLikeness } from "./names.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

/** In fewer runs two tables are each other's complement too easily by chance. */
const fewestRuns = 5;
/** One run's table alone is like the others more easily by chance. */
const leastLone = 0.75;
/** The most it is said to be: names did not say it. */
const byStructure = 0.59;

/**
 * New tables that fill one role in runs of different tongues: they never meet, cover four fifths of the runs that made
 * tables, hold the same types between the same neighbours, and no other table of either run would do as well. Only where
 * the runs have no words in common elsewhere do unlike names say nothing (`pessoas`, `people`): runs that agree on other
 * names mean two things by two names.
 */
export function findRoles(shapes: readonly Shape[], slots: Slots): ScoredPair[] {
  const made = shapes.filter(({ tables }) => tables.some(({ isNew }) => isNew));
  if (made.length < fewestRuns) return [];
  const names = new NameLikeness();
  return matchClearly(fillersOf(made, slots), {
    fitOf: (one, other, joined) => fitOf(one, other, { joined, names }),
    isWhole: ({ size }) => 5 * size >= 4 * made.length,
  });
}

function fitOf(
  one: Filler,
  other: Filler,
  { joined, names }: { joined: Joined; names: NameLikeness },
): Fit | undefined {
  const types = likenessOfTypes(one, other, names);
  if (types === undefined) return undefined;
  const around = { roleOf: (id: string) => joined.of(id), mayBeOne: (a: string, b: string) => !joined.meet(a, b) };
  const targets = areOpenTo(one.targets, other.targets, around);
  const referrers = areOpenTo(one.referrers, other.referrers, around);
  if (targets === "conflict" || referrers === "conflict" || !areForeign(one, other, types.named > 0)) return undefined;
  const known = [targets, referrers].filter((each) => each === "same").length;
  const isLone = Math.min(one.runs.size, other.runs.size) === 1;
  if (isLone && known === 0 && types.score < leastLone && types.named === 0) return undefined;
  const name = names.of(one.name, other.name);
  const strength = 0.6 * types.score + 0.15 * known + 0.1 * Math.min(1, types.named) + 0.2 * name;
  return { strength, score: Math.min(byStructure, (types.score + name) / 2) };
}
