import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, keyOf } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { symbolLabel } from "./place.js";

/** Different sets of documented symbols up to which they are told; more are only "yes" and "no". */
const mostSets = 4;

/** Runs, of six or more, that must document a symbol before it is a choice. */
const fewest = 3;

/** Of which symbols of base the doc comment follows the change: what at least two runs document is one choice. */
export function tellDocumentation(runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const documented = new Map(runs.map((run) => [run.id, documentedIn(run)]));
  const counted = runs.filter(({ isReference }) => !isReference);
  const writers = groupBy(
    counted.flatMap(({ id }) => documented.get(id) ?? []),
    (key) => key,
  );
  const enough = Math.max(2, Math.min(fewest, counted.length / 2));
  const shared = new Set([...writers].flatMap(([key, each]) => (each.length >= enough ? [key] : [])));
  if (shared.size === 0) return;
  const sets = new Map(
    runs.map(({ id }) => [id, (documented.get(id) ?? []).filter((key) => shared.has(key)).sort(compareText)]),
  );
  const isWide = new Set([...sets.values()].map((keys) => keys.join())).size > mostSets;
  for (const [run, keys] of sets) {
    const names = keys.slice(0, 3).map((key) => symbolLabel(key, false));
    const more = keys.length > 3 ? ` and ${keys.length - 3} more` : "";
    facts.of(run, {
      slot: "code documentation",
      aspect: "documentation",
      value: isWide ? String(keys.length > 0) : keys.join("\u0001") || "none",
      label: keys.length === 0 ? "no" : isWide ? "yes" : `of ${names.join(", ")}${more}`,
      title: "Are doc comments of existing code changed?",
      topic: "changed doc comments",
      subject: "doc comments",
      weight: 0.5,
      lack: keys.length === 0,
    });
  }
}

function documentedIn({ reading }: CodeRun): string[] {
  return reading.files
    .filter(({ fileClass, broken }) => fileClass === "source" && broken === null)
    .flatMap(({ symbols, oldPath, path }) =>
      symbols.filter(({ documented }) => documented).map(({ name }) => keyOf(oldPath ?? path, name)),
    );
}
