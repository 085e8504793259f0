import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import type { Shape } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { letter } from "../decide/decisions.js";
import { round, wilson } from "../decide/statistics.js";
import type { Alignment } from "./align.js";

/** Below it a report says that names were aligned by structure. */
const weak = 0.6;

type Naming = Report["naming"][number];

/** What only differs in name: one entry for what was renamed together, its options the names, most common first. */
export function namingOf({ renaming, groups, merges }: Alignment, shapes: readonly Shape[]): Naming[] {
  const weakest = new Map<string, number>();
  for (const { one, score } of merges) {
    const id = renaming.get(one) ?? one;
    weakest.set(id, Math.min(score, weakest.get(id) ?? 1));
  }
  const said = sayings(new Set(groups.flat()), renaming, shapes);
  return groups.flatMap((group) => {
    const entry = entryOf(group, said);
    const likeness = Math.min(...group.map((id) => weakest.get(id) ?? 1));
    if (entry.options.length < 2) return [];
    return [likeness < weak ? { ...entry, likeness: Math.floor(100 * likeness) / 100 } : entry];
  });
}

interface Sayings {
  /** What each run calls a thing, by the thing's id; the order of runs is that of shapes. */
  own: ReadonlyMap<string, ReadonlyMap<RunId, string>>;
  /** The words for a thing by its own name. */
  all: ReadonlyMap<string, string>;
}

function sayings(ids: ReadonlySet<string>, renaming: Alignment["renaming"], shapes: readonly Shape[]): Sayings {
  const own = new Map([...ids].map((id) => [id, new Map<RunId, string>()]));
  const all = new Map<string, string>();
  for (const { run, names } of shapes) {
    for (const [id, words] of names) {
      own.get(renaming.get(id) ?? id)?.set(run, words);
      if (ids.has(id)) all.set(id, words);
    }
  }
  return { own, all };
}

function entryOf(group: readonly string[], { own, all }: Sayings): Naming {
  const runs = [...new Set(group.flatMap((id) => [...(own.get(id)?.keys() ?? [])]))].sort(compareText);
  const said = runs.map((run) => ({
    run,
    label: group.map((id) => own.get(id)?.get(run) ?? all.get(id) ?? id).join(", "),
  }));
  const options = [...groupBy(said, ({ label }) => label)]
    .map(([label, each]) => ({ label, runs: each.map(({ run }) => run).sort(compareText) }))
    .sort((a, b) => b.runs.length - a.runs.length || compareText(a.label, b.label))
    .map(({ label, runs }, at) => option({ label, runs, at, of: said.length }));
  const subjects = group.slice(0, 2).map((id) => all.get(id) ?? id);
  const more = group.length > 2 ? ` and ${group.length - 2} more` : "";
  const whole = `Names of ${subjects.join(", ")}${more}`;
  return { title: [...whole].length <= 80 ? whole : `Names of ${group.length} things`, options };
}

interface Said {
  label: string;
  runs: RunId[];
  at: number;
  of: number;
}

function option({ label, runs, at, of }: Said): Naming["options"][number] {
  const share = round(runs.length / of);
  return { id: letter(at), label, runs, share, interval: wilson(runs.length, of), risk: null, reference: [] };
}
