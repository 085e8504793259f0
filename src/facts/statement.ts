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

  add(fact: Needed & Optional): void {
    const defaults = { parents: [], lack: false, object: false, risk: null, links: [] };
    this.facts.push({ ...this.#head, ...defaults, ...fact, title: title(fact.title) });
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
