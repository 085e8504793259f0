import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Decision, Option } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { type Group, groupsOf, partitionOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { withNames } from "../compose/composed.js";
import { isTheme } from "../compose/links.js";
import type { Choice } from "../compose/merge.js";
import { bestClass, classify, worstClass } from "./classes.js";
import { disagreement, round, wilson } from "./statistics.js";

/** Lines of the main table. */
const tableLines = 8;

/** Turns choices into decisions, the one that matters most first, and marks those of the main table. */
export function decide(choices: readonly (Choice & { details: Question[] })[], of: number): Decision[] {
  const ranked = choices
    .map((choice) => ({ choice, rank: rankOf(choice, of), enough: hasEnough(choice.head, of) }))
    .sort((a, b) => compareRanks(a, b) || compareText(a.choice.head.key, b.choice.head.key));
  const partitions = ranked.map(({ choice }) => partitionOf(choice.head));
  const alike = groupBy(partitions.keys(), (index) => partitions[index] ?? "");
  const lines = new Map<string, number>();
  return ranked.map(({ choice, enough }, index) => {
    const partition = partitions[index] ?? "";
    const places = alike.get(partition) ?? [];
    const leader = ranked[places[0] ?? index]?.choice.head ?? choice.head;
    if (enough && !lines.has(partition)) lines.set(partition, lines.size);
    const main = enough && (lines.get(partition) ?? 0) < tableLines;
    const same = places.flatMap((other) => (other === index ? [] : [`D${other + 1}`]));
    return { ...decision({ ...choice, leader }, of, enough), id: `D${index + 1}`, main, sameRunsAs: same };
  });
}

interface Ranked {
  rank: number;
  enough: boolean;
  choice: Choice;
}

/** Weight · disagreement · counted/N; questions that few runs answered, and where files differ, come after all others. */
function compareRanks(a: Ranked, b: Ranked): number {
  return (
    Number(b.enough) - Number(a.enough) || b.rank - a.rank || compareText(a.choice.head.title, b.choice.head.title)
  );
}

function rankOf(choice: Choice, of: number): number {
  const sizes = groupsOf(choice.head).map(({ runs }) => runs.length);
  return round((weightOf(choice) * disagreement(sizes) * choice.head.answers.size) / of);
}

function weightOf({ head, members }: Choice): number {
  return Math.max(head.weight, ...members.map(({ weight }) => weight));
}

/** Counted by max(3, N/2) runs; which files are touched says where, not what, and stays in the fold. */
function hasEnough(head: Question, of: number): boolean {
  const light = head.dimension === "code" && head.weight < 1;
  return !light && head.answers.size >= Math.max(3, of / 2);
}

/** Options of decisions that the same runs took alike carry the same letters: those of the first such decision. */
function lettered(head: Question, leader: Question): Group[] {
  const order = groupsOf(leader).map(({ runs }) => runs[0]);
  return groupsOf(head).sort((a, b) => order.indexOf(a.runs[0]) - order.indexOf(b.runs[0]));
}

interface Led extends Choice {
  details: Question[];
  leader: Question;
}

function decision(choice: Led, of: number, enough: boolean) {
  const { head, members, details, leader } = choice;
  const groups = lettered(head, leader);
  const sizes = groups.map(({ runs }) => runs.length);
  const kind = classify(sizes);
  const weight = weightOf(choice);
  const open = kind === "split" || kind === "scattered";
  return {
    title: titleOf(choice),
    dimension: head.dimension,
    class: kind,
    worstClass: worstClass(sizes, head.missing.length, { closed: head.closed }),
    bestClass: bestClass(sizes, head.missing.length),
    counted: head.answers.size,
    of,
    notApplicable: [...head.notApplicable].sort(compareText),
    missing: [...head.missing].sort(compareText),
    options: groups.map((group, index) => option(group, index, head.answers.size)),
    disagreement: round(disagreement(sizes)),
    weight,
    ask: open && enough && weight >= 1 && head.dimension !== "checks" && head.aspect !== "tests",
    facts: [head, ...members, ...details].map(factOf),
  };
}

function option({ label, runs, risk }: Group, index: number, counted: number): Option {
  const interval = wilson(runs.length, counted);
  return { id: letter(index), label, runs, share: round(runs.length / counted), interval, risk, reference: [] };
}

/** a … z, aa, ab, … */
export function letter(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : `${letter(Math.floor(index / 26) - 1)}${last}`;
}

/** One opinion on several things names them all: "Is row-level security on for `teams`, `team_members`?" */
function titleOf({ head, members }: Choice): string {
  const themes = head.links.filter(isTheme);
  // What few runs were asked about goes with the others, and says little about the whole.
  const wide = members.filter(({ answers }) => 2 * answers.size >= head.answers.size);
  const alike = wide.filter(({ links }) => themes.some((theme) => links.includes(theme)));
  if (head.parts.length > 0 && head.ladder) {
    if (alike.length === 0) return head.title;
    const steps = [head, ...alike].flatMap((each) => (each.parts.length > 0 ? each.parts : [each]));
    return withNames(head.ladder.wideTitle, subjectsOf(steps), "things");
  }
  const subjects = subjectsOf([head, ...alike.filter(({ aspect }) => aspect === head.aspect)]);
  if (subjects.length < 2) return head.title;
  const more = subjects.length > 2 ? ` and ${subjects.length - 2} more` : "";
  const joined = head.title.replace(head.subject, () => `${subjects.slice(0, 2).join(", ")}${more}`);
  return [...joined].length <= 80 ? joined : head.title;
}

function subjectsOf(questions: readonly Question[]): string[] {
  return [...new Set(questions.map(({ subject }) => subject))].sort(compareText);
}

function factOf(question: Question): Decision["facts"][number] {
  const evidence = [...question.answers]
    .flatMap(([run, answer]) => answer.evidence.map(({ file, line }) => ({ run, file, line })))
    .sort((a, b) => compareText(a.run, b.run));
  const answers = groupsOf(question).map(({ label, runs }): { label: string; runs: RunId[] } => ({ label, runs }));
  const { slot, aspect, title, topic } = question;
  return { slot, aspect, title, topic, answers, evidence };
}
