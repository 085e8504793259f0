import { groupsOf, sizesOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { presencesOf } from "../compose/links.js";
import { type Ancestry, type Choice, mergeChoices } from "../compose/merge.js";
import { classify } from "./classes.js";

/** Where each question belongs. */
export interface Places {
  /** Differences a reader must look at, merged to choices, each with the facts that hold wherever it applies. */
  choices: (Choice & { details: Question[] })[];
  /** All but single runs agree: told as those runs' own. */
  odd: Question[];
  /** Nobody differs, and nearly every run that could be asked was asked. */
  agreed: Question[];
}

/** How many runs take part, and how many of them are not missing altogether. */
export interface Field {
  of: number;
  counted: number;
}

/** Answers from which on a question can be a choice of its own: of two that differ nobody can say which is usual. */
const fewest = 3;

/**
 * Sorts questions by how their answers are spread. What all runs that have it share below something few runs have is no
 * decision of its own: it is a detail of the choice above it, and left out where that choice is a single run's. So is what
 * two of many runs differ in because they alone have the thing.
 */
export function place(questions: readonly Question[], field: Field, ancestry: Ancestry): Places {
  const odd = questions.filter(isOdd);
  const constant = questions.filter((question) => sizesOf(question).length === 1);
  const agreed = constant.filter((question) => isWidespread(question, field));
  const open = questions.filter((question) => sizesOf(question).length > 1 && !isOdd(question));
  const narrow = constant.filter((question) => !isWidespread(question, field) && !isIdle(question));
  const merged = mergeChoices(open, ancestry).map((choice) => ({ ...choice, details: detailsOf(choice) }));
  const isSmall = ({ head }: Choice) => head.answers.size < fewest && field.counted >= fewest;
  const large = merged.filter((choice) => !isSmall(choice));
  const homes = homesOf(large);
  const homeOf = (question: Question) =>
    large[Math.min(...[question.slot, ...ancestry.of(question)].flatMap((slot) => homes.get(slot) ?? []))];
  const choices = merged.filter((choice) => {
    const home = isSmall(choice) ? homeOf(choice.head) : undefined;
    home?.details.push(choice.head, ...choice.members, ...choice.details);
    return home === undefined;
  });
  for (const question of narrow) homeOf(question)?.details.push(question);
  return { choices, odd, agreed };
}

/** What nobody did about a thing that few have is no detail of it, unless it leaves the thing open to others. */
function isIdle(question: Question): boolean {
  return (question.weight < 3 || question.dimension === "data") && (groupsOf(question)[0]?.lack ?? false);
}

/** By slot, the place of the first choice that tells whether it is there. */
function homesOf(choices: readonly Choice[]): Map<string, number> {
  const homes = new Map<string, number>();
  for (const [at, { head, members, folded }] of choices.entries()) {
    for (const slot of [head, ...members, ...folded].flatMap(presencesOf)) {
      if (!homes.has(slot)) homes.set(slot, at);
    }
  }
  return homes;
}

/** What the choice was made of and what follows from it, in so far as it differs between runs. */
function detailsOf({ head, members, folded }: Choice): Question[] {
  return [head, ...members, ...folded]
    .flatMap((question) => [...(question === head || members.includes(question) ? [] : [question]), ...question.parts])
    .filter((question) => sizesOf(question).length > 1);
}

/** Strong, and every other answer is one run's alone. */
function isOdd(question: Question): boolean {
  const [, ...minorities] = sizesOf(question);
  return minorities.length > 0 && classify(sizesOf(question)) === "strong" && minorities.every((size) => size === 1);
}

/** Four fifths of the runs that are not missing, and never fewer than three where three are counted. */
function isWidespread({ answers, missing }: Question, { of, counted }: Field): boolean {
  return answers.size >= Math.min(3, counted) && 5 * answers.size >= 4 * (of - missing.length);
}
