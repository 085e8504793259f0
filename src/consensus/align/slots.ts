import { connected } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Shape } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { areCounterparts, areOpposed } from "./opposites.js";
import type { Pair } from "./pairing.js";

/** One thing: its ids, the first of them, the runs that hold it, and of a table the new columns, by name. */
interface Slot {
  first: string;
  runs: Map<string, Set<RunId>>;
  columns: Map<string, string>;
  /** Marks of what must stay apart: two slots with one of them in common are two things. */
  apart: Set<string>;
}

/** Names that stand for one thing, never two names of one run, nor two that a person keeps apart. */
export class Slots {
  readonly #slots = new Map<string, Slot>();
  readonly #places = new Map<string, { name: string; table: string }>();
  readonly #tables = new Map<string, string>();

  /** Ids that stand in one list of `distinct` are never one thing. */
  constructor(shapes: readonly Shape[], distinct: readonly (readonly string[])[] = []) {
    for (const { run, names, tables } of shapes) {
      for (const id of names.keys()) {
        const known = this.#slots.get(id)?.runs.get(id);
        if (known) known.add(run);
        else this.#slots.set(id, { ...this.#slot(id), runs: new Map([[id, new Set([run])]]) });
      }
      for (const table of tables) {
        this.#tables.set(table.id, table.name);
        for (const { id, name } of table.columns) {
          this.#slot(table.id).columns.set(name, id);
          this.#places.set(id, { name, table: table.id });
        }
      }
    }
    for (const [at, ids] of distinct.entries()) {
      for (const id of ids) this.#slot(id).apart.add(`distinct ${at}`);
    }
  }

  #slot(id: string): Slot {
    return this.#slots.get(id) ?? { first: id, runs: new Map(), columns: new Map(), apart: new Set() };
  }

  of(id: string): string[] {
    return [...this.#slot(id).runs.keys()];
  }

  /** The same for all ids of a slot, whatever the order they came in. */
  key(id: string): string {
    return this.#slots.get(id)?.first ?? id;
  }

  /** How many runs hold it. */
  runs(id: string): number {
    return [...this.#slot(id).runs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The runs that hold it and the marks of what it must stay apart from: disjoint for what may be one. */
  holders(id: string): Set<string> {
    const { runs, apart } = this.#slot(id);
    return new Set<string>([...apart, ...[...runs.values()].flatMap((each) => [...each])]);
  }

  /**
   * All pairs or none: false where a run would then hold one thing twice, a person keeps it apart, or the names say that they
   * are two ends of something and nothing says that they are one `despiteNames`.
   */
  merge(pairs: readonly Pair[], { despiteNames = false } = {}): boolean {
    if (!despiteNames && pairs.some(({ one, other }) => this.#areOpposed(one, other))) return false;
    const edges = pairs
      .flatMap(({ one, other }): [string, string][] => [[one, other], ...this.#namesakes(one, other)])
      .map(([one, other]): [Slot, Slot] => [this.#slot(one), this.#slot(other)])
      .filter(([one, other]) => one !== other);
    const merged = connected(edges).map((slots) => [...slots]);
    if (merged.some(isTorn)) return false;
    for (const slots of merged) this.#join(slots);
    return true;
  }

  #areOpposed(one: string, other: string): boolean {
    const [a, b] = [this.#places.get(one)?.name, this.#places.get(other)?.name];
    if (a !== undefined && b !== undefined) return areOpposed(a, b);
    return areCounterparts(this.#tables.get(one) ?? "", this.#tables.get(other) ?? "");
  }

  /** Columns of equal name are one as soon as their tables are. */
  #namesakes(one: string, other: string): [string, string][] {
    const [a, b] = [this.#slot(one), this.#slot(other)];
    return [...a.columns].flatMap(([name, id]): [string, string][] => {
      const namesake = b.columns.get(name);
      return namesake === undefined ? [] : [[id, namesake]];
    });
  }

  #join(slots: readonly Slot[]): void {
    const [large, ...others] = [...slots].sort((a, b) => b.runs.size - a.runs.size);
    for (const { first, runs, columns, apart } of others) {
      if (large && first < large.first) large.first = first;
      for (const mark of apart) large?.apart.add(mark);
      for (const [name, id] of columns) large?.columns.set(name, id);
      for (const [id, holders] of runs) {
        large?.runs.set(id, holders);
        if (large) this.#slots.set(id, large);
      }
    }
  }

  /** The name most runs use, ties by code unit; a column's name is the same name in whichever table of the slot. */
  canonical(id: string): string {
    const { runs } = this.#slot(id);
    const nameOf = (each: string) => this.#places.get(each)?.name ?? each;
    const counts = new Map<string, number>();
    for (const [each, { size }] of runs) counts.set(nameOf(each), (counts.get(nameOf(each)) ?? 0) + size);
    const [name] = [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b))[0] ?? [id];
    const table = this.#places.get(id)?.table;
    const home = table === undefined ? undefined : this.canonical(table);
    const alike = [...runs.keys()].filter((each) => nameOf(each) === name).sort(compareText);
    return alike.find((each) => this.#places.get(each)?.table === home) ?? alike[0] ?? id;
  }
}

function isTorn(slots: readonly Slot[]): boolean {
  const seen = new Set<string>();
  for (const { runs, apart } of slots) {
    for (const holders of [apart, ...runs.values()]) {
      for (const holder of holders) {
        if (seen.has(holder)) return true;
        seen.add(holder);
      }
    }
  }
  return false;
}
