import type { Report } from "../../src/model/report.js";
import { divisionOf, type Labels, type Sentence } from "./labels.js";

export type Grade = "full" | "partly" | "missed";

export interface SetScore {
  set: string;
  tuned: boolean;
  sentences: { text: string; grade: Grade }[];
  /** Rows about differences that no sentence has. */
  unlabelled: string[];
}

/** A division of runs that the report shows, with all words a reader sees beside it. */
interface Row {
  groups: string[][];
  words: string;
  /** The row of the report it belongs to. */
  of: string;
}

interface Told extends Omit<Row, "groups"> {
  run: string;
}

interface Shown {
  decisions: Row[];
  odd: Told[];
  naming: Row[];
  /** One line per statement. */
  agreed: string[];
  /** Runs that are told to have changed or to have left nothing that could be compared. */
  idle: string[];
}

/** Compares what the report shows with what a careful person said. */
export function scoreSet(report: Report, labels: Labels): SetScore {
  const shown = shownIn(report);
  const met = new Set<string>();
  const sentences = labels.sentences.map((sentence) => {
    const { grade, rows } = gradeOf(sentence, shown, labels);
    for (const row of rows) met.add(row);
    return { text: sentence.text ?? `${sentence.kind} ${"run" in sentence ? sentence.run : ""}`, grade };
  });
  const rows = new Map([...shown.decisions, ...shown.odd].map(({ of, words }) => [of, words]));
  const unlabelled = [...rows]
    .filter(([row, words]) => !met.has(row) && !labels.noise?.some((each) => each.test(words)))
    .map(([row]) => row);
  return { set: labels.set, tuned: labels.tuned, sentences, unlabelled };
}

function shownIn(report: Report): Shown {
  const names = new Map<string, string>(report.runs.map(({ id, variant }) => [id, variant]));
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id);
  const groups = (answers: readonly { runs: readonly string[] }[]) => answers.map(({ runs }) => named(runs));
  const labelsOf = (answers: readonly { label: string }[]) => answers.map(({ label }) => label).join(" ");
  const decisions = report.decisions.flatMap(({ title, options, facts }): Row[] => {
    const sizes = options.map(({ label, runs }) => `${label} ${runs.length}`).join(" | ");
    const of = `${title}: ${sizes}`;
    return [
      { groups: groups(options), words: `${title} ${labelsOf(options)}`, of },
      ...facts.map((fact) => ({
        groups: groups(fact.answers),
        words: `${fact.title} ${fact.topic} ${labelsOf(fact.answers)}`,
        of,
      })),
    ];
  });
  return {
    decisions,
    odd: [
      ...report.oddOneOut.map(({ run, statements }) => {
        const name = names.get(run) ?? run;
        return { run: name, words: statements.join("; "), of: `${name}: ${statements.join("; ")}` };
      }),
      ...report.risks.flatMap(({ title, runs }) => named(runs).map((run) => ({ run, words: title, of: title }))),
    ],
    naming: report.naming.map(({ title, options }) => ({
      groups: groups(options),
      words: labelsOf(options),
      of: title,
    })),
    agreed: report.agreed.map(({ title, label, details }) => [title, label, ...details].join("\n")),
    idle: report.runs
      .filter(({ outcome, counted }) => outcome !== "completed" || !counted)
      .map(({ variant }) => variant),
  };
}

interface Graded {
  grade: Grade;
  /** The rows that say it, or nearly. */
  rows: string[];
}

function gradeOf(sentence: Sentence, shown: Shown, labels: Labels): Graded {
  switch (sentence.kind) {
    case "split":
      return gradeSplit(sentence, shown, labels);
    case "agreed":
      return { grade: shown.agreed.some((row) => sentence.about.test(row)) ? "full" : "missed", rows: [] };
    case "naming":
      return gradeNaming(sentence.names, shown);
    case "odd":
      return gradeOdd(sentence, shown);
    case "state":
      return gradeState(sentence.runs, shown);
  }
}

