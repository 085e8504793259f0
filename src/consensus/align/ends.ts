import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import type { Field, Home } from "./fields.js";
import { isGeneric, NameLikeness } from "./names.js";
import { areOpposed } from "./opposites.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

/** What is known of the ends: pairs that are one, and columns of which it cannot be said which end they are. */
export interface Ends {
  pairs: ScoredPair[];
  unsure: Set<string>;
}

/** The columns of one or more runs that hold the ends. */
interface Pattern {
  columns: { id: string; name: string }[];
  runs: number;
  text: string;
}

/** One end under all its names. */
type End = { id: string; name: string }[];

const most = 3;
/** The best way to match must be so much better than the next. */
const margin = 0.2;
const certain = 1.5;
const against = 0.5;

/**
 * The columns of a table that is about a set of references to one table, two or three in nearly every run: `follows` has a
 * follower and a followee, whatever either is called. They are matched as a set, one to one, by the names that are
 * most alike; names of two ends keep apart, so that beside a clear `follower_id` a `user_id` is the other end.
 */
export function findEnds(home: Home, slots: Slots): Ends {
  const bySlot = groupBy(home.fields, ({ column }) => slots.key(column.id));
  const found: Ends = { pairs: [], unsure: new Set() };
  if (!home.isNew || home.runs.size < 2) return found;
  for (const target of [...new Set(home.fields.flatMap((field) => field.target ?? []))].sort(compareText)) {
    const leading = new Set([...bySlot].flatMap(([id, each]) => (each.some((f) => f.target === target) ? [id] : [])));
    const isEnd = (field: Field) => leading.has(slots.key(field.column.id));
    if (!isPaired(home, isEnd) && home.fields.some((field) => !isEnd(field) && holdsMore(field))) continue;
    const { patterns, others } = patternsOf(home, isEnd, slots);
    matchAll(patterns, found);
    if (patterns.length === 0) continue;
    const known = new Set(patterns.flatMap(({ columns }) => columns.map(({ id }) => id)));
    for (const { id } of others) if (!known.has(id)) found.unsure.add(id);
  }
  return found;
}

/** A row is about its ends, whatever else it holds, where half of the runs tell rows apart by all of them together. */
function isPaired({ fields, runs }: Home, isEnd: (field: Field) => boolean): boolean {
  const byRun = [...groupBy(fields.filter(isEnd), ({ run }) => run).values()];
  const paired = byRun.filter((each) => each.length > 1 && each.every(({ inKey }) => inKey));
  return 2 * paired.length >= runs.size;
}

function holdsMore({ column, target }: Field): boolean {
  return target !== undefined || (column.payload && !isGeneric(column.name));
}

/** The most common first, and the columns of the few runs that have fewer or more ends; nothing where those are not few. */
function patternsOf({ fields, runs }: Home, isEnd: (field: Field) => boolean, slots: Slots) {
  const byRun = [...groupBy(fields.filter(isEnd), ({ run }) => run).values()];
  const counts = groupBy(byRun, ({ length }) => length);
  const [usual] = [...counts].sort(([a, one], [b, other]) => other.length - one.length || a - b);
  const [count = 0, alike = []] = usual ?? [];
  if (count < 2 || count > most || 5 * alike.length < 4 * runs.size) return { patterns: [], others: [] };
  const columnsOf = (each: readonly Field[]) =>
    each.map(({ column }) => ({ id: slots.key(column.id), name: column.name })).sort((a, b) => compareText(a.id, b.id));
  const textOf = (columns: Pattern["columns"]) => columns.map(({ id }) => id).join("\n");
  const patterns = [...groupBy(alike.map(columnsOf), textOf)]
    .map(([text, same]): Pattern => ({ text, runs: same.length, columns: plainly(same[0] ?? []) }))
    .sort((a, b) => b.runs - a.runs || compareText(a.text, b.text));
  return { patterns, others: byRun.filter((each) => each.length !== count).flatMap(columnsOf) };
}

/** Whoever does it is named alike: `followed_by`, and `following` beside `followed`, are the follower. */
function plainly(columns: Pattern["columns"]): Pattern["columns"] {
  const names = columns.map(({ name }) => name.toLowerCase().replace(/([a-z]{3,})ed_?by(?![a-z])/, "$1er"));
  const said = names.join(" ");
  return columns.map(({ id }, at) => {
    const doing = /([a-z]{3,})ing(?![a-z])/;
    const name = names[at] ?? "";
    return {
      id,
      name: name.replace(doing, (whole, verb: string) => (said.includes(`${verb}ed`) ? `${verb}er` : whole)),
    };
  });
}

/** Those that are matched most clearly first: they say more about the others. */
function matchAll([first, ...others]: Pattern[], found: Ends): void {
  if (first === undefined) return;
  const names = new NameLikeness();
  const ends: End[] = first.columns.map((column) => [column]);
  let open = others;
  while (open.length > 0) {
    const ranked = open
      .map((pattern) => ({ pattern, ...bestOf(pattern, ends, names) }))
      .sort(
        (a, b) => b.lead - a.lead || b.pattern.runs - a.pattern.runs || compareText(a.pattern.text, b.pattern.text),
      );
    const [clearest] = ranked;
    if (clearest === undefined || clearest.lead < margin) break;
    for (const [at, column] of clearest.columns.entries()) {
      const end = ends[at];
      const [head] = end ?? [];
      if (end === undefined || head === undefined) continue;
      if (!end.some(({ id }) => id === column.id)) {
        found.pairs.push({
          one: head.id,
          other: column.id,
          score: 0.45 * Math.max(0, names.of(head.name, column.name)) + 0.55,
        });
      }
      end.push(column);
    }
    open = open.filter((pattern) => pattern !== clearest.pattern);
  }
  const known = new Set(ends.flat().map(({ id }) => id));
  for (const { columns } of open) for (const { id } of columns) if (!known.has(id)) found.unsure.add(id);
}

/** The order of a pattern's columns that fits the ends best, and how far it leads the second. */
function bestOf({ columns }: Pattern, ends: readonly End[], names: NameLikeness) {
  const orders = permutations(columns)
    .map((order) => ({ order, fit: order.reduce((sum, column, at) => sum + fitOf(column, at, { ends, names }), 0) }))
    .filter(({ fit }) => fit > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.fit - a.fit);
  const [best, second] = orders;
  return { columns: best?.order ?? [], lead: best ? best.fit - (second?.fit ?? -certain) : Number.NEGATIVE_INFINITY };
}

function fitOf(
  column: End[number],
  at: number,
  { ends, names }: { ends: readonly End[]; names: NameLikeness },
): number {
  const place = ends.findIndex((end) => end.some(({ id }) => id === column.id));
  if (place >= 0) return place === at ? certain : Number.NEGATIVE_INFINITY;
  const end = ends[at] ?? [];
  const alike = Math.max(...end.map(({ name }) => names.of(name, column.name)));
  const opposed = end.filter(({ name }) => areOpposed(name, column.name)).length / end.length;
  return alike - against * opposed;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
