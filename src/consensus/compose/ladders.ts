import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { groupsOf, runsWith } from "../ask/partition.js";
import type { Answer, Question } from "../ask/questions.js";
import { composed, withNames } from "./composed.js";

/**
 * Questions of one kind whose strict runs are nested sets are one: how far a run goes. Three columns that must be filled in
 * the same or in ever fewer runs are one row with the options all, none and only some. So are a column that must be filled
 * and its default, where only columns that must be filled have one.
 */
export function ladders(questions: readonly Question[]): Question[] {
  const steps = questions.filter((question) => question.ladder && isStep(question));
  const kinds = groupBy(steps, ({ ladder, answers }) => `${ladder?.of}\0${[...answers.keys()].sort().join()}`);
  const made = [...kinds.values()].flatMap((kind) => chainsOf(kind).map(ladder));
  const taken = new Set(made.flatMap(({ parts }) => parts));
  const left = questions.filter((question) => !taken.has(question));
  const filled = filledAndDefault(left);
  const inPairs = new Set(filled.flatMap(({ parts }) => parts));
  return [...left.filter((question) => !inPairs.has(question)), ...made, ...filled];
}

/** Two answers, one of them the lack of it, and each of more than one run: a single run is an odd one out, and no step. */
function isStep(question: Question): boolean {
  const groups = groupsOf(question);
  return groups.length === 2 && (groups[1]?.runs.length ?? 0) > 1 && groups.some(({ lack }) => lack);
}

/** Steps sorted so that each is left out by all runs that leave out the one before; what does not fit starts another. */
function chainsOf(steps: readonly Question[]): Question[][] {
  const loose = new Map(steps.map((step) => [step, runsWith(step, ({ lack }) => lack)]));
  const sizeOf = (step: Question) => loose.get(step)?.size ?? 0;
  const holds = (outer: Question, inner: Question) =>
    [...(loose.get(inner) ?? [])].every((run) => loose.get(outer)?.has(run));
  const chains: Question[][] = [];
  for (const step of [...steps].sort((a, b) => sizeOf(a) - sizeOf(b) || compareText(a.key, b.key))) {
    const chain = chains.find((each) => each.every((inner) => holds(step, inner)));
    if (chain) chain.push(step);
    else chains.push([step]);
  }
  return chains.filter(({ length }) => length > 1);
}

function ladder(steps: readonly Question[]): Question {
  const of = steps[0]?.ladder ?? { of: "", title: "", wideTitle: "", step: "" };
  const named = [...steps].sort((a, b) => compareText(a.ladder?.step ?? "", b.ladder?.step ?? ""));
  const names = named.map(({ ladder: own }) => own?.step ?? "");
  const title = withNames(of.title, names, "things");
  return composed({
    slot: `ladder ${of.of}`,
    aspect: JSON.stringify(steps.map(({ key }) => key).sort(compareText)),
    title,
    topic: topicOf(title),
    subject: names.join(", "),
    ladder: of,
    links: [...new Set(steps.flatMap(({ links }) => links))].sort(compareText),
    parents: steps[0]?.ladder?.of === "index" ? [] : (steps[0]?.parents ?? []),
    parts: named,
    answer(run) {
      const given = named.flatMap((step) => step.answers.get(run) ?? []);
      if (given.length < named.length) return undefined;
      const strict = names.filter((_, at) => given[at]?.lack === false);
      if (strict.length === 0) return { value: "none", label: "none of them", lack: true };
      if (strict.length === names.length) return { value: "all", label: "all of them", lack: false };
      const more = strict.length > 4 ? ` and ${strict.length - 4} more` : "";
      return { value: strict.join(), label: `only ${strict.slice(0, 4).join(", ")}${more}`, lack: false };
    },
  });
}

function topicOf(title: string): string {
  const words = title.replace(/\?$/, "");
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** Whether a column must be filled and what it starts out as, where one run in no case has a default without the other. */
function filledAndDefault(questions: readonly Question[]): Question[] {
  const starts = new Map(questions.filter(({ aspect }) => aspect === "default").map((each) => [each.slot, each]));
  return questions.flatMap((filled) => {
    const start =
      filled.aspect === "nullability" && filled.ladder && isStep(filled) ? starts.get(filled.slot) : undefined;
    if (start === undefined || !isStep(start) || start.answers.size !== filled.answers.size) return [];
    const nested = [...start.answers].every(([run, { lack }]) => lack || filled.answers.get(run)?.lack === false);
    return nested ? [both(filled, start)] : [];
  });
}

function both(filled: Question, start: Question): Question {
  const answer = (run: RunId): Pick<Answer, "value" | "label" | "lack"> | undefined => {
    const must = filled.answers.get(run);
    const from = start.answers.get(run);
    if (must === undefined || from === undefined || from.lack)
      return must && { value: must.value, label: must.label, lack: must.lack };
    return {
      value: `${must.value}\0${from.value}`,
      label: `${must.label}, from the start with ${from.label}`,
      lack: false,
    };
  };
  const { slot, title, topic, subject, parents, links } = filled;
  return composed({
    slot,
    aspect: "nullability and default",
    title,
    topic,
    subject,
    parents,
    links,
    parts: [filled, start],
    answer,
  });
}
