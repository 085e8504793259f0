import type { Weight } from "../../model/fact.js";
import { mostCommon } from "../../model/text.js";
import type { Candidate, Cover } from "./candidates.js";
import { type CodeRun, type PlacedFact, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { symbolLabel } from "./place.js";
import { placeSlot } from "./place-row.js";
import { answersTo, type Slot, saidBy } from "./slots.js";

/** The weights of the report: structure 3, ways of working 2, details 1. */
export function reportWeight(weight: number): Weight {
  return weight >= 2.8 ? 3 : weight >= 1.9 ? 2 : weight >= 1.4 ? 1.5 : weight >= 0.9 ? 1 : 0.5;
}

export function wordsOf(slot: Slot): { slot: string; where: string; gone: boolean } {
  const [only, ...more] = [...slot.symbols];
  const where = only !== undefined && more.length === 0 ? ` in ${symbolLabel(only, false)}` : "";
  return { slot: shownSlot(slot), where, gone: slot.gone };
}

/** A test is told with the names its authors used; most of them, where they differ. */
function shownSlot({ kind, slot, by }: Slot): string {
  if (kind.kind !== "cond") return slot;
  return mostCommon([...by.values()].flatMap((facts) => facts.map(({ shown }) => shown))) ?? slot;
}

/** What a run says of a slot, in words. */
export function labelOf(slot: Slot, facts: readonly PlacedFact[] | undefined): string {
  const words = wordsOf(slot);
  if (facts === undefined || facts.length === 0) return slot.kind.absent(words);
  const shown = (fact: PlacedFact) => usualSpelling(slot, fact);
  return [...new Set(facts.map((fact) => slot.kind.label(shown(fact), words)))].slice(0, 3).join("; ");
}

/** Equal values are told in equal words, those most runs used. */
function usualSpelling({ by }: Slot, { value }: PlacedFact): string {
  const same = [...by.values()].flatMap((facts) => facts.filter((fact) => fact.value === value));
  return mostCommon(same.map(({ shown }) => shown)) ?? value;
}

export function evidenceOf(facts: readonly PlacedFact[] | undefined): { file: string; line: number | null }[] {
  return (facts ?? []).slice(0, 3).map(({ file, line }) => ({ file, line }));
}

/** States one slot for every run that is asked. */
export function tellSlot(
  slot: Slot,
  runs: readonly CodeRun[],
  facts: CodeFactsOf,
  { group, askAll = false }: { group?: string; askAll?: boolean } = {},
): void {
  const words = wordsOf(slot);
  const topic = topicOf(slot);
  for (const [run, value] of answersTo(slot, runs, askAll)) {
    const said = saidBy(slot, run);
    facts.of(run, {
      slot: `code ${slot.key}`,
      aspect: slot.kind.kind,
      value: value === "" ? "absent" : value,
      label: labelOf(slot, said),
      title: slot.kind.title(words),
      topic,
      subject: topic,
      weight: reportWeight(slot.kind.weight * (slot.slight ? 0.3 : 1)),
      lack: value === "",
      links: linksOf(slot, group),
      evidence: evidenceOf(said),
    });
  }
}

/** What is asked about as a noun phrase: its name where the answer does not say it, and the symbol it is in. */
export function topicOf(slot: Slot): string {
  const [only, ...more] = [...slot.symbols];
  const isNamed = fixedSlots.has(slot.slot) || answersAlone.has(slot.kind.kind);
  const name = `\`${shownSlot(slot).replaceAll("`", "'").slice(0, 60)}\``;
  if (only === undefined || more.length > 0) return fixedSlots.has(slot.slot) ? "the change" : name;
  const symbol = symbolLabel(only, false);
  const said = slot.kind.kind === "param" ? `parameter ${name}` : name;
  return isNamed || name === symbol ? symbol : `${said} in ${symbol}`;
}

/** Kinds whose answers name what they are about. */
const answersAlone = new Set([
  "call",
  "again",
  "cond",
  "tested",
  "name",
  "set",
  "raise",
  "reject",
  "catch",
  "items",
  "generator",
  "async",
  "symbol",
  "typetest",
  "decorator",
]);

/** Kinds that are one question for all the code. */
const fixedSlots = new Set(["raises", "rejects", "catches", "returns", "type test"]);

/**
 * What one symbol says is tied to the place of the change, and to what divides the runs alike in the same symbol. Facts
 * that merely follow from one another are not: a row never holds two choices.
 */
export function linksOf({ kind, gone }: Pick<Slot, "kind" | "gone">, group?: string): string[] {
  return [
    ...(kind.scope === "symbol" && !gone ? [placeSlot] : []),
    ...(group === undefined ? [] : [`theme code ${group}`]),
  ];
}

/** States which of several alternatives each run took. */
export function tellCover({ symbol, slots, took }: Cover, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const kind = slots[0]?.kind.kind ?? "";
  const where = symbolLabel(symbol, false);
  const titles: Record<string, string> = {
    cond: `Which test is new in ${where}?`,
    call: `What does ${where} call now?`,
    set: `What does ${where} assign now?`,
    raise: `What does ${where} raise now?`,
  };
  for (const { id: run, isReference, symbols } of runs) {
    if (isReference ? !symbols.some(({ key }) => key === symbol) : !took.has(run)) continue;
    const slot = isReference ? (slots.find(({ references }) => references.has(run)) ?? null) : (took.get(run) ?? null);
    facts.of(run, {
      slot: `code cover ${kind} ${symbol}`,
      aspect: "alternatives",
      value: slot?.key ?? "absent",
      label: slot ? labelOf(slot, saidBy(slot, run)) : "none of these",
      title: titles[kind] ?? `What is new in ${where}?`,
      topic: `what is new in ${where}`,
      subject: where,
      weight: reportWeight(slots[0]?.kind.weight ?? 1),
      lack: slot === null,
      links: [placeSlot],
      evidence: evidenceOf(slot ? saidBy(slot, run) : undefined),
    });
  }
}

/** A call that comes where another goes is one choice: one or the other. */
export function findInsteads(candidates: readonly Candidate[]): { lost: Candidate; won: Candidate; symbol: string }[] {
  const isCall = ({ slot }: Candidate) => slot.kind.kind === "call" && !slot.slight;
  const won = candidates.filter((each) => isCall(each) && !each.slot.gone);
  const taken = new Set<Candidate>();
  return candidates
    .filter((each) => isCall(each) && each.slot.gone)
    .flatMap((lost) => {
      const [symbol] = [...lost.slot.symbols];
      const other = won.find(
        (each) =>
          !taken.has(each) && symbol !== undefined && each.slot.symbols.has(symbol) && sameRuns(each.slot, lost.slot),
      );
      if (!other || symbol === undefined) return [];
      taken.add(other);
      return [{ lost, won: other, symbol }];
    });
}

/** Equal but for one run. */
function sameRuns(a: Slot, b: Slot): boolean {
  const differing =
    [...a.by.keys()].filter((run) => !b.by.has(run)).length + [...b.by.keys()].filter((run) => !a.by.has(run)).length;
  return differing <= 1 && differing < Math.min(a.by.size, b.by.size);
}

interface Instead {
  lost: Candidate;
  won: Candidate;
  symbol: string;
}

export function tellInstead({ lost, won, symbol }: Instead, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const [old, now] = [lost, won].map(({ slot }) => `\`${slot.slot}()\``);
  for (const { id, symbols } of runs) {
    const [drops, calls] = [lost, won].map(({ slot }) => saidBy(slot, id) !== undefined);
    // Where the symbol was left alone, the old call is kept.
    const label = calls
      ? drops
        ? `${now} instead of ${old}`
        : `${now} as well`
      : drops
        ? `neither: drops ${old}`
        : `keeps ${old}`;
    facts.of(id, {
      slot: `code instead ${symbol} ${lost.slot.slot}`,
      aspect: "call",
      value: `${drops} ${calls}`,
      label,
      title: `In ${symbolLabel(symbol, false)}: ${old} or ${now}?`,
      topic: `${old} or ${now} in \`${partsOfKey(symbol).name}\``,
      subject: `${old} or ${now}`,
      weight: 2,
      lack: !symbols.some(({ key }) => key === symbol),
      links: [placeSlot],
      evidence: evidenceOf(saidBy(won.slot, id) ?? saidBy(lost.slot, id)),
    });
  }
}
