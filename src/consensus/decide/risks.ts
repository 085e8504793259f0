import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import type { Question } from "../ask/questions.js";
import type { ConsensusRun } from "../ask/standing.js";

/** Damage, whoever did it and however many agree: rows lost or changed, things of base dropped, checks broken. */
export function risksOf(questions: readonly Question[]): Report["risks"] {
  const risks = new Map<string, { runs: Set<RunId>; of: number }>();
  for (const { answers } of questions) {
    for (const [run, { risk }] of answers) {
      if (risk?.kind !== "damage") continue;
      const known = risks.get(risk.text) ?? { runs: new Set<RunId>(), of: answers.size };
      known.runs.add(run);
      risks.set(risk.text, known);
    }
  }
  return [...risks]
    .map(([title, { runs, of }]) => ({ title, runs: [...runs].sort(compareText), of }))
    .sort((a, b) => b.runs.length - a.runs.length || compareText(a.title, b.title));
}

/** Runs that left their contract, one row a rule, with the first paths by which they did. */
export function contractRisks(runs: readonly ConsensusRun[]): Report["risks"] {
  const rules = new Map<string, { runs: Set<RunId>; paths: Set<string> }>();
  for (const { id, record } of runs) {
    for (const { rule, path } of record?.violations ?? []) {
      const known = rules.get(rule) ?? { runs: new Set<RunId>(), paths: new Set<string>() };
      known.runs.add(id);
      known.paths.add(path);
      rules.set(rule, known);
    }
  }
  return [...rules]
    .sort(([a], [b]) => compareText(a, b))
    .map(([rule, { runs: broke, paths }]) => {
      const shown = [...paths]
        .filter((path) => path !== "")
        .sort(compareText)
        .slice(0, 3)
        .map((path) => `\`${path.replaceAll("`", "'")}\``);
      const more = paths.size > 3 ? ` and ${paths.size - 3} more` : "";
      const words = rule === "allow" ? "outside what the contract allows" : `against the contract's ${rule}`;
      return {
        title: shown.length === 0 ? words : `changes ${shown.join(", ")}${more}, ${words}`,
        runs: [...broke].sort(compareText),
        of: runs.length,
      };
    });
}

/** The runs that did damage. */
export function damagingRuns(risks: Report["risks"]): Set<RunId> {
  return new Set(risks.flatMap(({ runs }) => runs));
}
