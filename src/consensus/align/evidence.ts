import { derived, isDerived } from "./kinship.js";
import { jaccard, type NameLikeness, written } from "./names.js";
import type { PayloadLikeness } from "./payload.js";

/** What a table refers to or is referred to by, itself left out; told in slots, new and old. */
export type Neighbours = ReadonlySet<string>;

/** One way to build a table, as evidence is taken from it. */
export interface Profile {
  /** Without its schema. */
  name: string;
  /** The same without cases and separators. */
  spelling: string;
  tokens: readonly string[];
  /** Tokens of its name that are no name of what it refers to. */
  own: readonly string[];
  targets: Neighbours;
  referrers: Neighbours;
}

/** What is known about slots while evidence is weighed. */
export interface Surroundings {
  isNew(slot: string): boolean;
  /** False where some run holds both. */
  mayBeOne(slot: string, other: string): boolean;
  /** Little for what everything refers to. */
  weightOf(slot: string): number;
  /** Little for words many names hold. */
  rarityOf(token: string): number;
  /** True for words that some other names hold as well, and not most of them. */
  isTelling(token: string): boolean;
  /** True for two words of which nearly every run uses one and none uses both: they may be the same in two mouths. */
  mayStandFor(one: string, other: string): boolean;
}

/** Below it two names are unlike. */
const alikeNames = 0.6;
/** The most two tables can reach against which something speaks: below what is merged, with any bonus. */
const refuted = 0.3;
const sameName = 0.75;
/** Payloads with as much in common, by two names or more, speak for themselves. */
const samePayload = 0.6;
/** Where the name of one table is part of another's, so much of the types in both is enough of a payload. */
const alikeTypes = 0.33;
/** What two payloads have in common, where nothing of the one is not in the other, under names that are as near. */
const allOfIt = 0.75;
/** Payloads with less in common than this differ. */
const conflict = 0.15;

/**
 * How much speaks for two new tables being one, 0 to 1: the weighted mean of the evidence that is there. What either lacks
 * says nothing, so that absence is never taken for difference.
 */
export function tableLikeness(one: Profile, other: Profile, { payload, name: whole, around }: Weighed): number {
  const name = Math.max(whole, ownNameLikeness(one, other, around));
  if (areSpelledAlike(one, other)) return Math.max(sameName, weigh(one, other, { payload, name, around }).score);
  const { score, ...beside } = weigh(one, other, { payload, name, around });
  const isRefuted =
    basesDiffer(one, other, around) || (name < alikeNames && !isEnough(one, other, { payload, ...beside }));
  return isRefuted ? Math.min(score, refuted) : score;
}

/** Equal but for case and separators: `TeamMembers`, `team_members`. */
function areSpelledAlike(one: Pick<Profile, "spelling">, other: Pick<Profile, "spelling">): boolean {
  return one.spelling === other.spelling && one.spelling !== "";
}

/** How alike two names are: 1 where they are equal, else words by their rarity, and no less than half of the trigrams'. */
export function tableNameLikeness(
  one: Pick<Profile, "name" | "spelling" | "tokens">,
  other: Pick<Profile, "name" | "spelling" | "tokens">,
  { names, rarityOf }: { names: NameLikeness; rarityOf: (token: string) => number },
): number {
  if (areSpelledAlike(one, other)) return 1;
  const [a, b] = written(one.tokens, other.tokens);
  const same = a.length === b.length && a.every((token) => b.some((each) => each === token || isDerived(each, token)));
  return Math.max(jaccard(a, b, rarityOf), 0.5 * names.of(one.name, other.name), same ? derived : 0);
}

/** The same of what two names have of their own, where both tables refer to the very same: `user_friends`, `friends`. */
function ownNameLikeness(one: Profile, other: Profile, { rarityOf }: Surroundings): number {
  if (one.targets.size === 0 || one.targets.size !== other.targets.size) return 0;
  if (![...one.targets].every((slot) => other.targets.has(slot))) return 0;
  const [a, b] = written(one.own, other.own);
  return jaccard(a, b, rarityOf);
}

/** Where runs share no words at all, that two names have none in common says nothing: such names are no evidence. */
export interface Weighed {
  payload: PayloadLikeness | undefined;
  name: number;
  around: Surroundings;
}

/**
 * How many neighbours two tables surely have in common, how many they refer to are surely two, and whether just one on
 * either side may become one.
 */
interface Beside {
  touching: number;
  apart: number;
  open: boolean;
  /** True where the one word in which two names differ may stand for the other's. */
  swapped: boolean;
  /** True where so named, one holds all that the other does, and more. */
  contained: boolean;
}

