import type { RunId } from "../../model/ids.js";
import { once } from "../../model/once.js";
import type { Shape, ShapeTable } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import type { Candidate } from "./matching.js";
import { type NameLikeness, tokensOf } from "./names.js";
import { multisetJaccard, payloadOf } from "./payload.js";
import { bareNames } from "./prefixes.js";
import type { Slots } from "./slots.js";

type Held = readonly { name: string; family: string }[];

/** Slots of tables; undefined where no run of it declares any reference, so that lacking them says nothing. */
export type Neighbours = ReadonlySet<string> | undefined;

/** A new table, under the names known to be one, that may fill a role others fill under another name. */
export interface Filler extends Candidate {
  name: string;
  /** What runs let it hold. */
  ways: Held[];
  targets: Neighbours;
  referrers: Neighbours;
  /** The words its runs use for everything else they made. */
  words(): ReadonlySet<string>;
}

const mostWays = 8;
const mostFillers = 300;

/** New tables that not all of these runs have: what all have needs nothing. Of very many those that most runs have. */
export function fillersOf(shapes: readonly Shape[], slots: Slots): Filler[] {
  const found = new Map<string, { run: Shape; table: ShapeTable }[]>();
  for (const run of shapes) {
    for (const table of run.tables.filter(({ isNew }) => isNew)) {
      const id = slots.key(table.id);
      const all = found.get(id) ?? [];
      all.push({ run, table });
      found.set(id, all);
    }
  }
  const bare = bareNames(shapes);
  const declared = referencesOf(shapes, slots);
  const spoken = new Spoken(shapes, slots);
  const open = [...found].filter(([, each]) => each.length < shapes.length);
  const fillers = open.map(([id, each]): Filler => {
    const runs = new Set(each.map(({ run }) => run.run));
    const silent = ![...runs].some((run) => declared.speaking.has(run));
    const ways = new Map(each.map(({ table }) => wayOf(table)));
    const keys = [...ways.keys()].sort(compareText).slice(0, mostWays);
    const names = [...new Set(each.map(({ table }) => bare.get(table.id) ?? table.name))].sort(compareText);
    return {
      id,
      key: `${keys.join("\n")}\n${id}`,
      name: names[0] ?? id,
      runs,
      ways: keys.flatMap((key) => [ways.get(key) ?? []]),
      targets: silent ? undefined : (declared.targets.get(id) ?? new Set()),
      referrers: silent ? undefined : (declared.referrers.get(id) ?? new Set()),
      words: once(() => spoken.beside(id, runs)),
    };
  });
  return fillers.sort((a, b) => b.runs.size - a.runs.size || compareText(a.key, b.key)).slice(0, mostFillers);
}

function wayOf({ columns }: ShapeTable): [key: string, way: Held] {
  const way = [...payloadOf(columns).columns].sort(
    (a, b) => compareText(a.family, b.family) || compareText(a.name, b.name),
  );
  return [JSON.stringify(way), way];
}

function referencesOf(shapes: readonly Shape[], slots: Slots) {
  const [targets, referrers] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const speaking = new Set<RunId>();
  const add = (to: Map<string, Set<string>>, from: string, item: string) =>
    to.set(from, (to.get(from) ?? new Set()).add(item));
  for (const { run, tables } of shapes) {
    for (const { id, references } of tables) {
      for (const { target } of references) {
        speaking.add(run);
        if (target === id) continue;
        add(targets, slots.key(id), slots.key(target));
        add(referrers, slots.key(target), slots.key(id));
      }
    }
  }
  return { targets, referrers, speaking };
}

/** The words runs use, by the table they use them for. */
class Spoken {
  readonly #tables: ReadonlyMap<RunId, readonly ShapeTable[]>;
  readonly #slots: Slots;
  readonly #tokens = new Map<string, string[]>();

  constructor(shapes: readonly Shape[], slots: Slots) {
    this.#tables = new Map(shapes.map(({ run, tables }) => [run, tables]));
    this.#slots = slots;
  }

  /** What these runs say in all tables but this one. */
  beside(id: string, runs: ReadonlySet<RunId>): ReadonlySet<string> {
    const said = new Set<string>();
    for (const run of runs) {
      for (const table of this.#tables.get(run) ?? []) {
        if (this.#slots.key(table.id) === id) continue;
        if (table.isNew) said.add(table.name);
        for (const { name } of table.columns) said.add(name);
      }
    }
    return new Set([...said].flatMap((name) => this.#tokensOf(name)));
  }

  #tokensOf(name: string): string[] {
    const tokens = this.#tokens.get(name) ?? tokensOf(name);
    this.#tokens.set(name, tokens);
    return tokens;
  }
}

/** Of fewer words nothing can be told. */
const fewestWords = 3;
const fewInCommon = 0.25;

/** True where two tables' runs share few words for everything else; without other words, `unless` they are known to. */
export function areForeign(one: Filler, other: Filler, unless: boolean): boolean {
  const [small, large] = [one.words(), other.words()].sort((a, b) => a.size - b.size);
  if (small === undefined || large === undefined || small.size < fewestWords) return unless;
  const common = [...small].filter((word) => large.has(word)).length;
  return common < fewInCommon * small.size;
}

const alikeTypes = 0.6;
const alikeNames = 0.6;

/**
 * How alike the types of two tables are, as multisets, where they are most alike; undefined where that tells too little:
 * fewer than two columns, or all text and no column of one name.
 */
export function likenessOfTypes(
  { ways: ones }: Filler,
  { ways: others }: Filler,
  names: NameLikeness,
): { score: number; named: number } | undefined {
  let best: { score: number; named: number } | undefined;
  for (const one of ones) {
    for (const other of others) {
      if (one.length < 2 || other.length < 2) continue;
      const score = multisetJaccard(familiesOf(one), familiesOf(other));
      if (score < alikeTypes || (best && score < best.score)) continue;
      const named = one.filter((a) =>
        other.some((b) => a.family === b.family && names.of(a.name, b.name) >= alikeNames),
      ).length;
      const isTelling = [one, other].every((way) => way.some(({ family }) => family !== "text"));
      const isNamed = named > 0 && Math.min(one.length, other.length) > 2;
      if ((isTelling || isNamed) && (best === undefined || score > best.score || named > best.named))
        best = { score, named };
    }
  }
  return best;
}

function familiesOf(way: Held): string[] {
  return way.map(({ family }) => family);
}

interface Around {
  roleOf(id: string): string;
  mayBeOne(one: string, other: string): boolean;
}

/**
 * Whether two tables may stand between the same others: `same` where one is surely in common, `conflict` where one has
 * neighbours and the other none, or more than half of them can never be one.
 */
export function areOpenTo(
  ones: Neighbours,
  others: Neighbours,
  { roleOf, mayBeOne }: Around,
): "same" | "open" | "conflict" {
  if (ones === undefined || others === undefined || (ones.size === 0 && others.size === 0)) return "open";
  if (ones.size === 0 || others.size === 0) return "conflict";
  const [left, right] = [new Set([...ones].map(roleOf)), new Set([...others].map(roleOf))];
  const common = [...left].filter((id) => right.has(id));
  for (const id of common) for (const side of [left, right]) side.delete(id);
  let open = 0;
  for (const id of [...left].sort(compareText)) {
    const twin = [...right].sort(compareText).find((each) => mayBeOne(id, each));
    if (twin === undefined) continue;
    left.delete(id);
    right.delete(twin);
    open++;
  }
  const agreed = common.length + open;
  if (2 * agreed < agreed + left.size + right.size) return "conflict";
  return common.length > 0 ? "same" : "open";
}
