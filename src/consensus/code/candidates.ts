import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, touches } from "./code-run.js";
import type { Places } from "./place.js";
import { type Answers, answersTo, determines, type Slot, sizesOf, spreadOf, weightOf } from "./slots.js";

/** A slot whose answers may be worth a row. */
export interface Candidate {
  slot: Slot;
  answers: Answers;
  spread: number;
  /** Weight, disagreement, how many say it and how many are asked, in one number. */
  score: number;
}

/** Below this a row is no news. */
const lowest = 0.22;
/** Slots that say less make no row. */
const lightest = 1.05;
/** Beyond it rows only fill the fold. */
const mostRows = 60;

/** What a symbol can do where it is nobody's place and still be worth a row. */
const tellsAnywhere = new Set([
  "reject",
  "raise",
  "const",
  "param",
  "set",
  "generator",
  "fallback",
  "route",
  "env",
  "table",
  "setting",
  "status",
  "error-class",
  "items",
]);

/** The slots in which runs differ and which say something, those that say most first. */
export function findCandidates(slots: Iterable<Slot>, runs: readonly CodeRun[], places: Places): Candidate[] {
  const isInPlace = inPlace(places);
  const all = [...slots]
    .filter((slot) => slot.by.size >= 2 && weightOf(slot) >= lightest && slot.kind.kind !== "symbol")
    .filter((slot) => isInPlace(slot) || (tellsAnywhere.has(slot.kind.kind) && slot.by.size >= 3))
    .map((slot) => candidate(slot, runs))
    .filter(({ spread, score }) => spread > 0 && score >= lowest)
    .sort(compareCandidates);
  return withoutRepeats(
    all.filter((each) => !each.slot.kind.textual || saysSomething(each)).slice(0, mostRows * 3),
  ).slice(0, mostRows);
}

export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || compareText(a.slot.key, b.slot.key);
}

/** A symbol that is one run's place alone is no place of the change. */
function inPlace(places: Places): (slot: Slot) => boolean {
  const makers = new Map<string, number>();
  for (const own of places.of.values()) for (const symbol of own) makers.set(symbol, (makers.get(symbol) ?? 0) + 1);
  return ({ symbols }) => [...symbols].some((symbol) => places.symbols.has(symbol) && (makers.get(symbol) ?? 0) > 1);
}

function candidate(slot: Slot, runs: readonly CodeRun[]): Candidate {
  const answers = answersTo(slot, runs);
  return { slot, answers, spread: spreadOf(answers), score: scoreOf(slot, answers, runs) };
}

/** Weight, disagreement, how many say it and how many are asked. */
export function scoreOf(slot: Slot, answers: Answers, runs: readonly CodeRun[]): number {
  const saying = [...answers.values()].filter((value) => value !== "").length;
  const said = 0.35 + (0.65 * saying) / Math.max(1, runs.length);
  const asked = Math.min(1, 0.3 + answers.size / Math.max(1, runs.length));
  return weightOf(slot) * spreadOf(answers) * said * asked;
}

/** Text is worth a row where two runs wrote the same and few wrote something of their own. */
function saysSomething({ slot, answers }: Candidate): boolean {
  const said = new Map([...answers].filter(([, value]) => value !== ""));
  const [top = 0, second = 0] = sizesOf(said);
  // One run's own words are no news where all others agree.
  if (5 * Math.max(...sizesOf(answers)) >= 4 * answers.size) return false;
  return slot.by.size * 2 >= answers.size && top >= 2 && 2 * (top + second) >= slot.by.size;
}

/** What is told by an elementary fact of the same symbol is not told again by its text. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const elementary = groupBy(
    candidates
      .filter(({ slot }) => !slot.kind.textual)
      .flatMap((each) => [...each.slot.symbols].map((symbol) => ({ symbol, each }))),
    ({ symbol }) => symbol,
  );
  return candidates.filter(({ slot, answers }) => {
    if (!slot.kind.textual) return true;
    const others = [...slot.symbols].flatMap((symbol) => elementary.get(symbol) ?? []);
    return !others.some(({ each }) => determines(answers, each.answers) || determines(each.answers, answers));
  });
}

/** A row made of several slots of one symbol that exclude one another. */
export interface Cover {
  symbol: string;
  slots: Slot[];
  /** By run: the slot it took; null for none of them. */
  took: Map<RunId, Slot | null>;
}

const covering = ["cond", "call", "set", "raise"];

/** Disjoint new facts of one kind in one symbol that together cover most of the runs that touch it: alternatives. */
export function findCovers(slots: Iterable<Slot>, runs: readonly CodeRun[], places: Places): Cover[] {
  const fresh = [...slots].filter(({ gone, slight, kind }) => !gone && !slight && covering.includes(kind.kind));
  const bySymbol = groupBy(
    fresh.flatMap((slot) => [...slot.symbols].map((symbol) => ({ symbol, slot }))),
    ({ symbol, slot }) => `${slot.kind.kind}\u0001${symbol}`,
  );
  return [...bySymbol.values()].flatMap((group) => {
    const symbol = group[0]?.symbol ?? "";
    if (!places.symbols.has(symbol)) return [];
    const asked = runs.filter((run) => touches(run, symbol));
    const cover =
      asked.length >= 3
        ? disjoint(
            group.map(({ slot }) => slot),
            symbol,
            asked,
          )
        : undefined;
    return cover ? [cover] : [];
  });
}

function disjoint(slots: readonly Slot[], symbol: string, asked: readonly CodeRun[]): Cover | undefined {
  const took = new Map<RunId, Slot | null>(asked.map(({ id }) => [id, null]));
  const picked: Slot[] = [];
  const inside = (slot: Slot) =>
    [...slot.by]
      .filter(([run, facts]) => took.has(run) && facts.some((fact) => fact.symbol === symbol))
      .map(([run]) => run);
  const ordered = [...slots].sort((a, b) => inside(b).length - inside(a).length || compareText(a.key, b.key));
  for (const slot of ordered) {
    const runs = inside(slot);
    // What all do excludes nothing.
    if (runs.length === 0 || runs.length === asked.length || runs.some((run) => took.get(run) !== null)) continue;
    picked.push(slot);
    for (const run of runs) took.set(run, slot);
  }
  const covered = [...took.values()].filter((slot) => slot !== null).length;
  const first = picked[0];
  if (picked.length < 2 || !first || inside(first).length < 2 || covered < 0.6 * asked.length) return undefined;
  return { symbol, slots: picked, took };
}
