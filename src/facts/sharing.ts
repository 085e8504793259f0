import type { Carrier, Fact, Ladder } from "../model/fact.js";

/**
 * Holds once what many runs say alike. Hundreds of runs state the same facts in the same words, each of which was written
 * out anew: kept apart they fill the memory, and whoever compares them reads every letter.
 */
export class Sharing {
  readonly #known = new Map<string, Map<string, Fact>>();

  /** Puts the words of the first fact about the same thing into this one, wherever they are the same. Changes nothing else. */
  share(fact: Fact): Fact {
    const aspects = this.#known.get(fact.slot) ?? new Map<string, Fact>();
    if (aspects.size === 0) this.#known.set(fact.slot, aspects);
    const known = aspects.get(fact.aspect);
    if (known === undefined) {
      aspects.set(fact.aspect, fact);
      return fact;
    }
    fact.slot = known.slot;
    if (fact.value === known.value) fact.value = known.value;
    if (fact.label === known.label) fact.label = known.label;
    if (fact.title === known.title) fact.title = known.title;
    if (fact.topic === known.topic) fact.topic = known.topic;
    if (fact.subject === known.subject) fact.subject = known.subject;
    if (isSameList(fact.parents, known.parents)) fact.parents = known.parents;
    if (isSameList(fact.links, known.links)) fact.links = known.links;
    if (isSameLadder(fact.ladder, known.ladder)) fact.ladder = known.ladder;
    if (isSameCarrier(fact.carrier, known.carrier)) fact.carrier = known.carrier;
    return fact;
  }
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((each, at) => each === other[at]));
}

function isSameLadder(one: Ladder | undefined, other: Ladder | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isSaidAlike = one.title === other.title && one.wideTitle === other.wideTitle;
  return isSaidAlike && one.of === other.of && one.step === other.step;
}

function isSameCarrier(one: Carrier | undefined, other: Carrier | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isSaidAlike = one.said.name === other.said.name && one.said.table === other.said.table;
  const isNamedAlike = one.name === other.name && one.table === other.table && one.tableName === other.tableName;
  const isOfOneKind = one.form === other.form && one.generic === other.generic;
  return isSaidAlike && isNamedAlike && isOfOneKind && isSameList(one.targets, other.targets);
}
