import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, lastOf, type PlacedFact, partsOfKey } from "./code-run.js";

/** Callers beyond which a new function is no part of any of them. */
const mostCallers = 3;

/** A helper or the same lines inline are one place: what a new function does counts where it is called from. */
export function lendHelpers(run: CodeRun, aside: ReadonlySet<string>): void {
  const added = run.symbols.filter(
    ({ key, change }) => change.status === "added" && change.kind === "function" && !aside.has(key),
  );
  if (added.length === 0) return;
  const edited = new Set(run.symbols.filter(({ change }) => change.status === "edited").map(({ key }) => key));
  const newCalls = run.facts.filter((fact) => fact.kind === "call" && !fact.gone && edited.has(fact.symbol));
  const bySlot = groupBy(newCalls, ({ slot }) => slot);
  for (const { key, change } of added) {
    const names = new Set([lastOf(change.name), lastOf(partsOfKey(key).name)]);
    const calls = [...names].flatMap((name) => bySlot.get(name) ?? []);
    const callers = [...new Set(calls.map(({ symbol }) => symbol))].sort(compareText);
    if (callers.length > 0 && callers.length <= mostCallers) run.helpers.set(key, callers);
  }
  if (run.helpers.size === 0) return;
  run.facts = run.facts.flatMap((fact) => {
    const callers = fact.kind === "symbol" ? undefined : run.helpers.get(fact.symbol);
    // How a helper takes its parameters is not how its callers take theirs.
    if (callers && fact.kind === "param") return [];
    return callers ? callers.map((symbol) => ({ ...fact, symbol, via: fact.symbol })) : [fact];
  });
}

/**
 * A parameter of the helper is a local of the function it was taken from: what another run says there in the very same
 * words is the same.
 */
export function nameLent(runs: readonly CodeRun[]): void {
  const callers = new Set(runs.flatMap(({ helpers }) => [...helpers.values()].flat()));
  if (callers.size === 0) return;
  const wordsOf = ({ symbol, kind, gone, shown }: PlacedFact) => [symbol, kind, gone, shown].join("\u0001");
  const own = new Map<string, PlacedFact>();
  for (const { facts, isReference } of runs) {
    for (const fact of isReference ? [] : facts) {
      if (fact.via !== undefined || !callers.has(fact.symbol)) continue;
      const words = wordsOf(fact);
      const known = own.get(words);
      const isFirst = !known || compareText(`${fact.slot}\u0001${fact.value}`, `${known.slot}\u0001${known.value}`) < 0;
      if (isFirst) own.set(words, fact);
    }
  }
  for (const run of runs) {
    run.facts = run.facts.map((fact) => {
      const same = fact.via === undefined ? undefined : own.get(wordsOf(fact));
      return same ? { ...fact, slot: same.slot, value: same.value } : fact;
    });
  }
}
