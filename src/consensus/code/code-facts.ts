import type { CodeKindWords, CodeReading } from "../../model/code.js";
import type { Fact } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { tellBesides } from "./besides.js";
import { tellBreakage } from "./breakage.js";
import { type Candidate, findCandidates, findCovers, scoreOf } from "./candidates.js";
import { type ChangedSymbol, type CodeRun, gather, newAside } from "./code-run.js";
import { tellDocumentation } from "./documentation.js";
import { CodeFactsOf } from "./emit.js";
import { tellFiles, tellForeign } from "./files.js";
import { findPlaces, type Places } from "./place.js";
import { tellPlaces } from "./place-row.js";
import { findInsteads, tellCover, tellInstead, tellSlot } from "./rows.js";
import { type Draft, tellBest } from "./select.js";
import { tellSingles } from "./singles.js";
import { answersTo, type Slot, sizesOf, slotsOf, weightOf } from "./slots.js";
import { tellStates } from "./state.js";
import { tellReach, tellTests } from "./test-changes.js";
import { testedNames } from "./tests-of.js";
import { tellUses } from "./uses.js";
import { tellWording } from "./wording.js";

/** What all runs do is told up to this number of things. */
const mostAgreed = 6;

/**
 * From what was read in each run's patch to the choices the runs made: what is new under unlike names is aligned, the
 * place of the change is found, and what runs say about one thing becomes one question. Pure; the order of runs means
 * nothing.
 */
export function codeFacts(
  readings: readonly CodeReading[],
  known: ReadonlyMap<string, CodeKindWords>,
  references: ReadonlySet<RunId> = new Set(),
  ownWords: ReadonlyMap<RunId, ReadonlyMap<string, string>> = new Map(),
): Map<RunId, Fact[]> {
  const kinds = new Map([...known, [testedNames.kind, testedNames]]);
  const facts = new CodeFactsOf();
  tellStates(readings, facts);
  tellTests(readings, facts);
  tellForeign(readings, facts);
  const all = gather(readings, references, ownWords).filter(({ reading }) => reading.state === "changed");
  const runs = all.filter(({ isReference }) => !isReference);
  if (runs.length === 0) return facts.byRun;
  const places = findPlaces(all, kinds);
  tellPlaces(all, places, facts);
  tellReach(all, places, facts);
  const slots = withoutSingleTests([...slotsOf(all, kinds).values()]);
  const candidates = findCandidates(slots, runs, places);
  const { drafts, taken } = draftRows({ slots, candidates, all, runs, places, facts });
  tellBest(drafts, runs.length);
  for (const slot of agreedSlots(slots, runs)) tellSlot(slot, all, facts);
  tellSingles(without(slots, taken), all, facts);
  tellBreakage(slots, runs, facts);
  tellFiles(all, facts);
  tellBesides(all, places, facts, kinds);
  tellUses(all, newAside(all), facts);
  tellDocumentation(all, facts);
  tellWording(all, facts);
  return facts.byRun;
}

/** That a name is tested is said beside the tests themselves only where it joins several. */
function withoutSingleTests(slots: readonly Slot[]): Slot[] {
  const tests = slots.filter(({ kind, gone }) => kind.kind === "cond" && !gone);
  return slots.filter(({ kind, slot, by, symbols }) => {
    if (kind.kind !== testedNames.kind) return true;
    const [symbol] = [...symbols];
    const inside = tests.filter((test) => symbol !== undefined && test.symbols.has(symbol) && test.slot.includes(slot));
    return by.size >= 3 && inside.every((test) => test.by.size < by.size);
  });
}

interface Field {
  slots: readonly Slot[];
  candidates: readonly Candidate[];
  all: readonly CodeRun[];
  runs: readonly CodeRun[];
  places: Places;
  facts: CodeFactsOf;
}

/** The rows there could be, and the slots that are part of a row with others. */
function draftRows({ slots, candidates, all, runs, places, facts }: Field): { drafts: Draft[]; taken: Set<Slot> } {
  const taken = new Set<Slot>();
  const drafts: Draft[] = [];
  for (const instead of findInsteads(candidates)) {
    const { lost, won, symbol } = instead;
    taken.add(lost.slot).add(won.slot);
    const answers = new Map(
      [...won.answers].map(([run, value]) => [run, `${value}\u0001${lost.answers.get(run) ?? ""}`]),
    );
    const tell = () => tellInstead(instead, all, facts);
    drafts.push({
      key: won.slot.key,
      answers,
      score: Math.max(lost.score, won.score),
      symbols: new Set([symbol]),
      tell,
    });
  }
  for (const cover of findCovers(without(slots, taken), runs, places)) {
    for (const slot of cover.slots) taken.add(slot);
    const answers = new Map([...cover.took].map(([run, slot]) => [run, slot?.key ?? ""]));
    const [first] = cover.slots;
    const score = first ? scoreOf(first, answers, runs) : 0;
    const tell = () => tellCover(cover, all, facts);
    drafts.push({ key: `cover ${first?.key ?? ""}`, answers, score, symbols: new Set([cover.symbol]), tell });
  }
  for (const { slot, answers, score } of candidates) {
    if (taken.has(slot)) continue;
    const tell = (group: string) => tellSlot(slot, all, facts, { group });
    drafts.push({ key: slot.key, answers, score, symbols: slot.symbols, tell });
  }
  return { drafts, taken };
}

function without(slots: readonly Slot[], taken: ReadonlySet<Slot>): Slot[] {
  return slots.filter((slot) => !taken.has(slot));
}

/** How what is new throughout is made follows from its being there. */
function isOwnOfNew({ kind, symbols }: Slot, changed: ReadonlyMap<string, readonly ChangedSymbol[]>): boolean {
  if (kind.scope !== "symbol") return false;
  const changes = [...symbols].flatMap((key) => changed.get(key) ?? []);
  return changes.length > 0 && changes.every(({ change }) => change.status === "added");
}

/** What all, or nearly all, runs say in the same way, what says most first. */
function agreedSlots(slots: readonly Slot[], runs: readonly CodeRun[]): Slot[] {
  const few = Math.max(3, 0.8 * runs.length);
  const changed = groupBy(
    runs.flatMap(({ symbols }) => symbols),
    ({ key }) => key,
  );
  return slots
    .filter((slot) => slot.by.size >= Math.min(runs.length, few) && runs.length > 1)
    .filter((slot) => weightOf(slot) >= 1.5 && !slot.kind.textual && !isOwnOfNew(slot, changed))
    .filter((slot) => {
      const answers = answersTo(slot, runs);
      const [most = 0, ...others] = sizesOf(answers);
      return most >= few && others.every((size) => size === 1) && others.length <= 1;
    })
    .sort((a, b) => b.by.size - a.by.size || weightOf(b) - weightOf(a) || compareText(a.key, b.key))
    .slice(0, mostAgreed);
}
