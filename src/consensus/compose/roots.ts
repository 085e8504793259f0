import { rootSlots } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { partitionOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";

const roots = new Set<string>(Object.values(rootSlots));
const shown = 3;

/**
 * Whether a run changed anything, or the schema, says little by itself: it is left out where another question divides the
 * same runs alike, and else tells what all that changed something have in common.
 */
export function tellRoots(questions: readonly Question[]): Question[] {
  return questions.flatMap((question) => {
    if (!roots.has(question.slot) || question.aspect !== "presence") return [question];
    const yes = [...question.answers].flatMap(([run, { value }]) => (value === "absent" ? [] : [run]));
    const open = yes.length > 0 && yes.length < question.answers.size;
    if (!open) return [question];
    const others = questions.filter((each) => each !== question && !roots.has(each.slot));
    const own = partitionOf(question);
    if (others.some((each) => each.dimension !== "code" && partitionOf(each) === own)) return [];
    return [named(question, yes, others)];
  });
}

function named(question: Question, yes: readonly RunId[], others: readonly Question[]): Question {
  const shared = others
    .filter(({ object, answers }) => object && yes.every((run) => answers.get(run)?.value === "present"))
    .filter(({ dimension }) => question.slot === rootSlots.run || dimension !== "code");
  const slots = new Set(shared.map(({ slot }) => slot));
  const things = shared
    .filter(({ parents }) => !parents.some((slot) => slots.has(slot)))
    .sort((a, b) => b.weight - a.weight || compareText(a.subject, b.subject));
  if (things.length === 0) return question;
  const more = things.length > shown ? ` and ${things.length - shown} more` : "";
  const names = things.slice(0, shown).map(({ subject }) => subject);
  const label = `yes: ${names.join(", ")}${more}`;
  const answers = [...question.answers].map(([run, answer]): [RunId, typeof answer] => [
    run,
    answer.value === "absent" ? answer : { ...answer, label },
  ]);
  return { ...question, answers: new Map(answers) };
}
