import { absentSlot, rootSlots } from "../../model/fact.js";
import { compareText } from "../../model/text.js";
import type { Question } from "../ask/questions.js";
import { Links } from "./links.js";
import { Relations } from "./relation.js";

/** One choice: the question that tells it best, and those that follow the same runs for the same reason. */
export interface Choice {
  head: Question;
  members: Question[];
  /** Questions with fewer answers that follow from the head's. */
  folded: Question[];
}

const roots = new Set<string>(Object.values(rootSlots));

/** The slots above a slot, nearest first; roots, and what must not be there, left out. */
export class Ancestry {
  readonly #parents = new Map<string, readonly string[]>();

  constructor(questions: readonly Question[]) {
    for (const { aspect, slot, parents } of questions) {
      if (aspect === "presence") this.#parents.set(slot, parents);
    }
  }

  of({ slot, parents }: Pick<Question, "slot" | "parents">): string[] {
    const found = new Set<string>();
    const queue = [...parents, ...(this.#parents.get(slot) ?? [])];
    for (const each of queue) {
      if (roots.has(each) || each === slot || found.has(each) || absentSlot(each) !== undefined) continue;
      found.add(each);
      queue.push(...(this.#parents.get(each) ?? []));
    }
    return [...found];
  }
}

/**
 * Merges questions that divide the runs alike AND are linked. Star-shaped around the widest question, without chains.
 * Dividing alike is never enough: at ten runs, forty unrelated facts hold about five pairs that coincide. What is left
 * then folds: a question whose answers follow from a linked one with more answers is a detail of that one.
 */
export function mergeChoices(questions: readonly Question[], ancestry: Ancestry): Choice[] {
  const links = new Links(questions, ancestry);
  const relations = new Relations(questions);
  return fold(stars(questions, links, relations), links, relations);
}

function stars(questions: readonly Question[], links: Links, relations: Relations): Choice[] {
  const partners = new Map(
    questions.map((head) => [head, [...links.of(head)].filter((member) => relations.between(head, member) === "same")]),
  );
  const count = (question: Question) => partners.get(question)?.length ?? 0;
  const order = [...questions].sort(
    (a, b) =>
      b.answers.size - a.answers.size ||
      count(b) - count(a) ||
      b.weight - a.weight ||
      b.parts.length - a.parts.length ||
      a.links.length - b.links.length ||
      compareText(a.key, b.key),
  );
  const taken = new Set<Question>();
  return order.flatMap((head) => {
    if (taken.has(head)) return [];
    const members = (partners.get(head) ?? []).filter((member) => !taken.has(member)).sort(compareKeys);
    for (const each of [head, ...members]) taken.add(each);
    return [{ head, members, folded: [] }];
  });
}

/** Into choices that fold into nothing themselves, so that neither order nor chains decide what is told where. */
function fold(choices: readonly Choice[], links: Links, relations: Relations): Choice[] {
  const byHead = new Map(choices.map((choice) => [choice.head, choice]));
  const wider = new Map(
    choices.map(({ head }) => [
      head,
      [...links.of(head)].filter((other) => byHead.has(other) && relations.between(other, head) === "follows"),
    ]),
  );
  const stays = (head: Question) => wider.get(head)?.length === 0;
  const folded = new Map<Question, Question[]>();
  const kept = choices.filter(({ head, members }) => {
    const [into] = (wider.get(head) ?? []).filter(stays).sort((a, b) => b.weight - a.weight || compareKeys(a, b));
    if (into) folded.set(into, [...(folded.get(into) ?? []), head, ...members]);
    return into === undefined;
  });
  return kept.map((choice) => ({ ...choice, folded: (folded.get(choice.head) ?? []).sort(compareKeys) }));
}

function compareKeys(a: Question, b: Question): number {
  return compareText(a.key, b.key);
}
