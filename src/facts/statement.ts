import type { Dimension, Fact, RunArtifacts } from "../model/fact.js";
import { title } from "./words.js";

type Needed = Pick<Fact, "slot" | "aspect" | "value" | "label" | "title" | "topic" | "subject" | "weight">;
type Optional = Partial<
  Pick<Fact, "parents" | "absentLabel" | "lack" | "object" | "risk" | "links" | "convention" | "ladder" | "carrier">
>;

/** Collects the facts of one run in one dimension, all read from one file. */
export class Statements {
  readonly facts: Fact[] = [];
  readonly #head: Pick<Fact, "run" | "dimension" | "evidence">;

  constructor(run: RunArtifacts, dimension: Dimension, file: string) {
    this.#head = { run: run.id, dimension, evidence: [{ file: `runs/${run.id}/${file}`, line: null }] };
  }

  /** Written out, one shape for all: a run may state thousands. */
  add(fact: Needed & Optional): void {
    const { run, dimension, evidence } = this.#head;
    const { slot, aspect, value, label, topic, subject, weight, absentLabel, convention, ladder, carrier } = fact;
    const { parents = [], lack = false, object = false, risk = null, links = [] } = fact;
    const stated: Fact = {
      run,
      dimension,
      slot,
      parents,
      aspect,
      value,
      label,
      lack,
      title: title(fact.title),
      topic,
      subject,
      object,
      weight,
      risk,
      links,
      evidence,
    };
    if (absentLabel !== undefined) stated.absentLabel = absentLabel;
    if (convention) stated.convention = convention;
    if (ladder) stated.ladder = ladder;
    if (carrier) stated.carrier = carrier;
    this.facts.push(stated);
  }

  /** States that something is there; runs that do not state it are given `absentLabel`. */
  present(fact: Omit<Needed, "aspect" | "value"> & Optional & { absentLabel: string }): void {
    this.add({ ...fact, aspect: "presence", value: "present" });
  }

  /** States that a named object is there, for lists as for titles. */
  object(fact: Pick<Fact, "slot" | "title" | "subject" | "weight"> & Optional): void {
    this.present({ topic: fact.subject, label: "yes", absentLabel: "no", ...fact, object: true });
  }
}
