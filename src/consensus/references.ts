import { groupBy } from "../model/groups.js";
import type { Decision } from "../model/report.js";
import type { Renaming, Shape } from "../model/shape.js";
import { compareText, mostCommon } from "../model/text.js";
import { align } from "./align/align.js";
import type { Overrides } from "./align/overrides.js";
import { askOther, type Participant, type Question, type Reply } from "./ask/questions.js";

/**
 * The renaming that holds among the counted runs, and beside it the names that only references use, as an alignment of all
 * runs together understands them. Nothing a reference is called changes what counted runs are called.
 */
export function alignReferences(
  renaming: Renaming,
  { counted, references, overrides }: { counted: readonly Shape[]; references: readonly Shape[]; overrides: Overrides },
): Renaming {
  if (references.length === 0) return renaming;
  const known = new Set(counted.flatMap(({ names }) => [...names.keys()]));
  const together = align([...counted, ...references], overrides).renaming;
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
  /** All that head a decision, composed ones with their parts. */
  questions: readonly Question[];
}

/** Each decision with what the references answered to it; without references they are returned as they are. */
export function tellReferences(
  decisions: readonly Decision[],
  references: readonly Reference[],
  { participants, questions }: Counted,
): Decision[] {
  if (references.length === 0) return [...decisions];
  const byKey = new Map(questions.map((question) => [question.key, question]));
  const asked = references.map(({ name, participant }) => ({ name, replies: askOther(participant, participants) }));
  return decisions.map((decision) => {
    const [first] = decision.facts;
    const head = first && byKey.get(`${first.slot}\0${first.aspect}`);
    const told = asked.map(({ name, replies }) => ({ name, ...stance(decision, head, replies) }));
    const options = decision.options.map((option) => ({
      ...option,
      reference: told.filter(({ option: id }) => id === option.id).map(({ name }) => name),
    }));
    return { ...decision, options, reference: told };
  });
}

type Stance = Omit<NonNullable<Decision["reference"]>[number], "name">;

/** The option of a run that answered as the reference did to the question that decides, in all its parts. */
function stance({ options }: Decision, head: Question | undefined, replies: ReadonlyMap<string, Reply>): Stance {
  const parts = head ? partsOf(head) : [];
  const own = parts.map(({ key }) => replies.get(key) ?? "missing");
  if (own.length === 0 || own.includes("missing")) return { option: null, label: "not known" };
  if (own.every((reply) => reply === "not applicable")) return { option: null, label: "does not apply" };
  const option = options.find(({ runs }) =>
    runs.some((run) => parts.every(({ answers }, at) => valueIn(answers.get(run)) === valueIn(own[at]))),
  );
  if (option) return { option: option.id, label: option.label };
  const [only] = own;
  return { option: null, label: own.length === 1 && typeof only === "object" ? only.label : "no run did exactly so" };
}

function partsOf(question: Question): Question[] {
  return question.parts.length > 0 ? question.parts.flatMap(partsOf) : [question];
}

function valueIn(reply: Reply | undefined): string | undefined {
  return typeof reply === "object" ? reply.value : undefined;
}
