import { groupBy } from "../../model/groups.js";
import { lifeTime } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import type { Field, Home } from "./fields.js";
import { type Candidate, type Fit, matchClearly } from "./matching.js";
import { isGeneric, NameLikeness } from "./names.js";
import { areOpposed } from "./opposites.js";
import { familyLikeness, plainFamily } from "./payload.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

interface Place extends Candidate {
  /** One for each way to write it. */
  fields: Field[];
  lengths: Set<number>;
  /** Whether most of its runs say so. */
  isUnique: boolean;
  notNull: boolean;
  computed: boolean;
}

const byStructure = 0.59;

/**
 * Columns of a table that runs of different tongues made: what one holds is told by its type, its length, whether it is
 * unique, may be empty or fills itself in, and a name of one letter by what begins with it. Two that never meet are one
 * where no other column of their runs fits nearly as well, and they cover four fifths of the runs that have the table.
 */
export function findPlaces(home: Home, slots: Slots): ScoredPair[] {
  const names = new NameLikeness();
  const places = placesOf(home, slots);
  return matchClearly(places, {
    fitOf: (one, other) => fitOf(one, other, names),
    isWhole: ({ size }) => 5 * size >= 4 * home.runs.size,
  });
}

/** Columns that not all runs have; what refers to something is told by that, and a key is one. */
function placesOf({ fields, runs }: Home, slots: Slots): Place[] {
  const bySlot = [...groupBy(fields, ({ column }) => slots.key(column.id))];
  const open = bySlot.filter(
    ([, each]) =>
      each.length < runs.size &&
      each.every(({ column, target }) => !column.generatedKey && target === undefined && !notesChange(column.name)) &&
      2 * each.filter(({ inKey }) => inKey).length < each.length,
  );
  const places = open.map(([id, each]): Place => {
    const ways = new Map(each.map((field) => [`${field.column.name}\0${field.column.family}`, field]));
    const keys = [...ways.keys()].sort(compareText);
    const most = (holds: (field: Field) => boolean) => 2 * each.filter(holds).length > each.length;
    return {
      id,
      key: `${keys.join("\n")}\n${id}`,
      runs: new Set(each.map(({ run }) => run)),
      fields: [...ways.values()],
      lengths: new Set(each.flatMap(({ column }) => column.length ?? [])),
      isUnique: most(({ isUnique }) => isUnique),
      notNull: most(({ column }) => column.notNull),
      computed: most(({ column }) => column.computed !== null),
    };
  });
  return places.sort((a, b) => b.runs.size - a.runs.size || compareText(a.key, b.key));
}

/** `updated_at`: beside what a row is about. */
function notesChange(name: string): boolean {
  return isGeneric(name) && lifeTime(name) === "updated_at";
}

function fitOf(one: Place, other: Place, names: NameLikeness): Fit | undefined {
  const pairs = one.fields.flatMap((a) => other.fields.map((b): [Field, Field] => [a, b]));
  if (pairs.some(([a, b]) => areOpposed(a.column.name, b.column.name))) return undefined;
  const type = Math.max(...pairs.map(([a, b]) => familyLikeness(plainFamily(a.column), plainFamily(b.column))));
  if (type === 0) return undefined;
  const name = Math.max(...pairs.map(([a, b]) => names.of(a.column.name, b.column.name)));
  const initials = pairs.filter(
    ([a, b]) => isInitial(a.column.name, b.column.name) || isInitial(b.column.name, a.column.name),
  );
  const begins = initials.length / pairs.length;
  const strength =
    0.4 * type +
    0.3 * Math.max(name, begins) +
    0.3 * agreement(one.lengths, other.lengths) +
    0.1 * Number(one.isUnique === other.isUnique) +
    0.1 * Number(one.notNull === other.notNull) +
    0.1 * Number(one.computed === other.computed);
  return { strength, score: Math.min(byStructure, 0.2 * type + 0.45 * name + 0.17) };
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.length > 1 && long.toLowerCase().startsWith(short.toLowerCase());
}

/** 1 where a length is in both, 0 where both have lengths and none in common, else half: not told. */
function agreement(ones: ReadonlySet<number>, others: ReadonlySet<number>): number {
  if (ones.size === 0 || others.size === 0) return 0.5;
  return [...ones].some((length) => others.has(length)) ? 1 : 0;
}
