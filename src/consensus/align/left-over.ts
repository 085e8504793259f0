import { connected, groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { mostCommon } from "../../model/text.js";
import { isByChance } from "../decide/statistics.js";
import type { Likeness } from "./column-slots.js";
import type { Field, Home } from "./fields.js";
import { isEnd, isGeneric, onlyCount } from "./names.js";
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
  /** What most runs say of it. */
  family: string | undefined;
  isUnique: boolean;
  inKey: boolean;
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
  const held = heldIn(columns);
  const mayBeOne = (one: LeftOver, other: LeftOver) =>
    neverMeet(one, other) && recognised(one, other, (kept, given) => !hasRival(kept, given, { home, held }));
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
  const mostly = (holds: (field: Field) => boolean) => 2 * fields.filter(holds).length > fields.length;
  return {
    id,
    fields,
    runs: new Set(fields.map(({ run }) => run)),
    target: isReference ? target : undefined,
    family: mostCommon(fields.map(({ column }) => plainFamily(column))),
    isUnique: mostly((field) => field.isUnique),
    inKey: mostly(({ inKey }) => inKey),
  };
}

type Held = ReadonlyMap<RunId, readonly LeftOver[]>;

function heldIn(columns: readonly LeftOver[]): Held {
  const held = groupBy(
    columns.flatMap((column) => [...column.runs].map((run) => ({ run, column }))),
    ({ run }) => run,
  );
  return new Map([...held].map(([run, each]) => [run, each.map(({ column }) => column)]));
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

type IsClear = (kept: LeftOver, given: LeftOver) => boolean;

function recognised(one: LeftOver, other: LeftOver, isClear: IsClear): boolean {
  if (one.target !== other.target) return false;
  const areClear = () => isClear(one, other) && isClear(other, one);
  // References to one table, part of the key or not: the other end says what they are.
  if (one.target !== undefined) return areClear();
  if (one.inKey || other.inKey || one.family !== other.family || one.isUnique !== other.isUnique) return false;
  const defaults = new Set([...one.fields, ...other.fields].map(({ column }) => column.computed));
  if (defaults.size === 1 && !defaults.has(null)) return true;
  const [names = [], others = []] = [one, other].map(({ fields }) => [
    ...new Set(fields.map(({ column }) => column.name)),
  ]);
  if (names.some(isGeneric) && others.some(isGeneric)) return false;
  // What a run lacks it has under no other name: when a row was deleted is never when it was last read.
  if (names.some(isEnd) !== others.some(isEnd)) return false;
  return areClear() && !names.some((name) => others.some((each) => onlyCount(name, each)));
}

/**
 * Whether half of the runs that have the given column have another which would do as well for the one that is kept: it leads
 * to the same table or is of the same family, and never meets it; where two fill each other's gaps by chance, as a single run
 * does, whether any of them has another such column at all. What every run has is put aside.
 */
function hasRival(kept: LeftOver, given: LeftOver, { home, held }: { home: Home; held: Held }): boolean {
  const byChance = isByChance(home.runs.size, Math.min(kept.runs.size, given.runs.size));
  const rivals = new Set([...given.runs].flatMap((run) => held.get(run) ?? []));
  return [...rivals].some((rival) => {
    if (rival === kept || rival === given || rival.runs.size === home.runs.size) return false;
    const isLike =
      kept.target === undefined
        ? rival.fields.some((field) => isFree(field) && plainFamily(field.column) === kept.family)
        : rival.target === kept.target;
    if (!isLike || byChance) return isLike;
    const shared = [...rival.runs].filter((run) => given.runs.has(run)).length;
    return 2 * shared >= given.runs.size && neverMeet(rival, kept);
  });
}

function isFree({ target, inKey }: Field): boolean {
  return target === undefined && !inKey;
}

/** Over ways to write the columns, not over runs: a copy of a run changes no score. */
function average(one: LeftOver, other: LeftOver, likeness: Likeness): number {
  const ways = ({ fields }: LeftOver) => [
    ...new Map(fields.map((field) => [`${field.column.name} ${field.column.family}`, field])).values(),
  ];
  const scores = ways(one).flatMap((a) => ways(other).map((b) => likeness(a, b)));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
