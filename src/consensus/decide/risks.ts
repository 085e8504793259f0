import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import type { Question } from "../ask/questions.js";

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

/** The runs that did damage. */
export function damagingRuns(risks: Report["risks"]): Set<RunId> {
  return new Set(risks.flatMap(({ runs }) => runs));
}
