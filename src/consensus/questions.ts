import {
  absentSlot,
  type Dimension,
  type Fact,
  type FactRisk,
  type RunFacts,
  rootSlots,
  type Weight,
} from "../model/fact.js";
import { groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import { compareText, mostCommon } from "../model/text.js";
import type { Standing } from "./standing.js";

export interface Answer {
  value: string;
  label: string;
  /** True where the choice is not to have something. */
  lack: boolean;
  risk: FactRisk | null;
  evidence: Fact["evidence"];
}

/** All runs' facts about one aspect of one slot. */
export interface Question {
  /** Slot and aspect; unique. */
  key: string;
  slot: string;
  aspect: string;
  dimension: Dimension;
  title: string;
  topic: string;
  subject: string;
  object: boolean;
  weight: Weight;
  parents: string[];
  links: string[];
  /** True where there is no third answer: it is there or it is not. */
  closed: boolean;
  answers: Map<RunId, Answer>;
  /** Runs that might have answered, had they been readable or come to their end. */
  missing: RunId[];
  /** Runs to which the question cannot be put, because what it is about is not there. */
  notApplicable: RunId[];
}

/** A run that takes part: `facts` null where nothing of it could be read. */
export interface Participant {
  id: RunId;
  standing: Exclude<Standing, "excluded">;
  facts: RunFacts | null;
}

export type Reply = Answer | "missing" | "not applicable";

/**
 * Turns stated facts into questions that every run has answered, could not answer, or was not asked: absence is concluded
 * where a run was read and had ended, and a question below something that is not there is not applicable, never "no".
 */
export function askAll(participants: readonly Participant[]): Question[] {
  const questions = collect(participants);
  const presence = presenceIn(questions);
  for (const participant of participants) {
    const replies = new Replies(participant, presence);
    for (const question of questions.values()) {
      const reply = replies.to(question);
      if (reply === "missing") question.missing.push(participant.id);
      else if (reply === "not applicable") question.notApplicable.push(participant.id);
      else question.answers.set(participant.id, reply);
    }
  }
  return [...questions.values()].sort((a, b) => compareText(a.key, b.key));
}

/** What somebody who is not counted answers to the questions that the counted runs raise, by the questions' keys. */
export function askOther(other: Participant, participants: readonly Participant[]): Map<string, Reply> {
  const questions = collect(participants);
  for (const [key, { stated }] of collect([other])) {
    const own = stated.get(other.id);
    if (own !== undefined) questions.get(key)?.stated.set(other.id, own);
  }
  const replies = new Replies(other, presenceIn(questions));
  return new Map([...questions].map(([key, question]) => [key, replies.to(question)]));
}

function presenceIn(questions: ReadonlyMap<string, Draft>): Map<string, Draft> {
  const found = [...questions.values()].filter(({ aspect }) => aspect === "presence");
  return new Map(found.map((question) => [question.slot, question]));
}

interface Draft extends Question {
  stated: Map<RunId, Answer>;
  absentLabel: string | undefined;
}

/** One draft per question; its words are those most runs use, so that their order does not matter. */
function collect(participants: readonly Participant[]): Map<string, Draft> {
  const all = participants.flatMap(({ facts }) => facts?.facts ?? []);
  const groups = groupBy(all, (fact) => `${fact.slot}\0${fact.aspect}`);
  return new Map([...groups].map(([key, facts]) => [key, draft(key, facts)]));
}

function draft(key: string, facts: readonly Fact[]): Draft {
  const words = (of: (fact: Fact) => string) => mostCommon(facts.map(of)) ?? "";
  const lists = (of: (fact: Fact) => string[]): string[] =>
    JSON.parse(words((fact) => JSON.stringify([...of(fact)].sort())));
  const absent = facts.flatMap(({ absentLabel }) => absentLabel ?? []);
  const [first] = [...facts].sort((a, b) => b.weight - a.weight);
  if (first === undefined) throw new Error("a question without a fact");
  return {
    key,
    slot: first.slot,
    aspect: first.aspect,
    dimension: first.dimension,
    title: words(({ title }) => title),
    topic: words(({ topic }) => topic),
    subject: words(({ subject }) => subject),
    object: first.object,
    weight: first.weight,
    parents: lists(({ parents }) => parents),
    links: [...new Set(facts.flatMap(({ links }) => links))].sort(),
    closed: first.aspect === "presence",
    answers: new Map(),
    missing: [],
    notApplicable: [],
    stated: statedBy(facts),
    absentLabel: mostCommon(absent),
  };
}

/** Characters after which further answers of one run are only "and more". */
const longestLabel = 120;

/** A run that states two answers to one question (two foreign keys on one column) has chosen both of them. */
function statedBy(facts: readonly Fact[]): Map<RunId, Answer> {
  const byRun = new Map<RunId, Answer>();
  for (const fact of [...facts].sort((a, b) => compareText(a.value, b.value))) {
    const { value, label, lack, risk, evidence } = fact;
    const other = byRun.get(fact.run);
    if (other === undefined) byRun.set(fact.run, { value, label, lack, risk, evidence });
    else if (other.value !== value) {
      const wide = other.label.length > longestLabel || other.label.endsWith(" and more");
      const words = wide ? `${other.label.replace(/ and more$/, "")} and more` : `${other.label} and ${label}`;
      const both = { value: `${other.value}\0${value}`, label: words };
      byRun.set(fact.run, { ...both, lack: other.lack && lack, risk: other.risk ?? risk, evidence: other.evidence });
    }
  }
  return byRun;
}

const opposite = { present: "absent", absent: "present", missing: "missing" } as const;

/** One run's replies; what holds of a slot is worked out once. */
class Replies {
  readonly #participant: Participant;
  readonly #presence: ReadonlyMap<string, Draft>;
  readonly #unknown: ReadonlySet<string>;
  readonly #states = new Map<string, "present" | "absent" | "missing">();

  constructor(participant: Participant, presence: ReadonlyMap<string, Draft>) {
    this.#participant = participant;
    this.#presence = presence;
    this.#unknown = new Set(participant.facts?.unknown);
  }

  to(question: Draft): Reply {
    const { id, standing, facts } = this.#participant;
    if (facts === null || standing === "missing") return "missing";
    const unread =
      facts.dimensions[question.dimension] !== "complete" ||
      this.#unknown.has(question.slot) ||
      (question.slot === rootSlots.run && !facts.readable);
    const unfinished = standing === "partial" || unread;
    // What a run that changed nothing still shows (its checks) is base's, and none of its choices.
    if (question.slot !== rootSlots.run && this.#state(rootSlots.run) === "absent") return "not applicable";
    const fact = question.stated.get(id);
    if (fact !== undefined) {
      if (fact.lack && unfinished) return "missing";
      return fact;
    }
    const needed = question.aspect === "presence" ? question.parents : [question.slot, ...question.parents];
    const states = needed.map((slot) => this.#state(slot));
    if (states.includes("absent")) return "not applicable";
    if (states.includes("missing") || unfinished) return "missing";
    if (question.absentLabel === undefined) return "not applicable";
    return { value: "absent", label: question.absentLabel, lack: true, risk: null, evidence: [] };
  }

  /** Slots nobody asks about (tables of base) are there; a root nobody states is not: then no run changed anything. */
  #state(slot: string): "present" | "absent" | "missing" {
    const known = this.#states.get(slot);
    if (known !== undefined) return known;
    this.#states.set(slot, "present");
    const unwanted = absentSlot(slot);
    if (unwanted !== undefined) {
      const state = this.#presence.has(unwanted) ? opposite[this.#state(unwanted)] : "present";
      this.#states.set(slot, state);
      return state;
    }
    const question = this.#presence.get(slot);
    if (question === undefined && slot === rootSlots.run) {
      this.#states.set(slot, "absent");
      return "absent";
    }
    const reply = question ? this.to(question) : undefined;
    const state = reply === "missing" ? "missing" : reply === "not applicable" ? "absent" : undefined;
    const settled = state ?? (typeof reply === "object" && reply.value === "absent" ? "absent" : "present");
    this.#states.set(slot, settled);
    return settled;
  }
}
