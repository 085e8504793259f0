import {
  absentSlot,
  type Carrier,
  type Convention,
  type Dimension,
  type Fact,
  type FactRisk,
  type Indexing,
  type Ladder,
  type RunFacts,
  rootSlots,
  type Weight,
} from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { collect, type Draft } from "./drafts.js";
import type { Standing } from "./standing.js";

export interface Answer {
  value: string;
  label: string;
  /** True where the choice is not to have something. */
  lack: boolean;
  risk: FactRisk | null;
  evidence: Fact["evidence"];
  /** The habit the choice may follow. */
  convention?: Convention | undefined;
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
  /** True where it is no news as long as all answer alike. */
  quiet?: boolean;
  /** Told as a risk and never as a choice. */
  riskOnly?: boolean;
  ladder?: Ladder;
  carrier?: Carrier;
  indexing?: Indexing;
  /** The questions it was made of, which are told as its details. */
  parts: Question[];
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
    const below = question.aspect === "presence" ? "present" : this.#state(question.slot);
    if (below === "absent" || question.parents.some((slot) => this.#state(slot) === "absent")) return "not applicable";
    if (below === "missing" || unfinished || question.parents.some((slot) => this.#state(slot) === "missing")) {
      return "missing";
    }
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
