import { groupsOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { composed } from "./composed.js";

/**
 * Where several runs guard a thing by a check and no two of them by the same, that it is guarded at all is the choice, and
 * what each demands its detail.
 */
export function guards(questions: readonly Question[]): Question[] {
  return questions.map((question) => (isGuardedInManyWays(question) ? guard(question) : question));
}

function isGuardedInManyWays(question: Question): boolean {
  if (question.aspect !== "rule") return false;
  const rules = groupsOf(question).filter(({ lack }) => !lack);
  return rules.length > 1 && rules.length < question.answers.size && rules.every(({ runs }) => runs.length === 1);
}

function guard(question: Question): Question {
  const { slot, title, topic, subject, parents, links, weight, ladder } = question;
  return composed({
    slot,
    aspect: "guard",
    title,
    topic,
    subject,
    parents,
    links,
    weight,
    ...(ladder ? { ladder } : {}),
    parts: [question],
    answer(run) {
      const own = question.answers.get(run);
      if (own === undefined || own.lack) return own;
      return { value: "guarded", label: "in each run something else", lack: false };
    },
  });
}
