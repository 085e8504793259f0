import type { RunId } from "../../model/ids.js";
import type { Question } from "../ask/questions.js";

/**
 * How the answers to one question go with those to a wider one that every run answered which answered the first: `same`
 * where they divide those runs alike, `follows` where the wider answer decides the narrower but not the other way round.
 */
export type Relation = "same" | "follows" | undefined;

interface Codes {
  /** Below zero where a run did not answer. */
  byPlace: Int16Array;
  count: number;
}

/** Answers as small numbers by run, so that many pairs of questions can be held against each other. */
export class Relations {
  readonly #places = new Map<RunId, number>();
  readonly #codes = new Map<Question, Codes>();
  readonly #down: Int16Array;
  readonly #up: Int16Array;

  constructor(questions: readonly Question[]) {
    for (const { answers } of questions) {
      for (const run of answers.keys()) {
        if (!this.#places.has(run)) this.#places.set(run, this.#places.size);
      }
    }
    this.#down = new Int16Array(this.#places.size);
    this.#up = new Int16Array(this.#places.size);
  }

  #code(question: Question): Codes {
    const known = this.#codes.get(question);
    if (known) return known;
    const byPlace = new Int16Array(this.#places.size).fill(-1);
    const values = new Map<string, number>();
    for (const [run, { value }] of question.answers) {
      if (!values.has(value)) values.set(value, values.size);
      byPlace[this.#places.get(run) ?? 0] = values.get(value) ?? -1;
    }
    const codes = { byPlace, count: values.size };
    this.#codes.set(question, codes);
    return codes;
  }

  between(wide: Question, narrow: Question): Relation {
    if (narrow.answers.size > wide.answers.size) return undefined;
    const { byPlace: outer, count: above } = this.#code(wide);
    const { byPlace: inner, count: below } = this.#code(narrow);
    const [down, up] = [this.#down, this.#up];
    // Questions have two or three answers, however many runs there are.
    for (let code = 0; code < above; code++) down[code] = -1;
    for (let code = 0; code < below; code++) up[code] = -1;
    let same = true;
    for (let at = 0; at < inner.length; at++) {
      const [own, other] = [inner[at] ?? -1, outer[at] ?? -1];
      if (own < 0) continue;
      if (other < 0) return undefined;
      const known = down[other] ?? -1;
      if (known >= 0 && known !== own) return undefined;
      const back = up[own] ?? -1;
      if (back >= 0 && back !== other) same = false;
      down[other] = own;
      up[own] = other;
    }
    return same ? "same" : "follows";
  }
}
