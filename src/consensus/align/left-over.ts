import { connected, groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { mostCommon } from "../../model/text.js";
import { isByChance } from "../decide/statistics.js";
import type { Likeness } from "./column-slots.js";
import type { Field, Home } from "./fields.js";
import { isGeneric, onlyCount } from "./names.js";
import { plainFamily } from "./payload.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

/** A column of the table under all names known so far. */
interface LeftOver {
  id: string;
  fields: Field[];
  runs: Set<RunId>;
  /** The table it refers to, by half of its runs or more. */
  target: string | undefined;
}

/** In fewer runs two columns are each other's complement too easily by chance. */
const fewestRuns = 5;

/**
 * Columns that are one by their place alone: they never meet, cover four fifths of the runs, are of one family and unique
 * alike or refer to one table, and neither's runs have another that would do, or both have the same computed default.
 * `covered` are runs that have a table which refers to this one instead. Where two that could go with a third meet, none is
 * taken.
 */
export function findLeftOver(
  home: Home,
  slots: Slots,
  { covered, likeness }: { covered: ReadonlySet<RunId>; likeness: Likeness },
): ScoredPair[] {
  if (home.runs.size < fewestRuns) return [];
  const columns = [...groupBy(home.fields, ({ column }) => slots.key(column.id))]
    .map(([id, fields]) => leftOver(id, fields))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const mayBeOne = (one: LeftOver, other: LeftOver) =>
    neverMeet(one, other) && recognised(one, other, (kept, given) => !hasRival(kept, given, { home, columns }));
  const edges = columns.flatMap((one, at) =>
    columns.slice(at + 1).flatMap((other) => (mayBeOne(one, other) ? [[one, other] as const] : [])),
  );
  return connected(edges).flatMap((all) => {
    const [first, ...others] = [...all];
    const inPairs = edges.filter(([one]) => all.has(one)).length;
    const clear = 2 * inPairs === all.size * (all.size - 1) && isWhole([...all], home, covered);
    if (first === undefined || !clear) return [];
    return others.map((other) => ({ one: first.id, other: other.id, score: average(first, other, likeness) }));
  });
}

function leftOver(id: string, fields: Field[]): LeftOver {
  const target = mostCommon(fields.flatMap((field) => field.target ?? []));
  const isReference =
    target !== undefined && 2 * fields.filter((field) => field.target === target).length >= fields.length;
  return { id, fields, runs: new Set(fields.map(({ run }) => run)), target: isReference ? target : undefined };
}

function neverMeet(one: LeftOver, other: LeftOver): boolean {
  return ![...one.runs].some((run) => other.runs.has(run));
}

/** True where these columns together are in nearly all runs that have the table. */
function isWhole(columns: readonly LeftOver[], home: Home, covered: ReadonlySet<RunId>): boolean {
  const own = columns.reduce((sum, { runs }) => sum + runs.size, 0);
  const elsewhere = [...covered].some((run) => columns.some(({ runs }) => runs.has(run))) ? 0 : covered.size;
  return 5 * (own + elsewhere) >= 4 * home.runs.size && 2 * own >= home.runs.size;
}

function recognised(one: LeftOver, other: LeftOver, isClear: (kept: LeftOver, given: LeftOver) => boolean): boolean {
  if (one.target !== other.target) return false;
  const areClear = () => isClear(one, other) && isClear(other, one);
  // References to one table, part of the key or not: the other end says what they are.
  if (one.target !== undefined) return areClear();
  const fields = [...one.fields, ...other.fields];
  if (mostly(one, isKey) || mostly(other, isKey)) return false;
  if (familyOf(one) !== familyOf(other) || mostly(one, isUnique) !== mostly(other, isUnique)) return false;
  const defaults = new Set(fields.map(({ column }) => column.computed));
  if (defaults.size === 1 && !defaults.has(null)) return true;
  if (one.fields.some((a) => other.fields.some((b) => onlyCount(a.column.name, b.column.name)))) return false;
  const common = [one, other].every((each) => each.fields.some(({ column }) => isGeneric(column.name)));
  return !common && areClear();
}

/** The family most runs give it. */
function familyOf({ fields }: LeftOver): string | undefined {
  return mostCommon(fields.map(({ column }) => plainFamily(column)));
}

function mostly({ fields }: LeftOver, holds: (field: Field) => boolean): boolean {
  return 2 * fields.filter(holds).length > fields.length;
}

function isUnique(field: Field): boolean {
  return field.isUnique;
}

function isKey(field: Field): boolean {
  return field.inKey;
}

/**
 * Whether half of the runs that have the given column have another which would do as well for the one that is kept: it leads
 * to the same table or is of the same family, and never meets it; where two fill each other's gaps by chance, as a single run
 * does, whether any of them has another such column at all. What every run has is put aside.
 */
function hasRival(
  kept: LeftOver,
  given: LeftOver,
  { home, columns }: { home: Home; columns: readonly LeftOver[] },
): boolean {
  const byChance = isByChance(home.runs.size, Math.min(kept.runs.size, given.runs.size));
  return columns.some((rival) => {
    if (rival === kept || rival === given || rival.runs.size === home.runs.size) return false;
    const shared = [...rival.runs].filter((run) => given.runs.has(run)).length;
    if (shared === 0 || (!byChance && (2 * shared < given.runs.size || !neverMeet(rival, kept)))) return false;
    return kept.target === undefined
      ? rival.fields.some(
          (field) => field.target === undefined && !field.inKey && plainFamily(field.column) === familyOf(kept),
        )
      : rival.target === kept.target;
  });
}

/** Over ways to write the columns, not over runs: a copy of a run changes no score. */
function average(one: LeftOver, other: LeftOver, likeness: Likeness): number {
  const ways = ({ fields }: LeftOver) => [
    ...new Map(fields.map((field) => [`${field.column.name} ${field.column.family}`, field])).values(),
  ];
  const scores = ways(one).flatMap((a) => ways(other).map((b) => likeness(a, b)));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
