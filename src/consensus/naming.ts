import { groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { Report } from "../model/report.js";
import type { Shape } from "../model/shape.js";
import { compareText } from "../model/text.js";
import type { Alignment } from "./align.js";
import { letter } from "./decisions.js";
import { round, wilson } from "./statistics.js";

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
  return groups.flatMap((group) => {
    const entry = entryOf(group, renaming, shapes);
    const likeness = Math.min(...group.map((id) => weakest.get(id) ?? 1));
    if (entry.options.length < 2) return [];
    return [likeness < weak ? { ...entry, likeness: Math.floor(100 * likeness) / 100 } : entry];
  });
}

function entryOf(group: readonly string[], renaming: Alignment["renaming"], shapes: readonly Shape[]): Naming {
  const all = new Map(shapes.flatMap(({ names }) => [...names]));
  const said = shapes.flatMap(({ run, names }) => {
    const own = new Map([...names].map(([id, words]) => [renaming.get(id) ?? id, words]));
    if (!group.some((id) => own.has(id))) return [];
    return [{ run, label: group.map((id) => own.get(id) ?? all.get(id) ?? id).join(", ") }];
  });
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
