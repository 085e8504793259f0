import { absentSlot, rootSlots } from "../model/fact.js";
import { compareText } from "../model/text.js";
import { partitionOf } from "./partition.js";
import type { Question } from "./questions.js";

/** One choice: the question that tells it best, and those that follow the same runs for the same reason. */
export interface Choice {
  head: Question;
  members: Question[];
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
 * Merges questions that divide the runs alike AND are tied by structure: the same column, an object and what hangs below
 * it, a foreign key and the table it leads to, a table's rows and those that point at them, one theme (row security, type
 * of keys) on several tables. Star-shaped around the widest question, without chains. Dividing alike is never enough: at
 * ten runs, forty unrelated facts hold about five pairs that coincide.
 *
 * Not here yet: exclusive cover, ladders, and folding what is a coarser function of a choice.
 */
export function mergeChoices(questions: readonly Question[], ancestry: Ancestry): Choice[] {
  const above = new Map(questions.map((question) => [question, new Set(ancestry.of(question))]));
  const partners = new Map(
    questions.map((head) => [
      head,
      questions.filter((member) => member !== head && isLinked(head, member, above) && followsAlike(head, member)),
    ]),
  );
  const count = (question: Question) => partners.get(question)?.length ?? 0;
  const order = [...questions].sort(
    (a, b) =>
      b.answers.size - a.answers.size ||
      count(b) - count(a) ||
      b.weight - a.weight ||
      a.links.length - b.links.length ||
      compareText(a.key, b.key),
  );
  const taken = new Set<Question>();
  return order.flatMap((head) => {
    if (taken.has(head)) return [];
    const members = (partners.get(head) ?? []).filter((member) => !taken.has(member));
    for (const each of [head, ...members]) taken.add(each);
    return [{ head, members }];
  });
}

/** Every run that answered the member answered the head, and the two divide those runs alike. */
function followsAlike(head: Question, member: Question): boolean {
  const shared = [...member.answers.keys()];
  if (shared.some((run) => !head.answers.has(run))) return false;
  return partitionOf(head, shared) === partitionOf(member, shared);
}

function isLinked(a: Question, b: Question, above: ReadonlyMap<Question, ReadonlySet<string>>): boolean {
  if (a.slot === b.slot || a.links.includes(b.slot) || b.links.includes(a.slot)) return true;
  if (a.aspect === "presence" && above.get(b)?.has(a.slot)) return true;
  if (b.aspect === "presence" && above.get(a)?.has(b.slot)) return true;
  return a.aspect === b.aspect && a.links.some((link) => link.startsWith("theme ") && b.links.includes(link));
}
