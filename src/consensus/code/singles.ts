import { groupBy } from "../../model/groups.js";
import { once } from "../../model/once.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, type PlacedFact, reaching } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { newFilesOf } from "./files.js";
import { labelOf, tellSlot } from "./rows.js";
import { type Slot, weightOf } from "./slots.js";

/** What a run does alone is told up to this number of things. */
const mostSingles = 3;
/** Names it alone uses are told up to this number of things in all. */
const mostNames = 2;
/** What a run does alone and is worth telling. */
const telling = new Set([
  "reject",
  "raise",
  "cond",
  "generator",
  "async",
  "again",
  "fallback",
  "param",
  "typetest",
  "call",
  "kwarg",
  "set",
  "route",
  "env",
  "status",
  "catch",
  "const",
  "items",
  "table",
  "setting",
  "decorator",
  "error-class",
]);
/** What one run alone adds: the things that say most. What is inside of something new follows from that being new. */
export function tellSingles(all: Iterable<Slot>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const slots = [...all];
  const fresh = freshSymbols(runs);
  const files = newPathsOf(runs);
  const alone = slots.filter(
    (slot) => slot.by.size === 1 && !slot.gone && !slot.slight && telling.has(slot.kind.kind) && weightOf(slot) > 1,
  );
  const told = alone.filter(
    (slot) =>
      reaching.has(slot.kind.kind) ||
      ([...slot.symbols].some((symbol) => !fresh.has(symbol)) &&
        [...slot.by].some(([run, said]) => said.some(({ file }) => !files.has(`${run} ${file}`)))),
  );
  const said = new Map(runs.map(({ id, facts: own }) => [id, once(() => wordsIn(own))]));
  const names = slots.filter(
    (slot) =>
      isOwnName(slot) &&
      [...slot.symbols].some((symbol) => !fresh.has(symbol)) &&
      [...slot.by.keys()].every((run) => !said.get(run)?.().has(slot.slot.slice(1))),
  );
  const runOf = ({ by }: Slot) => [...by.keys()][0];
  const namesBy = groupBy(names, runOf);
  const byRun = groupBy(told, runOf);
  for (const run of new Set([...byRun.keys(), ...namesBy.keys()])) {
    const ranked = [...(byRun.get(run) ?? [])].sort(compareSlots);
    const seen = tellFirst(ranked, mostSingles, { runs, facts });
    // What a run reads that no other does, where there is little else to know it by.
    if (seen < mostNames)
      tellFirst([...(namesBy.get(run) ?? [])].sort(compareSlots), mostNames - seen, { runs, facts });
  }
}

/** What a run's other facts speak of. */
function wordsIn(facts: readonly PlacedFact[]): ReadonlySet<string> {
  return new Set(facts.flatMap(({ kind, slot, value }) => (kind === "name" ? [] : [slot, value])));
}

function compareSlots(a: Slot, b: Slot): number {
  return weightOf(b) - weightOf(a) || compareText(a.key, b.key);
}

/** A member that is read: those of long names say what they are. */
function isOwnName({ by, gone, kind, slot }: Slot): boolean {
  return by.size === 1 && !gone && kind.kind === "name" && /^\.\w{6,}$/.test(slot);
}

interface Telling {
  runs: readonly CodeRun[];
  facts: CodeFactsOf;
}

/** How many were told: equal words once. */
function tellFirst(slots: readonly Slot[], most: number, { runs, facts }: Telling): number {
  const seen = new Set<string>();
  for (const slot of slots) {
    const words = labelOf(slot, [...slot.by.values()][0]);
    if (seen.size >= most || seen.has(words)) continue;
    seen.add(words);
    // Also of runs that leave the symbol alone: it is one run's own matter.
    tellSlot(slot, runs, facts, { askAll: true });
  }
  return seen.size;
}

function newPathsOf(runs: readonly CodeRun[]): ReadonlySet<string> {
  const added = runs.flatMap(({ id, reading }) =>
    reading.files.flatMap(({ path, status }) => (status === "added" ? [`${id} ${path}`] : [])),
  );
  return new Set(added);
}

/** Symbols that one run alone adds and that are no helper of a known one, and all that stands in a file of its own. */
function freshSymbols(runs: readonly CodeRun[]): ReadonlySet<string> {
  const files = newFilesOf(runs);
  const counted = runs.filter(({ isReference }) => !isReference);
  const all = counted.flatMap((run) => run.symbols.map((symbol) => ({ run, symbol })));
  const fresh = [...groupBy(all, ({ symbol }) => symbol.key)].filter(([key, each]) =>
    each.every(
      ({ run, symbol: { change, file } }) =>
        files.has(file) || (each.length === 1 && change.status === "added" && !run.helpers.has(key)),
    ),
  );
  return new Set(fresh.map(([key]) => key));
}
