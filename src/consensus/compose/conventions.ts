import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";
import { sizesOf } from "../ask/partition.js";
import type { Answer, Question } from "../ask/questions.js";
import { composed, withNames } from "./composed.js";

type Convention = NonNullable<Answer["convention"]>;

interface Spoken {
  question: Question;
  run: RunId;
  convention: Convention;
}

/**
 * What a run does alike wherever it can (type of keys, of strings, of times, row security) is one question about the run
 * instead of one about each object. An object keeps its own only where it leaves what its run does elsewhere.
 */
export function conventions(questions: readonly Question[]): Question[] {
  const spoken: Spoken[] = [];
  for (const question of questions) {
    for (const [run, { convention }] of question.answers) if (convention) spoken.push({ question, run, convention });
  }
  const told = new Map<Question, Question[]>();
  const made: Question[] = [];
  for (const [, each] of groupBy(spoken, ({ convention }) => convention.of)) {
    const own = groupBy(each, ({ question }) => question);
    const objects = [...own.keys()];
    if (objects.length < 2) continue;
    const habits = habitsOf(each, own);
    const divided = valuesOf([...habits.values()]).size > 1;
    if (divided && (!isShown(own) || isOneChoice(objects))) continue;
    // One habit that runs leave somewhere is no agreement: what they do there is told of the object.
    const kept = divided || valuesOf(each.map(({ convention }) => convention)).size === 1;
    if (kept) made.push(habitQuestion(objects, each, habits));
    for (const [object, said] of own) told.set(object, remainder(object, said, habits));
  }
  return [...questions.flatMap((question) => told.get(question) ?? [question]), ...made];
}

function valuesOf(conventions: readonly Convention[]): Set<string> {
  return new Set(conventions.map(({ value }) => value));
}

/** What was said of each object. */
type ByObject = ReadonlyMap<Question, readonly Spoken[]>;

/** Runs differ in one object alone, and some hold there what is no matter of the habit: all of it is one question. */
function isOneChoice(objects: readonly Question[]): boolean {
  const [one, ...more] = objects.filter((object) => sizesOf(object).length > 1);
  return one !== undefined && more.length === 0 && [...one.answers.values()].some(({ convention }) => !convention);
}

/** Habits that differ show in some object: where none does, runs only have other objects. */
function isShown(objects: ByObject): boolean {
  return [...objects.values()].some((each) => valuesOf(each.map(({ convention }) => convention)).size > 1);
}

/**
 * What each run mostly does. Objects that fewer than half of the runs have do not speak where others do, and ties go to
 * what is most common over all runs: a table of one run's own does not turn its habit.
 */
function habitsOf(spoken: readonly Spoken[], holders: ByObject): Map<RunId, Convention> {
  const runs = groupBy(spoken, ({ run }) => run);
  const often = countsOf(spoken);
  return new Map(
    [...runs].map(([run, all]) => {
      const common = all.filter(({ question }) => 2 * (holders.get(question)?.length ?? 0) >= runs.size);
      const speaking = common.length > 0 ? common : all;
      const counts = countsOf(speaking);
      const [first] = [...speaking].sort(
        ({ convention: a }, { convention: b }) =>
          (counts.get(b.value) ?? 0) - (counts.get(a.value) ?? 0) ||
          (often.get(b.value) ?? 0) - (often.get(a.value) ?? 0) ||
          compareText(a.value, b.value),
      );
      return [run, (first ?? (all[0] as Spoken)).convention];
    }),
  );
}

function countsOf(spoken: readonly Spoken[]): Map<string, number> {
  const groups = groupBy(spoken, ({ convention }) => convention.value);
  return new Map([...groups].map(([value, each]) => [value, each.length]));
}

function habitQuestion(objects: Question[], spoken: readonly Spoken[], habits: Map<RunId, Convention>): Question {
  const { of, title, topic } = spoken[0]?.convention ?? { of: "", title: "", topic: "" };
  const moving = objects.filter((object) => sizesOf(object).length > 1);
  const [one] = moving;
  const names = moving.map(({ subject }) => subject).sort(compareText);
  // Two objects at most are named: a choice that shows in more of them is one about all.
  const named =
    one && names.length <= 2
      ? withNames(
          one.title.replace(one.subject, () => "…"),
          names,
          "things",
        )
      : title;
  const aspect = mostCommon(objects.map((object) => object.aspect)) ?? "type";
  return composed({
    slot: `convention ${of}`,
    aspect,
    title: named,
    topic,
    subject: topic,
    ...(objects.every(({ quiet }) => quiet) ? { quiet: true } : {}),
    parts: objects,
    answer(run) {
      const habit = habits.get(run);
      if (habit === undefined) return undefined;
      const lack = objects.every(({ answers }) => {
        const given = answers.get(run);
        return given === undefined || given.convention?.value !== habit.value || given.lack;
      });
      return { value: habit.value, label: habit.label, lack };
    },
  });
}

/**
 * What is left to ask about one object: all of it where it leaves a habit, or where all runs have one habit and yet differ
 * within it; where some runs hold something of another kind, that kind; else nothing.
 */
function remainder(object: Question, spoken: readonly Spoken[], habits: Map<RunId, Convention>): Question[] {
  if (spoken.some(({ run, convention }) => habits.get(run)?.value !== convention.value)) return [object];
  if (spoken.length === object.answers.size) {
    const shared = valuesOf([...habits.values()]).size === 1;
    return shared && sizesOf(object).length > 1 ? [object] : [];
  }
  const coarse = [...object.answers].map(([run, answer]): [RunId, Answer] => {
    const family = answer.convention?.family;
    return [run, family === undefined ? answer : { ...answer, value: family, label: family }];
  });
  return [{ ...object, answers: new Map(coarse) }];
}
