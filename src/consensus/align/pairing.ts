import { connected, groupBy } from "../../model/groups.js";
import type { ShapeColumn, ShapeTable } from "../../model/shape.js";
import { type Cluster, type Colours, tell } from "./clusters.js";

/** Two names for one thing. */
export interface Pair {
  one: string;
  other: string;
  /** True for what needs no telling beside its table: columns of equal name, and those that lead to a renamed table. */
  follows: boolean;
}

/** A cluster and what its parts look like without their names. */
export interface Coloured {
  cluster: Cluster;
  colours: Colours;
}

/**
 * The one renaming that turns a cluster into another of the same form, equal names first; undefined where there is none,
 * where there are several, or where too little speaks for it (`isEnough`).
 */
export function pairUp(one: Coloured, other: Coloured & { text: string }): Pair[] | undefined {
  const colour = (id: string, first: boolean) => (first ? one : other).colours.get(id) ?? id;
  const tables = match(one.cluster.tables, other.cluster.tables, {
    nameOf: ({ id }) => id,
    colourOf: ({ id }, first) => colour(id, first),
  });
  if (tables === undefined) return undefined;
  const names = new Map(tables.map(([a, b]) => [a.id, b.id]));
  const pairs: Pair[] = tables.map(([a, b]) => ({ one: a.id, other: b.id, follows: false }));
  for (const [a, b] of tables) {
    const columns = match(a.columns, b.columns, {
      nameOf: ({ name }) => name,
      colourOf: ({ id }, first) => colour(id, first),
    });
    if (columns === undefined) return undefined;
    for (const [mine, theirs] of columns) {
      names.set(mine.id, theirs.id);
      const to = leadsTo(a, mine.id);
      const follows =
        a.id !== b.id && (mine.name === theirs.name || to.some((id) => names.has(id) && names.get(id) !== id));
      pairs.push({ one: mine.id, other: theirs.id, follows });
      if (mine.type !== null && theirs.type !== null) pairs.push({ one: mine.type, other: theirs.type, follows: true });
    }
  }
  const same = tell(one.cluster, (id) => names.get(id) ?? id) === other.text;
  return same && isEnough(tables, names) ? pairs : undefined;
}

interface Matching<T> {
  nameOf(item: T): string;
  colourOf(item: T, first: boolean): number | string;
}

/** Equal names belong together, the rest by colour where exactly one is left on either side. */
function match<T>(ones: readonly T[], others: readonly T[], { nameOf, colourOf }: Matching<T>): [T, T][] | undefined {
  if (ones.length !== others.length) return undefined;
  const byName = new Map(others.map((item) => [nameOf(item), item]));
  const left = groupBy(others, (item) => colourOf(item, false));
  const pairs: [T, T][] = [];
  const rest: T[] = [];
  for (const item of ones) {
    const namesake = byName.get(nameOf(item));
    if (namesake === undefined) rest.push(item);
    else pairs.push([item, namesake]);
  }
  const taken = new Set(pairs.map(([, item]) => item));
  if (pairs.some(([a, b]) => colourOf(a, true) !== colourOf(b, false))) return undefined;
  for (const item of rest) {
    const candidates = left.get(colourOf(item, true))?.filter((each) => !taken.has(each)) ?? [];
    const [only] = candidates;
    if (only === undefined || candidates.length > 1) return undefined;
    pairs.push([item, only]);
    taken.add(only);
  }
  return pairs;
}

/**
 * The least that must speak for two tables being one, beside their equal structure, for each group of renamed tables that
 * refer to one another: something refers to one of them and there is a second reference, or they refer to something and
 * hold two or more payload columns that are not all text. What refers to itself says nothing. So `tags(name)` and `labels(name)` stay two things, and so do two link
 * tables between the same neighbours (`team_members`, `team_invites`). In tables that keep their name, only columns that
 * lead to something new are one under two names: two text columns are rather two things.
 */
function isEnough(tables: readonly [ShapeTable, ShapeTable][], names: ReadonlyMap<string, string>): boolean {
  const renamed = tables.filter(([one, other]) => one.id !== other.id).map(([one]) => one);
  const ids = new Set(renamed.map(({ id }) => id));
  const all = tables.flatMap(([{ id, references }]) => references.map((reference) => ({ from: id, ...reference })));
  const edges = all.filter(({ from, target }) => ids.has(from) && ids.has(target));
  const parts = connected([
    ...renamed.map(({ id }) => [id, id] as const),
    ...edges.map((e) => [e.from, e.target] as const),
  ]);
  const fresh = new Set(tables.flatMap(([{ id, isNew }]) => (isNew ? [id] : [])));
  const kept = tables.filter(([one, other]) => one.id === other.id).map(([one]) => one);
  return (
    parts.every((part) => {
      const touching = all.filter(({ from, target }) => from !== target && (part.has(from) || part.has(target)));
      if (touching.some(({ target }) => part.has(target)) && touching.length > 1) return true;
      const payload = renamed.filter(({ id }) => part.has(id)).flatMap(({ columns }) => columns.filter(isPayload));
      return touching.length > 0 && payload.length > 1 && payload.some(({ family }) => family !== "text");
    }) &&
    kept.every((table) =>
      table.columns.every(({ id }) => names.get(id) === id || leadsTo(table, id).some((target) => fresh.has(target))),
    )
  );
}

function isPayload({ payload }: ShapeColumn): boolean {
  return payload;
}

function leadsTo({ references }: ShapeTable, column: string): string[] {
  return references.filter(({ columns }) => columns.includes(column)).map(({ target }) => target);
}
