import type { Carrier, Fact, Ladder } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";
import type { Answer, Participant, Question } from "./questions.js";

/** A question nobody has been asked yet, with what runs stated by themselves. */
export interface Draft extends Question {
  stated: Map<RunId, Answer>;
  absentLabel: string | undefined;
}

/** One draft per question; its words are those most runs use, so that their order does not matter. */
export function collect(participants: readonly Participant[]): Map<string, Draft> {
  return new Map(
    sameQuestion(participants).map((facts) => {
      const question = draft(facts);
      return [question.key, question];
    }),
  );
}

/** Slot and aspect, one after the other: to join them would make a text of every fact of every run. */
function sameQuestion(participants: readonly Participant[]): Fact[][] {
  const bySlot = new Map<string, Map<string, Fact[]>>();
  const groups: Fact[][] = [];
  for (const { facts } of participants) {
    for (const fact of facts?.facts ?? []) {
      const aspects = bySlot.get(fact.slot) ?? new Map<string, Fact[]>();
      if (aspects.size === 0) bySlot.set(fact.slot, aspects);
      const group = aspects.get(fact.aspect) ?? [];
      if (group.length === 0) {
        aspects.set(fact.aspect, group);
        groups.push(group);
      }
      group.push(fact);
    }
  }
  return groups;
}

function draft(all: readonly Fact[]): Draft {
  const [first] = all;
  if (first === undefined) throw new Error("a question without a fact");
  const facts = all.every((fact) => isAskedAlike(fact, first)) ? [first] : all;
  const words = (of: (fact: Fact) => string) => mostUsed(facts, of);
  let weight = first.weight;
  for (const fact of facts) if (fact.weight > weight) weight = fact.weight;
  return {
    key: `${first.slot}\0${first.aspect}`,
    slot: first.slot,
    aspect: first.aspect,
    dimension: first.dimension,
    title: words(({ title }) => title),
    topic: words(({ topic }) => topic),
    subject: words(({ subject }) => subject),
    object: first.object,
    weight,
    parents: [...usual(facts, ({ parents }) => parents)].sort(compareText),
    links: unionOf(facts, ({ links }) => links),
    ...(facts.every(({ quiet }) => quiet) ? { quiet: true } : {}),
    ...(facts.every(({ riskOnly }) => riskOnly) ? { riskOnly: true } : {}),
    ...ladderOf(facts),
    ...carrierOf(facts),
    ...indexingOf(facts),
    parts: [],
    closed: first.aspect === "presence",
    answers: new Map(),
    missing: [],
    notApplicable: [],
    stated: statedBy(all),
    absentLabel: mostUsed(facts, ({ absentLabel }) => absentLabel ?? "") || undefined,
  };
}

/**
 * True where two facts surely make the very same question, as nearly always all do: then nothing needs to be counted. Of
 * objects only the very same one is surely the same.
 */
function isAskedAlike(one: Fact, other: Fact): boolean {
  return (
    one.title === other.title &&
    one.topic === other.topic &&
    one.subject === other.subject &&
    one.weight === other.weight &&
    one.absentLabel === other.absentLabel &&
    one.quiet === other.quiet &&
    one.riskOnly === other.riskOnly &&
    isSame(one.parents, other.parents) &&
    isSame(one.links, other.links) &&
    one.ladder === other.ladder &&
    one.carrier === other.carrier &&
    one.indexing === other.indexing
  );
}

/** What most say. */
function mostUsed<T>(all: readonly T[], of: (each: T) => string): string {
  return mostCommon(all.map(of)) ?? "";
}

/** The most common of some lists in which order means nothing. */
function usual(facts: readonly Fact[], of: (fact: Fact) => readonly string[]): readonly string[] {
  const list = facts[0] ? of(facts[0]) : [];
  if (facts.every((fact) => isSame(of(fact), list))) return list;
  return JSON.parse(mostUsed(facts, (fact) => JSON.stringify([...of(fact)].sort(compareText))));
}

/** All that is in any of some lists, sorted. */
function unionOf<T>(all: readonly T[], of: (each: T) => readonly string[]): string[] {
  const list = all[0] ? of(all[0]) : [];
  const whole = all.every((each) => isSame(of(each), list)) ? list : all.flatMap(of);
  return [...new Set(whole)].sort(compareText);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((each, at) => each === b[at]));
}

/** A step of a ladder only where it is one in every run: what leads somewhere in one of them is more than a step. */
function ladderOf(facts: readonly Fact[]): Pick<Question, "ladder"> {
  if (facts.some(({ ladder }) => ladder === undefined)) return {};
  const words = (of: (ladder: Ladder) => string) => mostUsed(facts, ({ ladder }) => (ladder ? of(ladder) : ""));
  return {
    ladder: {
      of: words(({ of }) => of),
      title: words(({ title }) => title),
      wideTitle: words(({ wideTitle }) => wideTitle),
      step: words(({ step }) => step),
    },
  };
}

const forms = ["table", "reference", "list", "plain"] as const;

/** A reference where it is one in any run, and so on down; it leads to all that any run lets it lead to. */
function carrierOf(facts: readonly Fact[]): Pick<Question, "carrier"> {
  const all = facts.flatMap(({ carrier }) => carrier ?? []);
  const [first] = all;
  if (first === undefined) return {};
  const words = (of: (carrier: Carrier) => string) => mostUsed(all, of);
  return {
    carrier: {
      form: forms.find((form) => all.some((carrier) => carrier.form === form)) ?? first.form,
      name: words(({ name }) => name),
      table: words(({ table }) => table),
      tableName: words(({ tableName }) => tableName),
      said: { name: words(({ said }) => said.name), table: words(({ said }) => said.table) },
      targets: unionOf(all, ({ targets }) => targets),
      generic: all.every(({ generic }) => generic === first.generic) ? first.generic : null,
    },
  };
}

/** What it is for may hang on types, in which runs differ: what most of them make of it. */
function indexingOf(facts: readonly Fact[]): Pick<Question, "indexing"> {
  const told = mostUsed(facts, ({ indexing }) => JSON.stringify(indexing ?? null));
  const indexing = facts.find((fact) => JSON.stringify(fact.indexing ?? null) === told)?.indexing;
  return indexing ? { indexing } : {};
}

/** Characters after which further answers of one run are only "and more". */
const longestLabel = 120;

function statedBy(facts: readonly Fact[]): Map<RunId, Answer> {
  const byRun = new Map<RunId, Answer>();
  for (const fact of facts) byRun.set(fact.run, fact);
  return byRun.size === facts.length ? byRun : joined(facts);
}

/** A run that states two answers to one question (two foreign keys on one column) has chosen both of them. */
function joined(facts: readonly Fact[]): Map<RunId, Answer> {
  const byRun = new Map<RunId, Answer>();
  for (const fact of [...facts].sort((a, b) => compareText(a.value, b.value))) {
    const { value, label, lack, risk } = fact;
    const other = byRun.get(fact.run);
    if (other === undefined) byRun.set(fact.run, fact);
    else if (other.value !== value) {
      const wide = other.label.length > longestLabel || other.label.endsWith(" and more");
      const words = wide ? `${other.label.replace(/ and more$/, "")} and more` : `${other.label} and ${label}`;
      const both = { value: `${other.value}\0${value}`, label: words };
      byRun.set(fact.run, { ...both, lack: other.lack && lack, risk: other.risk ?? risk, evidence: other.evidence });
    }
  }
  return byRun;
}
