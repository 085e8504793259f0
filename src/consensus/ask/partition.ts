import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";
import type { Question } from "./questions.js";

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
  const known = groups.get(question) ?? count(question);
  groups.set(question, known);
  return [...known];
}

/** Asked for again and again; a question does not change once all have answered it. */
const groups = new WeakMap<Question, readonly Group[]>();

function count({ answers }: Question): Group[] {
  const byValue = groupBy(answers, ([, { value }]) => value);
  const counted = [...byValue].map(([value, members]): Group => {
    const runs = members.map(([run]) => run);
    const given = members.map(([, answer]) => answer);
    const label = mostCommon(given.map((answer) => answer.label)) ?? value;
    const risk = mostCommon(given.flatMap((answer) => answer.risk?.text ?? [])) ?? null;
    return { value, label, risk, lack: given.every(({ lack }) => lack), runs: runs.sort(compareText) };
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
