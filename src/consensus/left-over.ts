import { connected, groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { Likeness } from "./column-slots.js";
import type { Field, Home } from "./fields.js";
import { isGeneric } from "./names.js";
import { plainFamily } from "./payload.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

/** A column of the table under all names known so far. */
interface LeftOver {
  id: string;
  fields: Field[];
  runs: Set<RunId>;
}

/** In fewer runs two columns are each other's complement too easily by chance. */
const fewestRuns = 5;

/**
 * Columns that are one by their place alone: they never meet, cover four fifths of the runs, are of one family, and each is
 * the only one of it that is left in its table, or both have the same computed default. `covered` are runs that have a table
 * which refers to this one instead. Where two that could go with a third meet, none is taken.
 */
export function findLeftOver(
  home: Home,
  slots: Slots,
  { covered, likeness }: { covered: ReadonlySet<RunId>; likeness: Likeness },
): ScoredPair[] {
  if (home.runs.size < fewestRuns) return [];
  const columns = [...groupBy(home.fields, ({ column }) => slots.key(column.id))]
    .map(([id, fields]): LeftOver => ({ id, fields, runs: new Set(fields.map(({ run }) => run)) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const lone = loneIn(home, columns);
  const mayBeOne = (one: LeftOver, other: LeftOver) => neverMeet(one, other) && recognised(one, other, lone);
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

function neverMeet(one: LeftOver, other: LeftOver): boolean {
  return ![...one.runs].some((run) => other.runs.has(run));
}

/** True where these columns together are in nearly all runs that have the table. */
function isWhole(columns: readonly LeftOver[], home: Home, covered: ReadonlySet<RunId>): boolean {
  const own = columns.reduce((sum, { runs }) => sum + runs.size, 0);
  const elsewhere = [...covered].some((run) => columns.some(({ runs }) => runs.has(run))) ? 0 : covered.size;
  return 5 * (own + elsewhere) >= 4 * home.runs.size && 2 * own >= home.runs.size;
}

function recognised(one: LeftOver, other: LeftOver, lone: (column: LeftOver) => boolean): boolean {
  if ([one, other].some(({ fields }) => fields.some(({ target, inKey }) => target !== undefined || inKey)))
    return false;
  const families = new Set([...one.fields, ...other.fields].map(({ column }) => plainFamily(column)));
  if (families.size !== 1) return false;
  const defaults = new Set([...one.fields, ...other.fields].map(({ column }) => column.computed));
  if (defaults.size === 1 && !defaults.has(null)) return true;
  const common = [one, other].every(({ fields }) => fields.some(({ column }) => isGeneric(column.name)));
  return !common && lone(one) && lone(other);
}

/** Whether a column is the only free one of its family wherever it is, those put aside that every run has. */
function loneIn({ fields, runs }: Home, columns: readonly LeftOver[]): (column: LeftOver) => boolean {
  const everywhere = new Set(columns.filter((each) => each.runs.size === runs.size).flatMap((each) => each.fields));
  const free = fields.filter((field) => field.target === undefined && !field.inKey && !everywhere.has(field));
  const counts = new Map<string, number>();
  const place = ({ run, column }: Field) => JSON.stringify([run, plainFamily(column)]);
  for (const field of free) counts.set(place(field), (counts.get(place(field)) ?? 0) + 1);
  return (column) => column.fields.every((field) => counts.get(place(field)) === 1);
}

/** Over ways to write the columns, not over runs: a copy of a run changes no score. */
function average(one: LeftOver, other: LeftOver, likeness: Likeness): number {
  const ways = ({ fields }: LeftOver) => [
    ...new Map(fields.map((field) => [`${field.column.name} ${field.column.family}`, field])).values(),
  ];
  const scores = ways(one).flatMap((a) => ways(other).map((b) => likeness(a, b)));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
