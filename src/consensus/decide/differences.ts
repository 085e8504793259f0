import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import type { Group } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";

/** A question one run answered otherwise than all, or nearly all, others. */
export interface Deviation {
  question: Question;
  own: Group;
  others: Group;
}

/** Names of one statement. */
const most = 6;

/** One statement for each way to differ, however many things it is about: "default of `a`, `b`: nothing (others: `0`)". */
export function differences(deviations: readonly Deviation[]): string[] {
  const groups = groupBy(deviations, ({ question: { aspect, answers }, own, others }) =>
    JSON.stringify([aspect, own.label, others.label, others.runs.length === answers.size - 1]),
  );
  const told = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ topic: topicOf(group), first }] : [];
  });
  const ofCode = ({ first }: (typeof told)[number]) => first.question.dimension === "code" && first.others.lack;
  const own = groupBy(told.filter(ofCode), ({ topic }) => topic);
  return told.flatMap((each): string[] => {
    if (!ofCode(each)) return [difference(each.topic, each.first)];
    // Several things in one place are one statement.
    const together = own.get(each.topic) ?? [];
    if (together[0] !== each) return [];
    const labels = together.map(({ first }) => first.own.label);
    return labels.length > 1 ? [`${each.topic}: ${listOf(labels, most)}`] : [difference(each.topic, each.first)];
  });
}

/** The topic of one, with the subjects of all; where a topic does not name its subject, all topics. */
function topicOf(group: readonly Deviation[]): string {
  const [first] = group;
  const rest = (question: Question) => question.topic.replace(question.subject, () => "…");
  const form = first ? rest(first.question) : "";
  const isOne = form.includes("…") && group.every(({ question }) => rest(question) === form);
  const names = group.map(({ question }) => (isOne ? question.subject : question.topic)).sort(compareText);
  const list = listOf(names, most);
  return isOne ? form.replace("…", () => list) : list;
}

function difference(topic: string, { question, own, others }: Deviation): string {
  const { aspect } = question;
  if (aspect === "presence" && own.label === "yes") return `has ${topic}`;
  if (aspect === "presence" && own.label === "no") return `has no ${topic}`;
  if (aspect === "presence" && own.label.startsWith("yes: ")) return `has ${topic}: ${own.label.slice(5)}`;
  // What a run alone does in the code says itself that others do not.
  if (question.dimension === "code" && others.lack) return `${topic}: ${own.label}`;
  const who = others.runs.length === question.answers.size - 1 ? "others" : "most";
  return `${topic}: ${own.label} (${who}: ${others.label})`;
}

/** "a, b and 3 more". */
export function listOf(names: readonly string[], shown: number): string {
  return `${names.slice(0, shown).join(", ")}${names.length > shown ? ` and ${names.length - shown} more` : ""}`;
}
