import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { type Group, groupsOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";

type OddOneOut = Report["oddOneOut"][number];

interface Deviation {
  question: Question;
  own: Group;
  others: Group;
}

/** What one run alone did, in as few statements as tell it, heavier ones first; damage is told as risk. */
export function oddOnesOut(questions: readonly Question[]): OddOneOut[] {
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
    .map(([run, deviations]) => ({ run, statements: statementsOf(deviations) }))
    .filter(({ statements }) => statements.length > 0);
}

function statementsOf(deviations: readonly Deviation[]): string[] {
  const objects = deviations.filter(({ question }) => question.object && question.dimension !== "code");
  const files = deviations.filter(
    ({ question }) => question.object && question.dimension === "code" && isOfBase(question),
  );
  const rest = deviations.filter(({ question }) => !question.object);
  rest.sort((a, b) => b.question.weight - a.question.weight || compareText(a.question.key, b.question.key));
  return [...objectStatement(objects), ...rest.map(difference), ...fileStatement(files)];
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

function difference({ question, own, others }: Deviation): string {
  const { topic, aspect } = question;
  if (aspect === "presence" && own.label === "yes") return `has ${topic}`;
  if (aspect === "presence" && own.label === "no") return `has no ${topic}`;
  if (aspect === "presence" && own.label.startsWith("yes: ")) return `has ${topic}: ${own.label.slice(5)}`;
  const who = others.runs.length === question.answers.size - 1 ? "others" : "most";
  return `${topic}: ${own.label} (${who}: ${others.label})`;
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

function listOf(names: readonly string[], most: number): string {
  return `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
}
