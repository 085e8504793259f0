import type { Dimension, Fact, RunArtifacts } from "../model/fact.js";
import { title } from "./words.js";

/** What a fact is about. */
export type Place = Pick<Fact, "slot" | "subject"> & Partial<Pick<Fact, "parents">>;
type Needed = Pick<Fact, "aspect" | "value" | "label" | "title" | "topic" | "weight">;
type Optional = Partial<
  Pick<
    Fact,
    "absentLabel" | "lack" | "object" | "risk" | "links" | "quiet" | "convention" | "ladder" | "carrier" | "indexing"
  >
>;
type Circumstances = Pick<Fact, "title" | "weight"> & Optional;

type Said = Pick<Needed, "aspect" | "value" | "label" | "topic"> & {
  object?: boolean | undefined;
  absentLabel?: string | undefined;
};

/** Shared, and never written to. */
const none: string[] = [];

/** Collects the facts of one run in one dimension, all read from one file. */
export class Statements {
  readonly facts: Fact[] = [];
  readonly #head: Pick<Fact, "run" | "dimension" | "evidence">;

  constructor(run: RunArtifacts, dimension: Dimension, file: string) {
    this.#head = { run: run.id, dimension, evidence: [{ file: `runs/${run.id}/${file}`, line: null }] };
  }

  add(fact: Place & Needed & Optional): void {
    this.#state(fact, fact, fact);
  }

  /** The same of what is said about one place in several facts. */
  of(place: Place, fact: Needed & Optional): void {
    this.#state(place, fact, fact);
  }

  /** States that something is there; runs that do not state it are given `absentLabel`. */
  present(fact: Place & Omit<Needed, "aspect" | "value"> & Optional & { absentLabel: string }): void {
    const { topic, label, absentLabel, object } = fact;
    this.#state(fact, fact, { aspect: "presence", value: "present", topic, label, absentLabel, object });
  }

  /** States that a named object is there, for lists as for titles. */
  object(fact: Place & Circumstances & Partial<Pick<Fact, "topic" | "label">>): void {
    const { topic = fact.subject, label = "yes", absentLabel = "no" } = fact;
    this.#state(fact, fact, { aspect: "presence", value: "present", topic, label, absentLabel, object: true });
  }

  /** Written out, one shape for all and nothing copied on the way: a run may state thousands. */
  #state(place: Place, about: Circumstances, said: Said): void {
    const { run, dimension, evidence } = this.#head;
    const { slot, subject, parents = none } = place;
    const { weight, lack = false, risk = null, links = none } = about;
    const { aspect, value, label, topic, object = false, absentLabel } = said;
    this.facts.push({
      run,
      dimension,
      slot,
      parents,
      aspect,
      value,
      label,
      lack,
      title: title(about.title),
      topic,
      subject,
      object,
      weight,
      risk,
      links,
      evidence,
      absentLabel,
      quiet: about.quiet || undefined,
      convention: about.convention,
      ladder: about.ladder,
      carrier: about.carrier,
      indexing: about.indexing,
    });
  }
}
