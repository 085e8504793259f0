import type { CodeKindWords } from "../../model/code.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, type PlacedFact, partsOfKey } from "./code-run.js";
import { isEveryday } from "./slots.js";

/** Where each run makes the change. */
export interface Places {
  /** Keys of symbols, by run; empty for a run that does not do what most do and stays away from where they do it. */
  of: ReadonlyMap<RunId, ReadonlySet<string>>;
  /** Symbols in which any run says the main fact; without a main fact those that are any run's place. */
  symbols: ReadonlySet<string>;
  /** What most runs say, wherever they say it. Null where nothing is said by most. */
  main: WideFact | null;
}

/** A fact without the symbol it stands in, and for values without the value. */
type WideFact = Pick<PlacedFact, "kind" | "slot">;

/** Said by at least this part of the runs, a fact shows where the change lives. */
const most = 0.6;

/**
 * Finds the fact most runs share, wherever it stands: the symbols in which a run says it are where that run makes the
 * change. Everything else it touches is beside it.
 */
export function findPlaces(all: readonly CodeRun[], kinds: ReadonlyMap<string, CodeKindWords>): Places {
  const counted = all.filter(({ isReference }) => !isReference);
  const main = mainFact(counted, kinds);
  if (main === null || isTouchedByMore(main, counted)) return withoutMain(all, kinds);
  const saying = new Map(
    all.map((run) => [run, new Set(run.facts.filter((fact) => says(fact, main)).map(({ symbol }) => symbol))]),
  );
  const symbols = new Set(counted.flatMap((run) => [...(saying.get(run) ?? [])]));
  const of = new Map<RunId, ReadonlySet<string>>();
  for (const [run, said] of saying) {
    // A run that does not do what most do, nor touches where they do it, does not make the change anywhere.
    of.set(run.id, said.size > 0 ? said : new Set(ownSymbols(run).filter((key) => symbols.has(key))));
  }
  return { of, symbols, main };
}

/** Nearly all runs change one symbol, and fewer say the fact: then the symbol shows better where the change lives. */
function isTouchedByMore(main: WideFact, runs: readonly CodeRun[]): boolean {
  const saying = runs.filter(({ facts }) => facts.some((fact) => says(fact, main))).length;
  const touching = groupBy(
    runs.flatMap((run) => ownSymbols(run)),
    (key) => key,
  );
  return [...touching.values()].some(({ length }) => length > saying && 5 * length >= 4 * runs.length);
}

function says({ kind, slot, gone }: PlacedFact, main: WideFact): boolean {
  return !gone && kind === main.kind && slot === main.slot;
}

function mainFact(runs: readonly CodeRun[], kinds: ReadonlyMap<string, CodeKindWords>): WideFact | null {
  const said = new Map<string, WideFact & { runs: Set<RunId>; weight: number }>();
  // Runs that do the same hold the same facts.
  const sayers = new Map<PlacedFact, Set<RunId> | undefined>();
  const sayersOf = (fact: PlacedFact) => {
    const weight = mainWeight(fact, kinds);
    if (weight === undefined) return undefined;
    const { kind, slot } = fact;
    const key = `${kind}\u0001${slot}`;
    const known = said.get(key) ?? { kind, slot, weight, runs: new Set() };
    said.set(key, known);
    return known.runs;
  };
  for (const run of runs) {
    for (const fact of run.facts) {
      if (!sayers.has(fact)) sayers.set(fact, sayersOf(fact));
      sayers.get(fact)?.add(run.id);
    }
  }
  const enough = Math.max(3, most * runs.length);
  const [best] = [...said]
    .filter(([, each]) => each.runs.size >= enough)
    .sort(([a, one], [b, other]) => other.runs.size - one.runs.size || other.weight - one.weight || compareText(a, b));
  return best?.[1] ?? null;
}

/** How much a fact says that may be the main one; undefined for those that may not. */
function mainWeight(fact: PlacedFact, kinds: ReadonlyMap<string, CodeKindWords>): number | undefined {
  const kind = kinds.get(fact.kind);
  if (fact.gone || fact.slight || !kind || kind.weight < 1.5 || kind.textual || fact.kind === "symbol")
    return undefined;
  // What every list can do says nothing about a task.
  return isEveryday(fact) ? undefined : kind.weight;
}

/** Imports alone are nobody's place, unless there is nothing else. */
function ownSymbols(run: CodeRun): string[] {
  const all = run.symbols.filter(({ key }) => !run.helpers.has(key));
  const telling = all.filter(({ change }) => change.kind !== "imports");
  return (telling.length > 0 ? telling : all).map(({ key }) => key);
}

/** The symbols most runs share come first; what a run alone touches beside them is no place. */
function withoutMain(runs: readonly CodeRun[], kinds: ReadonlyMap<string, CodeKindWords>): Places {
  const touched = new Map<string, number>();
  for (const run of runs)
    for (const key of run.isReference ? [] : ownSymbols(run)) touched.set(key, (touched.get(key) ?? 0) + 1);
  const of = new Map<RunId, ReadonlySet<string>>();
  for (const run of runs) {
    const telling = new Set(
      run.facts.filter(({ kind }) => (kinds.get(kind)?.weight ?? 0) >= 1).map((fact) => fact.symbol),
    );
    const all = ownSymbols(run);
    const strong = all.filter((key) => telling.has(key));
    const own = strong.length > 0 ? strong : all;
    const widest = Math.max(...own.map((key) => touched.get(key) ?? 0));
    of.set(run.id, new Set(widest > 1 ? own.filter((key) => touched.get(key) === widest) : own));
  }
  const counted = runs.filter(({ isReference }) => !isReference);
  return { of, symbols: new Set(counted.flatMap(({ id }) => [...(of.get(id) ?? [])])), main: null };
}

/** How places are told: symbols by name, with their file where there are several. */
export function placeLabel(keys: ReadonlySet<string>, severalFiles: boolean): string {
  const names = [...keys].sort(compareText).map((key) => symbolLabel(key, severalFiles));
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${names.slice(0, 3).join(", ")}${more}`;
}

const apart: Record<string, string> = { "<imports>": "the imports", "<code>": "top-level code" };

export function symbolLabel(key: string, withFile: boolean): string {
  const { file, name } = partsOfKey(key);
  const said = apart[name] ?? `\`${name.replaceAll("`", "'")}\``;
  return withFile ? `${said} (${file.split("/").at(-1)})` : said;
}
