import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";
import type { Answer, Question } from "./questions.js";

/** One answer and the runs that gave it. */
export interface Group {
  value: string;
  label: string;
  /** The consequence that hurts, in words. */
  risk: string | null;
  lack: boolean;
  runs: RunId[];
}

/** The answers to a question, most runs first; ties by words, so that the order and names of runs mean nothing. */
export function groupsOf(question: Question): Group[] {
  const known = groups.get(question);
  if (known) return [...known];
  const counted = count(question);
  groups.set(question, counted);
  return [...counted];
}

/** Asked for again and again; a question does not change once all have answered it. */
const groups = new WeakMap<Question, readonly Group[]>();

function count({ answers }: Question): Group[] {
  const byValue = new Map<string, { runs: RunId[]; given: Answer[] }>();
  for (const [run, answer] of answers) {
    const alike = byValue.get(answer.value);
    alike?.runs.push(run);
    alike?.given.push(answer);
    if (!alike) byValue.set(answer.value, { runs: [run], given: [answer] });
  }
  const counted = [...byValue].map(([value, { runs, given }]): Group => {
    const label = mostCommon(given.map((answer) => answer.label)) ?? value;
    const risks = given.some((answer) => answer.risk !== null) ? given.flatMap(({ risk }) => risk?.text ?? []) : [];
    const lack = given.every((answer) => answer.lack);
    return { value, label, risk: mostCommon(risks) ?? null, lack, runs: runs.sort(compareText) };
  });
  return told(counted.sort(compareGroups));
}

function compareGroups(a: Group, b: Group): number {
  return b.runs.length - a.runs.length || compareText(a.label, b.label) || compareText(a.value, b.value);
}

/** Different answers in the same words are numbered: two labels must never hide a difference. */
function told(groups: Group[]): Group[] {
  const seen = new Map<string, number>();
  return groups.map((group) => {
    const before = seen.get(group.label) ?? 0;
    seen.set(group.label, before + 1);
    if (before === 0) return group;
    const another = group.label === "one way" && before === 1;
    return { ...group, label: another ? "another way" : `${group.label}, way ${before + 1}` };
  });
}

export function sizesOf(question: Question): number[] {
  return groupsOf(question).map(({ runs }) => runs.length);
}

/** The runs that gave such an answer. */
export function runsWith({ answers }: Question, isSuch: (answer: Answer) => boolean): Set<RunId> {
  const runs = new Set<RunId>();
  for (const [run, answer] of answers) if (isSuch(answer)) runs.add(run);
  return runs;
}

export function isPresent({ value }: Answer): boolean {
  return value === "present";
}

/** Equal for questions that divide the same runs in the same way, whatever the answers are called. */
export function partitionOf({ answers }: Question, among: Iterable<RunId> = answers.keys()): string {
  const names = new Map<string, number>();
  const places = [...among].sort(compareText).map((run) => {
    const value = answers.get(run)?.value;
    if (value === undefined) return `${run}:-`;
    if (!names.has(value)) names.set(value, names.size);
    return `${run}:${names.get(value)}`;
  });
  return places.join();
}
