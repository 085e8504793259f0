import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { type Places, placeLabel } from "./place.js";

/** The question every other fact of the code is tied to. */
export const placeSlot = "code place";

/** States where each run makes the change: in which symbols, or in which files where the symbols are too many to tell. */
export function tellPlaces(runs: readonly CodeRun[], places: Places, facts: CodeFactsOf): void {
  const placed = runs.filter(({ id }) => (places.of.get(id)?.size ?? 0) > 0);
  const counted = placed.filter(({ isReference }) => !isReference);
  const files = new Set([...places.of.values()].flatMap((keys) => [...keys].map((key) => partsOfKey(key).file)));
  const bySymbol = (run: CodeRun) =>
    placeLabel(places.of.get(run.id) ?? new Set(), files.size > 1) + throughHelper(run, places);
  const groups = [...groupBy(counted, bySymbol).values()].sort((a, b) => b.length - a.length);
  const scattered = groups.length > 4 && 2 * (groups[0]?.length ?? 0) < counted.length;
  const perFile = groupBy(counted, (run) => filesOf(run.id, places));
  const wide = scattered && perFile.size < groups.length && perFile.size > 1;
  for (const run of placed) {
    const value = wide
      ? filesOf(run.id, places)
      : [...(places.of.get(run.id) ?? [])].sort(compareText).join("\u0001") + throughHelper(run, places);
    facts.of(run.id, {
      slot: placeSlot,
      aspect: "place",
      value,
      label: wide ? fileLabel(value, perFile.get(value) ?? [], bySymbol) : bySymbol(run),
      title: wide ? "Which file is changed?" : "Where is the change made?",
      topic: "where the change is made",
      subject: "the change",
      weight: 3,
      evidence: evidenceOf(run, places),
    });
  }
}

function throughHelper(run: CodeRun, places: Places): string {
  const own = places.of.get(run.id);
  const through = [...run.helpers.values()].some((callers) => callers.some((caller) => own?.has(caller)));
  return through ? " through a new helper" : "";
}

function filesOf(run: RunId, places: Places): string {
  const files = [...(places.of.get(run) ?? [])].map((key) => partsOfKey(key).file);
  return [...new Set(files)].sort(compareText).join("\u0001");
}

function fileLabel(value: string, runs: readonly CodeRun[], bySymbol: (run: CodeRun) => string): string {
  const files = value.split("\u0001").map((file) => `\`${file.replaceAll("`", "'")}\``);
  const inside = [...groupBy(runs, bySymbol)]
    .sort(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
    .map(([label, group]) => `${label}${group.length < runs.length ? ` ${group.length}` : ""}`);
  return `${files.slice(0, 2).join(" and ")}${files.length > 2 ? ` and ${files.length - 2} more` : ""}: ${inside.slice(0, 3).join(", ")}${inside.length > 3 ? " …" : ""}`;
}

function evidenceOf(run: CodeRun, places: Places): { file: string; line: number }[] {
  const own = places.of.get(run.id);
  return run.symbols
    .filter(({ key }) => own?.has(key))
    .slice(0, 3)
    .map(({ file, change }) => ({ file: file.path, line: change.line }));
}
