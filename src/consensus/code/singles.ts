import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import { isOwnOfHelper } from "./candidates.js";
import { type CodeRun, reaching } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { newFilesOf } from "./files.js";
import { labelOf, tellSlot } from "./rows.js";
import { type Slot, weightOf } from "./slots.js";

/** What a run does alone is told up to this number of things. */
const mostSingles = 3;
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
export function tellSingles(slots: Iterable<Slot>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const fresh = freshSymbols(runs);
  const files = newPathsOf(runs);
  const alone = [...slots].filter(
    (slot) =>
      slot.by.size === 1 &&
      !slot.gone &&
      !slot.slight &&
      telling.has(slot.kind.kind) &&
      !isOwnOfHelper(slot) &&
      weightOf(slot) > 1,
  );
  const told = alone.filter(
    (slot) =>
      reaching.has(slot.kind.kind) ||
      ([...slot.symbols].some((symbol) => !fresh.has(symbol)) &&
        [...slot.by].some(([run, said]) => said.some(({ file }) => !files.has(`${run} ${file}`)))),
  );
  for (const own of groupBy(told, ({ by }) => [...by.keys()][0]).values()) {
    const ranked = [...own].sort((a, b) => weightOf(b) - weightOf(a) || compareText(a.key, b.key));
    const seen = new Set<string>();
    for (const slot of ranked) {
      const words = labelOf(slot, [...slot.by.values()][0]);
      if (seen.size >= mostSingles || seen.has(words)) continue;
      seen.add(words);
      // Also of runs that leave the symbol alone: it is one run's own matter.
      tellSlot(slot, runs, facts, { askAll: true });
    }
  }
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
