import { rootSlots } from "../../model/fact.js";
import type { Question } from "../ask/questions.js";
import type { Ancestry } from "./merge.js";

const roots = new Set<string>(Object.values(rootSlots));

/** The slots a question is about: its own, and those of the questions it was made of. */
export function slotsOf({ slot, parts }: Question): string[] {
  return [slot, ...parts.flatMap(slotsOf)];
}

/** The slots of which it tells whether they are there. */
export function presencesOf(question: Question): string[] {
  const own = question.aspect === "presence" ? [question.slot] : [];
  return [...own, ...question.parts.flatMap(presencesOf)];
}

export function isTheme(link: string): boolean {
  return link.startsWith("theme ");
}

/**
 * Which questions are tied by structure: the same column, an object and what hangs below it, a foreign key and the table
 * it leads to, a table's rows and those that point at them; of one theme (nullability, foreign keys, row security); or
 * about a column of one name in several tables. Found by what they have in common, never by comparing all pairs.
 */
export class Links {
  readonly #neighbours = new Map<Question, Set<Question>>();

  constructor(questions: readonly Question[], ancestry: Ancestry) {
    const about = index(questions, slotsOf);
    const presences = index(questions, presencesOf);
    const alike = index(questions, sharedBy);
    for (const question of questions) {
      // What is shared is found from both sides.
      for (const slot of slotsOf(question)) this.#add(question, about.get(slot));
      for (const mark of sharedBy(question)) this.#add(question, alike.get(mark));
      for (const link of question.links) this.#join(question, about.get(link));
      for (const slot of ancestry.of(question)) this.#join(question, presences.get(slot));
    }
  }

  #add(question: Question, others: readonly Question[] | undefined): void {
    const own = this.#of(question);
    for (const other of others ?? []) if (other !== question) own.add(other);
  }

  #join(question: Question, others: readonly Question[] | undefined): void {
    for (const other of others ?? []) {
      if (other === question) continue;
      this.#of(question).add(other);
      this.#of(other).add(question);
    }
  }

  #of(question: Question): Set<Question> {
    const known = this.#neighbours.get(question) ?? new Set();
    this.#neighbours.set(question, known);
    return known;
  }

  of(question: Question): ReadonlySet<Question> {
    return this.#of(question);
  }
}

/** Themes, and the names of columns that are there or not. */
function sharedBy({ aspect, links, carrier }: Question): string[] {
  const column = aspect === "presence" && carrier && carrier.form !== "table" ? [`column ${carrier.name}`] : [];
  return [...links.filter(isTheme), ...column];
}

function index(questions: readonly Question[], keysOf: (question: Question) => string[]): Map<string, Question[]> {
  const found = new Map<string, Question[]>();
  for (const question of questions) {
    for (const key of keysOf(question)) {
      if (roots.has(key)) continue;
      const known = found.get(key);
      if (known) known.push(question);
      else found.set(key, [question]);
    }
  }
  return found;
}
