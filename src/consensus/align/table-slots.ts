import type { Shape } from "../../model/shape.js";
import { agglomerate, type Joining } from "./agglomerate.js";
import { type Profile, type Surroundings, tableLikeness, tableNameLikeness } from "./evidence.js";
import { NameLikeness, tokensOf } from "./names.js";
import { areCounterparts } from "./opposites.js";
import { comparePayload, type PayloadLikeness } from "./payload.js";
import type { Slots } from "./slots.js";
import { type TableAnchor, tableAnchors, type Variant } from "./table-anchors.js";

/** Two ids that are one thing, and how much speaks for it: 0 to 1. */
export interface ScoredPair {
  one: string;
  other: string;
  score: number;
}

export const threshold = 0.5;
/** Two names that nearly all runs share out between them are rather one thing. */
const coverage = 0.12;
const mostRounds = 6;

/**
 * Which new tables are the same under unlike names or shapes. What a table refers to counts by the slots of the round before,
 * until nothing moves any more.
 */
export function findTables(shapes: readonly Shape[], slots: Slots): ScoredPair[] {
  const anchors = tableAnchors(shapes, slots);
  const referrers = referrersOf(shapes, slots);
  const labels = new Map(shapes.flatMap(({ names }) => [...names]));
  const words = wordsOf(anchors, shapes.filter(({ tables }) => tables.some(({ isNew }) => isNew)).length);
  const compare = comparison(words);
  let partition = new Map(anchors.map(({ id }) => [id, id]));
  let joinings: Joining<TableAnchor>[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const slotOf = (id: string) => partition.get(slots.key(id)) ?? slots.key(id);
    const around = surroundings({ anchors, referrers, slotOf, words });
    const profiles = new Map(anchors.map((anchor) => [anchor.id, profilesOf(anchor, { referrers, slotOf, labels })]));
    joinings = agglomerate(anchors, {
      threshold,
      bonus: { runs: shapes.length, add: coverage },
      likeness: (one, other) => compare(profiles.get(one.id) ?? [], profiles.get(other.id) ?? [], around),
    });
    const next = partitionOf(anchors, joinings);
    if ([...next].every(([id, slot]) => partition.get(id) === slot)) break;
    partition = next;
  }
  return joinings.map(({ one, other, score }) => ({ one: one.id, other: other.id, score }));
}

/** The slots of all tables that refer to a new one, by its slot. */
function referrersOf(shapes: readonly Shape[], slots: Slots): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, references } of shapes.flatMap(({ tables }) => tables)) {
    for (const { target } of references) {
      if (target === id) continue;
      const key = slots.key(target);
      found.set(key, (found.get(key) ?? new Set()).add(slots.key(id)));
    }
  }
  return found;
}

type Profiled = Profile & Pick<Variant, "payload" | "hasCounterpart" | "number">;

interface Round {
  referrers: ReadonlyMap<string, ReadonlySet<string>>;
  slotOf: (id: string) => string;
}

function profilesOf(
  { id, variants }: TableAnchor,
  { referrers, slotOf, labels }: Round & { labels: ReadonlyMap<string, string> },
): Profiled[] {
  const own = slotOf(id);
  const others = (ids: Iterable<string>) => new Set([...ids].map(slotOf).filter((slot) => slot !== own));
  return variants.map((variant) => {
    const said = new Set(variant.targets.flatMap((target) => tokensOf(labels.get(target) ?? "")));
    return {
      ...variant,
      own: variant.tokens.filter((token) => !said.has(token)),
      targets: others(variant.targets),
      referrers: others(referrers.get(id) ?? []),
    };
  });
}

