import type { CodeReading } from "../../model/code.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { letter } from "../decide/decisions.js";
import { round, wilson } from "../decide/statistics.js";
import { alignRuns, lastOf } from "./code-run.js";

type Naming = Report["naming"][number];

/** New functions, classes and values that do half the same and have other names in other runs, the widest first. */
export function codeNaming(readings: readonly CodeReading[], references: ReadonlySet<RunId> = new Set()): Naming[] {
  const named = alignRuns(readings, references)
    .filter(({ isReference }) => !isReference)
    .flatMap(({ id, symbols }) =>
      symbols
        .filter(({ change }) => change.status === "added")
        .map(({ key, change }) => ({ run: id, key, name: `\`${lastOf(change.name).replaceAll("`", "'")}\`` })),
    );
  return [...groupBy(named, ({ key }) => key)]
    .map(([key, each]) => ({ key, each, names: [...groupBy(each, ({ name }) => name)] }))
    .filter(({ names }) => names.length > 1)
    .sort((a, b) => b.each.length - a.each.length || compareText(a.key, b.key))
    .map(({ each, names }): Naming => {
      const of = new Set(each.map(({ run }) => run)).size;
      const options = names
        .map(([label, all]) => ({ label, runs: [...new Set(all.map(({ run }) => run))].sort(compareText) }))
        .sort((a, b) => b.runs.length - a.runs.length || compareText(a.label, b.label))
        .map(({ label, runs }, at) => {
          const share = round(runs.length / of);
          return { id: letter(at), label, runs, share, interval: wilson(runs.length, of), risk: null, reference: [] };
        });
      return { title: `Names of ${[...(options[0]?.label ?? "")].slice(0, 60).join("")}`, options };
    });
}
