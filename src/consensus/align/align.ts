import { connected, groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Renaming, Shape } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { columnLikeness, findColumns } from "./column-slots.js";
import { findEnds } from "./ends.js";
import { mergeEqual } from "./equal.js";
import { type Home, homesOf } from "./fields.js";
import { findLeftOver } from "./left-over.js";
import { idsNamed, mergeAliases, type Overrides } from "./overrides.js";
import type { Pair } from "./pairing.js";
import { findPlaces } from "./places.js";
import { findRoles } from "./roles.js";
import { Slots } from "./slots.js";
import { findTables, type ScoredPair } from "./table-slots.js";

/** Which names mean the same thing. */
export interface Alignment {
  renaming: Renaming;
  /** Things renamed together, one entry each: the names that tell them, those most runs use. */
  groups: string[][];
  /** What was merged by likeness, and how much spoke for it: 0 to 1. What is not in here is equal, or a person said so. */
  merges: ScoredPair[];
}

/**
 * Finds what is the same thing in runs that named it differently: first what a person says is one, then what is equal in
 * everything but its names, then tables by the evidence there is, and inside each table its columns and their enums. Of two
 * names that one run uses, and of two that a person keeps apart, neither is ever the other.
 */
export function align(shapes: readonly Shape[], { aliases = [], distinct = [] }: Overrides = {}): Alignment {
  const slots = new Slots(shapes, idsNamed(distinct, shapes));
  const found: Pair[][] = [...mergeAliases(aliases, shapes, slots), ...mergeEqual(shapes, slots)];
  const merges: ScoredPair[] = [];
  const take = (pairs: readonly ScoredPair[], follows: (pair: ScoredPair) => boolean, { asSet = false } = {}) => {
    for (const pair of pairs) {
      const told = { one: pair.one, other: pair.other, follows: follows(pair) };
      if (!slots.merge([told], { despiteNames: asSet })) continue;
      found.push([told]);
      merges.push(pair);
    }
  };
  take(findTables(shapes, slots), () => false);
  const roles = findRoles(shapes, slots);
  take(roles, () => false);
  const inTongues = new Set(roles.map(({ one }) => slots.key(one)));
  const homes = homesOf(shapes, slots);
  const isNew = new Set(homes.flatMap((home) => (home.isNew ? [home.id] : [])));
  const likeness = columnLikeness((slot) => isNew.has(slot));
  for (const whole of homes) {
    const ends = findEnds(whole, slots);
    const home = { ...whole, fields: whole.fields.filter(({ column }) => !ends.unsure.has(slots.key(column.id))) };
    const follows = (pair: ScoredPair) => leadsToRenamed(home, pair, slots);
    take(ends.pairs, follows, { asSet: true });
    take(findColumns(home, slots, likeness), follows);
    take(findLeftOver(home, slots, { covered: coveredBy(home, homes), likeness }), follows);
    if (inTongues.has(home.id)) take(findPlaces(home, slots), follows);
  }
  found.push(...mergeTypes(homes, slots));
  const renaming = renamingOf(found, slots);
  return { renaming, groups: groupsOf(found, renaming), merges };
}

/** Columns that differ in the name of the table they refer to, and in no word of their own, need no telling beside it. */
function leadsToRenamed({ fields }: Home, { one, other }: ScoredPair, slots: Slots): boolean {
  const [a, b] = [one, other].map((id) => {
    const ids = new Set([id, ...slots.of(id)]);
    return fields.filter(({ column }) => ids.has(column.id));
  });
  const target = a?.[0]?.target;
  const own = new Set([...(a ?? []), ...(b ?? [])].map((field) => field.own));
  return own.size === 1 && target !== undefined && slots.of(target).length > 1;
}

/** Runs that lack some column and may hold its values in a table of its own: one that not all runs have. */
function coveredBy(home: Home, homes: readonly Home[]): Set<RunId> {
  const others = homes.filter(({ id, isNew, runs }) => isNew && id !== home.id && runs.size < home.runs.size);
  const fields = others.flatMap((other) => other.fields.filter(({ target }) => target === home.id));
  return new Set(fields.map(({ run }) => run));
}

/** Enums of one column are one enum, whatever they list. */
function mergeTypes(homes: readonly Home[], slots: Slots): Pair[][] {
  return homes.flatMap(({ fields }) =>
    [...groupBy(fields, ({ column }) => slots.key(column.id)).values()].flatMap((each) => {
      const types = [...new Set(each.flatMap(({ column }) => column.type ?? []))].sort(compareText);
      const renamed = each.some(({ column }) => slots.of(column.id).length > 1);
      return types.slice(1).flatMap((one): Pair[][] => {
        const pair = { one, other: types[0] ?? one, follows: renamed };
        return slots.key(one) !== slots.key(pair.other) && slots.merge([pair]) ? [[pair]] : [];
      });
    }),
  );
}

/** Also of names that no pair holds: a column of some other run, in a table that is now one with another. */
function renamingOf(found: readonly Pair[][], slots: Slots): Renaming {
  const renaming = new Map<string, string>();
  for (const { one } of found.flat()) {
    if (renaming.has(one)) continue;
    const canonical = slots.canonical(one);
    for (const id of slots.of(one)) renaming.set(id, canonical);
  }
  return renaming;
}

/** Things that were renamed together, in any pair of runs, are told together: tables first, then columns. */
function groupsOf(found: readonly Pair[][], renaming: Renaming): string[][] {
  const told = new Map<string, boolean>();
  const edges = found.flatMap((pairs) => {
    const ids = pairs.map(({ one }) => renaming.get(one) ?? one);
    for (const [at, id] of ids.entries()) told.set(id, told.get(id) || pairs[at]?.follows === false);
    return ids.map((id) => [ids[0] ?? id, id] as const);
  });
  const groups = connected(edges).map((group) => [...group].filter((id) => told.get(id)).sort(compareIds));
  return groups.sort((a, b) => compareIds(a[0] ?? "", b[0] ?? ""));
}

function compareIds(a: string, b: string): number {
  const kind = (id: string) => Number(!id.startsWith('["table"'));
  return kind(a) - kind(b) || compareText(a, b);
}