/** Full: exactly so divided and about that. Partly: one run elsewhere, told of something else, or as mere names. */
function gradeSplit(sentence: Sentence & { kind: "split" }, shown: Shown, labels: Labels): Graded {
  const wanted = divisionOf(sentence, labels);
  const { about } = sentence;
  const exact = shown.decisions.filter(({ groups }) => isSame(groups, wanted));
  const alone = lonersOf(wanted);
  const odd = shown.odd.filter(({ run, words }) => alone.includes(run) && about.test(words));
  const rows = [...exact, ...odd].map(({ of }) => of);
  const isTold = alone.length > 0 && alone.every((run) => odd.some((row) => row.run === run));
  if (isTold || exact.some(({ words }) => about.test(words))) return { grade: "full", rows };
  const near = shown.decisions.filter(({ groups, words }) => about.test(words) && isNear(groups, wanted));
  const names = shown.naming.filter(({ groups }) => isSame(groups, wanted));
  rows.push(...near.map(({ of }) => of));
  return { grade: rows.length + names.length > 0 ? "partly" : "missed", rows };
}

/** Full: told as that run's own, or as an option nobody else took. */
function gradeOdd({ run, about }: Sentence & { kind: "odd" }, { odd, decisions }: Shown): Graded {
  const own = odd.filter((row) => row.run === run);
  const alone = decisions.filter(({ groups }) => groups.some((each) => isSame([each], [[run]])));
  const rows = [...own, ...alone].filter(({ words }) => about.test(words)).map(({ of }) => of);
  return { grade: rows.length > 0 ? "full" : own.length > 0 ? "partly" : "missed", rows };
}

function gradeNaming(names: readonly string[], { naming, decisions }: Shown): Graded {
  const holds = ({ words }: Row) => names.filter((name) => wordsOf(words).has(name.toLowerCase())).length;
  const most = Math.max(0, ...naming.map(holds));
  const rows = decisions.filter((row) => holds(row) === names.length).map(({ of }) => of);
  return { grade: most === names.length ? "full" : most > 1 || rows.length > 0 ? "partly" : "missed", rows };
}

/** `\`teams.name\`` tells `teams`, `name` and the whole; case is none of a name's business here. */
function wordsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/`([^`]+)`/g)]
      .flatMap(([, name = ""]) => [name, ...name.split(".")])
      .map((each) => each.toLowerCase()),
  );
}

function gradeState(runs: readonly string[], { decisions, odd, idle }: Shown): Graded {
  const isState = /schema|chang|database/i;
  const same = decisions.filter(
    ({ groups, words }) => isState.test(words) && groups.some((each) => isSame([each], [runs])),
  );
  const told = odd.filter(({ run, words }) => runs.includes(run) && isState.test(words));
  const rows = [...same, ...told].map(({ of }) => of);
  const left = runs.filter((run) => !told.some((each) => each.run === run) && !idle.includes(run));
  const grade = same.length > 0 || left.length === 0 ? "full" : left.length < runs.length ? "partly" : "missed";
  return { grade, rows };
}

/** The runs that are alone with their answer, where all others share one. */
function lonersOf(groups: readonly (readonly string[])[]): string[] {
  const shared = groups.filter((each) => each.length > 1);
  return shared.length === 1 ? groups.filter((each) => each.length === 1).flat() : [];
}

type Groups = readonly (readonly string[])[];

function isSame(one: Groups, other: Groups): boolean {
  return textOf(one) === textOf(other);
}

/** Equal but for one run, which is in another group or in none. */
function isNear(one: Groups, other: Groups): boolean {
  const runs = new Set([...one.flat(), ...other.flat()]);
  return [...runs].some((run) => textOf(without(one, run)) === textOf(without(other, run)));
}

function without(groups: Groups, run: string): Groups {
  return groups.map((each) => each.filter((other) => other !== run));
}

function textOf(groups: Groups): string {
  return JSON.stringify(
    groups
      .filter((each) => each.length > 0)
      .map((each) => JSON.stringify([...each].sort()))
      .sort(),
  );
}