/** Average over all pairs of variants. What does not depend on the round is measured once. */
function comparison({ rarityOf }: Words) {
  const names = new NameLikeness();
  const known: { payload: PayloadLikeness | undefined; name: number; apart: boolean }[][] = [];
  const measure = (a: Profiled, b: Profiled) => {
    const row = known[a.number] ?? [];
    known[a.number] = row;
    const measured = row[b.number] ?? {
      payload: comparePayload(a.payload, b.payload, names),
      name: tableNameLikeness(a, b, { names, rarityOf }),
      apart: a.hasCounterpart && b.hasCounterpart && areCounterparts(a.name, b.name),
    };
    row[b.number] = measured;
    return measured;
  };
  return (ones: readonly Profiled[], others: readonly Profiled[], around: Surroundings): number => {
    let sum = 0;
    for (const a of ones) {
      for (const b of others) {
        const measured = measure(a, b);
        if (!measured.apart) sum += tableLikeness(a, b, { ...measured, around });
      }
    }
    return sum / (ones.length * others.length);
  };
}

function surroundings({
  anchors,
  referrers,
  slotOf,
  words,
}: Round & { anchors: readonly TableAnchor[]; words: Words }): Surroundings {
  const holders = new Map<string, Set<string>>();
  for (const anchor of anchors) {
    const slot = slotOf(anchor.id);
    const all = holders.get(slot) ?? new Set();
    for (const holder of anchor.holders) all.add(holder);
    holders.set(slot, all);
  }
  const leading = new Map<string, Set<string>>();
  for (const [target, from] of referrers) {
    const slot = slotOf(target);
    const all = leading.get(slot) ?? new Set();
    for (const id of from) all.add(slotOf(id));
    leading.set(slot, all);
  }
  const known = new Map<string, boolean>();
  return {
    isNew: (slot) => holders.has(slot),
    mayBeOne: (slot, other) => {
      const pair = `${slot}\0${other}`;
      const may = known.get(pair) ?? ![...(holders.get(slot) ?? [])].some((each) => holders.get(other)?.has(each));
      known.set(pair, may);
      return may;
    },
    weightOf: (slot) => 1 / Math.sqrt(1 + (leading.get(slot)?.size ?? 0)),
    ...words,
  };
}

type Words = Pick<Surroundings, "rarityOf" | "isTelling" | "mayStandFor">;

/** Of fewer runs two words are each other's complement too easily by chance. */
const fewestRuns = 5;

/** Inverse document frequency of the words of names, between .2 and 1 (K. Spärck Jones, Journal of Documentation 28, 1972). */
function wordsOf(anchors: readonly TableAnchor[], runs: number): Words {
  const names = new Map(anchors.flatMap(({ variants }) => variants.map(({ name, tokens }) => [name, tokens])));
  const counts = new Map<string, number>();
  for (const token of [...names.values()].flat()) counts.set(token, (counts.get(token) ?? 0) + 1);
  const countOf = (token: string) => counts.get(token) ?? 1;
  const users = new Map<string, Set<string>>();
  for (const { variants, holders } of anchors) {
    for (const token of variants.flatMap(({ tokens }) => tokens))
      users.set(token, new Set([...(users.get(token) ?? []), ...holders]));
  }
  const most = Math.log(1 + names.size);
  return {
    rarityOf: (token) => Math.max(0.2, Math.log(1 + names.size / countOf(token)) / most),
    isTelling: (token) => countOf(token) > 1 && 2 * countOf(token) <= names.size,
    mayStandFor: (one, other) => {
      const [a, b] = [users.get(one), users.get(other)];
      if (!a || !b || Math.min(a.size, b.size) < 2 || runs < fewestRuns || 5 * (a.size + b.size) < 4 * runs)
        return false;
      return ![...a].some((run) => b.has(run));
    },
  };
}

function partitionOf(anchors: readonly TableAnchor[], joinings: readonly Joining<TableAnchor>[]): Map<string, string> {
  const partition = new Map(anchors.map(({ id }) => [id, id]));
  for (const { one, other } of joinings) {
    const [to, from] = [partition.get(one.id) ?? one.id, partition.get(other.id) ?? other.id];
    for (const [id, slot] of partition) if (slot === from) partition.set(id, to);
  }
  return partition;
}
