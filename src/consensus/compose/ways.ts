import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { stemsOf } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import { isPresent, runsWith, sizesOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { isByChance } from "../decide/statistics.js";

type Carrier = NonNullable<Question["carrier"]>;

/** A thing that some runs have and others do not, and that may be one of several ways to hold the same. */
export interface Way {
  question: Question;
  carrier: Carrier;
  runs: Set<RunId>;
  /** The tables it touches: its own and those it leads to. */
  ends: Set<string>;
  /** By name or by its runs, a plain column stands for a table. */
  standsFor: Set<Way>;
}

/**
 * What may take part: tables and references; lists; and plain columns that stand for a table. Most runs first, and in this
 * order where as many runs have them.
 */
export function waysOf(questions: readonly Question[]): Way[] {
  const carried = questions.flatMap((question): Way[] => {
    const { carrier, aspect, slot } = question;
    if (carrier === undefined || aspect !== "presence" || carrier.generic) return [];
    const runs = runsWith(question, isPresent);
    const ends = new Set([carrier.form === "table" ? slot : carrier.table, ...carrier.targets]);
    return [{ question, carrier, runs, ends, standsFor: new Set() }];
  });
  const open = carried.filter(({ question }) => sizesOf(question).length > 1);
  const moving = new Set(open.filter(({ question }) => isSplit(question)).map(({ question }) => question.slot));
  // What stands in a table that several runs lack, or have, is a matter of that table.
  const free = open.filter(({ carrier }) => carrier.form === "table" || !moving.has(carrier.table));
  stand(free, carried);
  const stoodFor = free.flatMap(({ standsFor }) => [...standsFor]);
  // A table that leads nowhere is a way, or part of one, only beside what stands for a table or for one that leads to it.
  const tied = new Set(stoodFor.flatMap(({ question: { slot }, carrier: { targets } }) => [slot, ...targets]));
  const able = free.filter(({ carrier, ends, question, standsFor }) => {
    if (carrier.form === "plain") return standsFor.size > 0;
    return carrier.form !== "table" || ends.size > 1 || tied.has(question.slot);
  });
  const sizes = sizesIn(able);
  const size = (way: Way) => sizes.get(way) ?? 0;
  return able.sort((a, b) => size(b) - size(a) || rankOf(a) - rankOf(b) || compareText(a.question.key, b.question.key));
}

/** How many runs have each. A table that most of its runs reach through another comes after that one, however many have it. */
function sizesIn(ways: readonly Way[]): Map<Way, number> {
  const tables = ways.filter(({ carrier }) => carrier.form === "table");
  const leads = groupBy(
    tables.flatMap((way) => way.carrier.targets.map((target) => ({ target, way }))),
    ({ target }) => target,
  );
  const sizeOf = ({ question, carrier, runs }: Way) => {
    const others = carrier.form === "table" ? (leads.get(question.slot) ?? []).map(({ way }) => way.runs) : [];
    const most = others.filter(
      (each) => each !== runs && 2 * [...each].filter((run) => runs.has(run)).length > runs.size,
    );
    return Math.min(runs.size, ...most.map((each) => each.size - 0.5));
  };
  return new Map(ways.map((way) => [way, sizeOf(way)]));
}

/** More than a single run leaves the others. */
function isSplit(question: Question): boolean {
  return (sizesOf(question)[1] ?? 0) > 1;
}

/** What leads somewhere says more surely that it stands for a table than what only has a name, or the runs, for it. */
function rankOf({ carrier }: Way): number {
  return ["table", "reference", "list", "plain"].indexOf(carrier.form);
}

/** Finds the tables that plain columns and lists stand for; only tables that touch the column's own are looked at. */
function stand(ways: readonly Way[], all: readonly Way[]): void {
  const tables = groupBy(
    ways.filter(({ carrier }) => carrier.form === "table").flatMap((way) => [...way.ends].map((end) => ({ end, way }))),
    ({ end }) => end,
  );
  const references = groupBy(
    all.filter(({ carrier }) => carrier.form === "reference"),
    ({ carrier }) => carrier.table,
  );
  const columns = groupBy(
    all.filter(({ carrier }) => carrier.form === "plain"),
    ({ carrier }) => carrier.table,
  );
  const ends = new Map(
    all.filter(({ carrier }) => carrier.form === "table").map((way) => [way.question.slot, way.ends]),
  );
  for (const way of ways) {
    if (way.carrier.form === "table" || way.carrier.form === "reference") continue;
    const home = way.carrier.table;
    const led = (references.get(home) ?? []).flatMap(({ carrier }) => carrier.targets);
    const near = new Set([home, ...(ends.get(home) ?? []), ...led]);
    const candidates = new Set([...near].flatMap((end) => tables.get(end)?.map((each) => each.way) ?? []));
    for (const table of candidates) {
      if (table.question.slot === home) continue;
      const held = columns.get(table.question.slot) ?? [];
      if (isNamedAfter(way, table) || isMirror(way, table) || isMoved(way, table, held)) way.standsFor.add(table);
    }
  }
}

/** `sensors.tags` and `sensor_tags`: without the words of the column's own table, one name holds all words of the other. */
export function isNamedAfter({ carrier }: Way, table: Way): boolean {
  const own = stemsOf(carrier.tableName);
  const rest = (name: string) => [...stemsOf(name)].filter((stem) => !own.has(stem));
  const [column, other] = [rest(carrier.name), rest(table.carrier.name)];
  if (column.length === 0 || other.length === 0) return false;
  return column.every((stem) => other.includes(stem)) || other.every((stem) => column.includes(stem));
}

/** There exactly where the table is not, and too evenly for that to be chance. */
function isMirror({ carrier, runs, question }: Way, table: Way): boolean {
  const n = question.answers.size;
  if (!table.carrier.targets.includes(carrier.table) || runs.size + table.runs.size !== n) return false;
  return isApart(runs, table.runs) && !isByChance(n, runs.size);
}

/**
 * `users.balance` and `accounts.balance` with a reference to users: no run has both the column and the table, several have
 * either, and every run that has the table holds in it what is of the column's name.
 */
function isMoved({ carrier, runs }: Way, table: Way, held: readonly Way[]): boolean {
  if (carrier.form !== "plain" || !table.carrier.targets.includes(carrier.table)) return false;
  if (Math.min(runs.size, table.runs.size) < 2 || !isApart(runs, table.runs)) return false;
  return held.some((other) => other.carrier.name === carrier.name && other.runs.size === table.runs.size);
}

export function isApart(a: ReadonlySet<RunId>, b: ReadonlySet<RunId>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  return [...small].every((run) => !large.has(run));
}