function weigh(one: Profile, other: Profile, { payload, name, around }: Weighed): Beside & { score: number } {
  const targets = overlap(one.targets, other.targets, around);
  const swapped = (payload?.named ?? 0) > 0 && areSwapped(one, other, around);
  const contained = payload?.contained === true && (swapped || isPart(one, other));
  const speaks =
    name >= alikeNames || (!swapped && !contained && [...one.tokens, ...other.tokens].some(around.isTelling));
  const referrers = overlap(one.referrers, other.referrers, { ...around, weightOf: () => 1 });
  const evidence: [weight: number, score: number | undefined][] = [
    [0.3, targets?.score],
    [0.3, contained ? Math.max(payload.score, allOfIt) : payload?.score],
    [0.3, speaks ? name : undefined],
    [0.1, referrers?.score],
  ];
  let sum = 0;
  let weights = 0;
  for (const [weight, score] of evidence) {
    if (score === undefined) continue;
    sum += weight * score;
    weights += weight;
  }
  const fromBase = [...one.referrers].filter((slot) => !around.isNew(slot) && other.referrers.has(slot)).length;
  return {
    score: weights === 0 ? 0 : sum / weights,
    touching: (targets?.common ?? 0) + (referrers?.common ?? 0) + fromBase,
    apart: targets?.apart ?? 0,
    open: targets?.twins === 1 && targets.apart === 0,
    swapped,
    contained,
  };
}

/**
 * Jaccard over slots. New slots that are not one yet and may still become one count half: they are neither the same nor
 * known to differ. `common` counts what surely is the same.
 */
function overlap(ones: Neighbours, others: Neighbours, around: Surroundings) {
  if (ones.size === 0 || others.size === 0) return undefined;
  const sum = (slots: readonly string[]) => slots.reduce((total, slot) => total + around.weightOf(slot), 0);
  const shared = [...ones].filter((slot) => others.has(slot));
  const left = [...ones].filter((slot) => !others.has(slot)).sort();
  const right = [...others].filter((slot) => !ones.has(slot)).sort();
  let open = 0;
  let twins = 0;
  for (const slot of left.filter(around.isNew)) {
    const at = right.findIndex((each) => around.isNew(each) && around.mayBeOne(slot, each));
    const [twin] = at < 0 ? [] : right.splice(at, 1);
    if (twin === undefined) continue;
    left.splice(left.indexOf(slot), 1);
    twins++;
    open += (around.weightOf(slot) + around.weightOf(twin)) / 2;
  }
  const all = sum(shared) + sum(left) + sum(right) + open;
  return { score: (sum(shared) + open / 2) / all, common: shared.length, twins, apart: left.length + right.length };
}

/** Both refer to tables of base, and to none in common. */
function basesDiffer(one: Profile, other: Profile, { isNew }: Surroundings): boolean {
  const [a, b] = [one, other].map(({ targets }) => [...targets].filter((slot) => !isNew(slot)));
  return !!a && !!b && a.length > 0 && b.length > 0 && !a.some((slot) => b.includes(slot));
}

/**
 * The least that must speak for two tables with unlike names, for structure alone is often equal: `team_members` and
 * `team_invites` may be two link tables between the same neighbours, and every look-up table holds a name. Payloads that have
 * no name in common must have telling types; and beside a neighbour in common there must be a second, more of the payload, or
 * one name in the other (`ratings`, `film_ratings`). A second may also be one that is still to be found where no name speaks
 * against it: `memberships` of `groups`, `team_members`.
 */
function isEnough(
  one: Profile,
  other: Profile,
  { payload, touching, apart, open, swapped, contained }: Beside & { payload: PayloadLikeness | undefined },
): boolean {
  const named = (payload?.named ?? 0) > 0;
  const isOpen =
    touching > 0 ? named || (payload?.types ?? 0) >= alikeTypes : named && (isSilent(one) || isSilent(other));
  if (apart === 0 && isOpen && isPart(one, other)) return true;
  if (apart === 0 && ((swapped && payload?.firm) || contained)) return true;
  if (payload && (payload.score < conflict || (payload.named === 0 && !payload.telling))) return false;
  if (payload && payload.named > 1 && payload.score >= samePayload) return true;
  if (touching > 0 && payload && (payload.named > 1 || payload.telling)) return true;
  if (touching > 0 && open && named && !clash(one, other)) return true;
  return touching > 1 && (named || !clash(one, other));
}

/** True where all words of one name are in the other, or derived: `ratings`, `film_ratings`; `withdraw`, `withdrawals`. */
function isPart(one: Profile, other: Profile): boolean {
  const [a, b] = written(one.tokens, other.tokens);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 0 && short.every((token) => long.some((each) => each === token || isDerived(each, token)));
}

/** `tasks`, `todos`; `task_notes`, `todo_notes`: one name is part of the other, but for a word that stands for another. */
function areSwapped(one: Profile, other: Profile, { mayStandFor }: Surroundings): boolean {
  const [a, b] = written(one.tokens, other.tokens);
  const [left, right] = [a.filter((token) => !b.includes(token)), b.filter((token) => !a.includes(token))];
  if (Math.min(left.length, right.length) !== 1) return false;
  return left.some((word) => right.some((each) => mayStandFor(word, each)));
}

/** What stands beside nothing says neither yes nor no. */
function isSilent({ targets, referrers }: Profile): boolean {
  return targets.size === 0 && referrers.size === 0;
}

/** Each has a word of its own that the other lacks. */
function clash(one: Profile, other: Profile): boolean {
  const [a, b] = written(one.own, other.own);
  return a.some((token) => !b.includes(token)) && b.some((token) => !a.includes(token));
}
