import { groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { Decision } from "../model/report.js";
import type { Renaming, Shape } from "../model/shape.js";
import { compareText, mostCommon } from "../model/text.js";
import { align } from "./align.js";
import { askOther, type Participant, type Question, type Reply } from "./questions.js";

/**
 * The renaming that holds among the counted runs, and beside it the names that only references use, as an alignment of all
 * runs together understands them. Nothing a reference is called changes what counted runs are called.
 */
export function alignReferences(renaming: Renaming, counted: readonly Shape[], references: readonly Shape[]): Renaming {
  if (references.length === 0) return renaming;
  const known = new Set(counted.flatMap(({ names }) => [...names.keys()]));
  const together = align([...counted, ...references]).renaming;
  const slots = groupBy([...known], (id) => together.get(id) ?? id);
  const extended = new Map(renaming);
  for (const { names } of references) {
    const taken = new Set([...names.keys()].map((id) => renaming.get(id) ?? id));
    for (const id of [...names.keys()].filter((each) => !known.has(each)).sort(compareText)) {
      const alike = slots.get(together.get(id) ?? id)?.map((other) => renaming.get(other) ?? other);
      const name = mostCommon(alike ?? []);
      // Two things of one run never become one.
      if (name === undefined || taken.has(name)) continue;
      extended.set(id, name);
      taken.add(name);
    }
  }
  return extended;
}

/** A run that is not counted, and the name it is told by. */
export interface Reference {
  name: string;
  participant: Participant;
}

interface Counted {
  participants: readonly Participant[];
  questions: readonly Question[];
}

/** Each decision with what the references answered to it; without references they are returned as they are. */
export function tellReferences(
  decisions: readonly Decision[],
  references: readonly Reference[],
  counted: Counted,
): Decision[] {
  if (references.length === 0) return [...decisions];
  const questions = new Map(counted.questions.map((question) => [question.key, question]));
  const asked = references.map(({ name, participant }) => ({
    name,
    replies: askOther(participant, counted.participants),
  }));
  return decisions.map((decision) => {
    const raised = decision.facts.flatMap(({ slot, aspect }) => questions.get(`${slot}\0${aspect}`) ?? []);
    const told = asked.map(({ name, replies }) => ({ name, ...stance(decision, raised, replies) }));
    const options = decision.options.map((option) => ({
      ...option,
      reference: told.filter(({ option: id }) => id === option.id).map(({ name }) => name),
    }));
    return { ...decision, options, reference: told };
  });
}

type Stance = Omit<NonNullable<Decision["reference"]>[number], "name">;

/**
 * The option a reference took: by its answer to the question that decides the options, or, where options were made of
 * several questions, the option whose runs answered all of those that are about presence as it did.
 */
function stance(decision: Decision, raised: readonly Question[], replies: ReadonlyMap<string, Reply>): Stance {
  const [head] = raised;
  const decides = head !== undefined && isDecidedBy(decision, head);
  const telling = decides ? [head] : raised.filter(({ aspect }) => aspect === "presence");
  const own = telling.map(({ key }) => replies.get(key) ?? "missing");
  if (own.length === 0 || own.includes("missing")) return { option: null, label: "not known" };
  if (own.every((reply) => reply === "not applicable")) return { option: null, label: "does not apply" };
  const option = decision.options.find(({ runs }) =>
    runs.some((run) => telling.every((question, at) => valueIn(question.answers.get(run)) === valueIn(own[at]))),
  );
  if (option) return { option: option.id, label: option.label };
  const labels = own.flatMap((reply) => (typeof reply === "object" && !reply.lack ? [reply.label] : []));
  return { option: null, label: decides ? (labels[0] ?? labelOf(own[0])) : "another way" };
}

/** True where the options are the answers to this one question. */
function isDecidedBy({ options }: Decision, { answers }: Question): boolean {
  const values = options.map(({ runs }) => new Set(runs.map((run: RunId) => answers.get(run)?.value)));
  const all = new Set(values.flatMap((each) => [...each]));
  return values.every(({ size }) => size === 1) && all.size === options.length && !all.has(undefined);
}

function valueIn(reply: Reply | undefined): string | undefined {
  return typeof reply === "object" ? reply.value : undefined;
}

function labelOf(reply: Reply | undefined): string {
  return typeof reply === "object" ? reply.label : "not known";
}
