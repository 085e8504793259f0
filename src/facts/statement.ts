import type { Dimension, Fact, RunArtifacts } from "../model/fact.js";
import { title } from "./words.js";

type Needed = Pick<Fact, "slot" | "aspect" | "value" | "label" | "title" | "topic" | "subject" | "weight">;
type Optional = Partial<
  Pick<
    Fact,
    | "parents"
    | "absentLabel"
    | "lack"
    | "object"
    | "risk"
    | "links"
    | "quiet"
    | "convention"
    | "ladder"
    | "carrier"
    | "indexing"
  >
>;

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

  add(fact: Needed & Optional): void {
    this.#state(fact, fact);
  }

  /** States that something is there; runs that do not state it are given `absentLabel`. */
  present(fact: Omit<Needed, "aspect" | "value"> & Optional & { absentLabel: string }): void {
    const { topic, label, absentLabel, object } = fact;
    this.#state(fact, { aspect: "presence", value: "present", topic, label, absentLabel, object });
  }

  /** States that a named object is there, for lists as for titles. */
  object(
    fact: Pick<Fact, "slot" | "title" | "subject" | "weight"> & Optional & Partial<Pick<Fact, "topic" | "label">>,
  ): void {
    const { topic = fact.subject, label = "yes", absentLabel = "no" } = fact;
    this.#state(fact, { aspect: "presence", value: "present", topic, label, absentLabel, object: true });
  }

  /** Written out, one shape for all and nothing copied on the way: a run may state thousands. */
  #state(about: Pick<Fact, "slot" | "title" | "subject" | "weight"> & Optional, said: Said): void {
    const { run, dimension, evidence } = this.#head;
    const { slot, subject, weight, parents = none, lack = false, risk = null, links = none } = about;
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
