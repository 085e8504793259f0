import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { groupsOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { type Deviation, differences, listOf } from "./differences.js";

type OddOneOut = Report["oddOneOut"][number];

/**
 * What one run alone did, in as few statements as tell it, heavier ones first; damage is told as risk.
 * `all`: everything that was asked, for what a run does throughout.
 */
export function oddOnesOut(questions: readonly Question[], all: readonly Question[]): OddOneOut[] {
  const loose = looseRuns(all);
  const byRun = new Map<RunId, Deviation[]>();
  for (const question of questions) {
    const [others, ...minorities] = groupsOf(question);
    for (const own of minorities) {
      const run = own.runs[0];
      const toldAsRisk = run !== undefined && question.answers.get(run)?.risk?.kind === "damage";
      if (run !== undefined && others !== undefined && !toldAsRisk) {
        byRun.set(run, [...(byRun.get(run) ?? []), { question, own, others }]);
      }
    }
  }
  return [...byRun]
    .sort(([a], [b]) => compareText(a, b))
    .map(([run, deviations]) => ({ run, statements: statementsOf(deviations, loose.length === 1 && loose[0] === run) }))
    .filter(({ statements }) => statements.length > 0);
}

/** Columns from which on a run that lets all of them be null is said to do so throughout. */
const throughout = 4;

/** Runs that let every column be null that is asked for. */
function looseRuns(all: readonly Question[]): RunId[] {
  const counts = new Map<RunId, number>();
  const strict = new Set<RunId>();
  for (const { aspect, answers } of all) {
    if (aspect !== "nullability") continue;
    for (const [run, { lack }] of answers) {
      counts.set(run, (counts.get(run) ?? 0) + 1);
      if (!lack) strict.add(run);
    }
  }
  return [...counts].flatMap(([run, count]) => (count >= throughout && !strict.has(run) ? [run] : []));
}

function statementsOf(deviations: readonly Deviation[], isLoose: boolean): string[] {
  const objects = deviations.filter(({ question }) => question.object && question.dimension !== "code");
  const files = deviations.filter(
    ({ question }) => question.object && question.dimension === "code" && isOfBase(question),
  );
  const rest = deviations.filter(({ question }) => !question.object);
  rest.sort((a, b) => b.question.weight - a.question.weight || compareText(a.question.key, b.question.key));
  const nulls = isLoose ? rest.filter(({ question, own }) => question.aspect === "nullability" && own.lack) : [];
  return [
    ...objectStatement(objects),
    ...(nulls.length > 0 ? ["lets every column but its keys be null"] : []),
    ...differences(rest.filter((each) => !nulls.includes(each))),
    ...fileStatement(files),
  ];
}

/**
 * A run that gave its tables other names is one statement, not twenty. "Instead of" is said only where as many tables and
 * columns are there as are not: whether they are the same thing is for alignment to say.
 */
function objectStatement(deviations: readonly Deviation[]): string[] {
  const extra = deviations.filter(({ own }) => !own.lack);
  const lacking = deviations.filter(({ own }) => own.lack);
  if (extra.length === 0 && lacking.length === 0) return [];
  if (lacking.length === 0) return [`adds ${namesOf(extra)}`];
  if (extra.length === 0) return [`has no ${namesOf(lacking)}`];
  const joint = kindsOf(extra) === kindsOf(lacking) ? "instead of" : "but not";
  return [`has ${namesOf(extra)} ${joint} ${namesOf(lacking)}`];
}

function namesOf(deviations: readonly Deviation[]): string {
  const sorted = [...deviations].sort(
    (a, b) => b.question.weight - a.question.weight || compareText(a.question.subject, b.question.subject),
  );
  return listOf(
    sorted.map(({ question }) => question.subject),
    8,
  );
}

function kindsOf(deviations: readonly Deviation[]): string {
  return deviations
    .map(({ question }) => question.slot.split(" ")[0])
    .sort()
    .join();
}

/** What a run calls its new files is nobody's concern; that it alone touches a file of base is. */
function isOfBase({ slot }: Question): boolean {
  return !slot.startsWith("new file ");
}

function fileStatement(deviations: readonly Deviation[]): string[] {
  const extra = deviations.filter(({ own }) => !own.lack);
  const lacking = deviations.filter(({ own }) => own.lack);
  return [
    ...(extra.length > 0 ? [`alone changes ${filesOf(extra)}`] : []),
    ...(lacking.length > 0 ? [`does not change ${filesOf(lacking)}`] : []),
  ];
}

function filesOf(deviations: readonly Deviation[]): string {
  return listOf(deviations.map(({ question }) => question.subject).sort(compareText), 3);
}
