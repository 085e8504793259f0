import { groupBy } from "../../model/groups.js";
import type { AgreedFact } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { groupsOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import type { Ancestry } from "../compose/merge.js";

interface Shared {
  agreed: readonly Question[];
  odd: readonly Question[];
  of: number;
  ancestry: Ancestry;
}

/**
 * What the runs share, one entry per table or column that stands for itself, with what they share about it inside. Things
 * that a single run lacks are told here too, with their count.
 */
export function agreements({ agreed, odd, of, ancestry }: Shared): AgreedFact[] {
  const there = [...agreed, ...odd.filter((question) => !question.quiet && isUsual(question, of))];
  const objects = there.filter(({ object, dimension }) => object && dimension !== "code");
  const slots = new Set(objects.map(({ slot }) => slot));
  const ownerOf = (question: Question) => {
    const nearest = [question.slot, ...ancestry.of(question)].find((slot) => slots.has(slot));
    if (nearest === undefined) return undefined;
    return ancestry.of({ slot: nearest, parents: [] }).findLast((slot) => slots.has(slot)) ?? nearest;
  };
  const owned = groupBy(there, ownerOf);
  const owners = objects.filter((question) => ownerOf(question) === question.slot);
  const told = owners.map((owner) => {
    const below = owned.get(owner.slot)?.filter((question) => question !== owner && !isApart(question)) ?? [];
    return entry(owner, below, of);
  });
  // Of code it is told what nearly all do, with their count: it is what the deviating run is measured by.
  const code = there.filter((question) => question.dimension === "code" && !agreed.includes(question));
  const free = [...agreed, ...code].filter((question) => ownerOf(question) === undefined && !isRoot(question));
  const rest = [...free.filter((question) => !isApart(question)), ...there.filter(isApart)];
  return [...told.sort(compareEntries), ...checkEntries(rest, of), ...fileEntries(rest, of), ...otherEntries(rest, of)];
}

/** What a table starts with is as weighty as the table, and no detail of it. */
function isApart(question: Question): boolean {
  return question.dimension === "data" && groupsOf(question)[0]?.lack === false;
}

/** Had by four fifths of all runs that are not missing: a single run lacks it or has it otherwise. */
function isUsual(question: Question, of: number): boolean {
  const [most] = groupsOf(question);
  return most?.lack === false && 5 * question.answers.size >= 4 * (of - question.missing.length);
}

function isRoot({ aspect, parents, slot }: Question): boolean {
  return aspect === "presence" && (slot === "run" || slot === "schema") && parents.length < 2;
}

function compareEntries(a: AgreedFact, b: AgreedFact): number {
  return b.counted - a.counted || compareText(a.title, b.title);
}

function entry(owner: Question, below: readonly Question[], of: number): AgreedFact {
  const prefix = owner.subject.replace(/`$/, ".");
  const parts = below
    .filter(({ object }) => object)
    .map(({ subject }) => subject.replace(prefix, () => "`"))
    .sort(compareText);
  const told = below.filter((question) => !question.object && groupsOf(question)[0]?.lack === false);
  const details = told.map((question) => `${question.topic}: ${labelOf(question)}`);
  return {
    title: owner.subject,
    label: parts.length > 0 ? `with ${namesOf(parts)}` : "",
    dimension: owner.dimension,
    counted: groupsOf(owner)[0]?.runs.length ?? 0,
    of,
    details: details.sort(compareText),
  };
}

function labelOf(question: Question): string {
  return groupsOf(question)[0]?.label ?? "";
}

/** At most twelve names: a run may make a thousand columns. */
function namesOf(names: readonly string[], most = 12): string {
  return `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
}

/** Checks that pass everywhere are one entry; what fails everywhere is named, and so are tests. */
function checkEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const checks = rest.filter(({ dimension }) => dimension === "checks");
  const whole = (question: Question) => question.aspect === "result";
  const passing = checks.filter((question) => whole(question) && groupsOf(question)[0]?.value === "pass");
  const others = checks.filter((question) => !passing.includes(question));
  const byCount = groupBy(passing, ({ answers }) => answers.size);
  const folded = [...byCount].map(([counted, alike]): AgreedFact => {
    const topics = alike.map(({ topic }) => topic).sort(compareText);
    const label = topics.length === 1 ? "passes" : "pass";
    const details = topics.map((topic) => `${topic}: passes`);
    // Of checks that not all runs were asked about, the reader must know which.
    const title = topics.length > 1 && counted === of ? `${topics.length} checks` : namesOf(topics, 3);
    return { title, label, dimension: "checks", counted, of, details };
  });
  return [...folded.sort(compareEntries), ...others.map((question) => plainEntry(question, of))];
}

function fileEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const files = rest.filter(({ dimension, object }) => dimension === "code" && object);
  const byCount = groupBy(files, (question) => groupsOf(question)[0]?.runs.length ?? 0);
  return [...byCount]
    .sort(([a], [b]) => b - a)
    .map(([counted, alike]) => {
      const names = alike.map(({ subject }) => subject).sort(compareText);
      return { title: `changes to ${namesOf(names)}`, label: "", dimension: "code", counted, of, details: [] };
    });
}

/** What nobody did, and habits of writing, are no agreement worth a line. */
function otherEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const others = rest
    .filter(({ dimension, object }) => dimension !== "checks" && !(dimension === "code" && object))
    .filter((question) => !isHabit(question) || (groupsOf(question)[0]?.lack === false && question.weight >= 1))
    .filter((question) => !/^(?:none|nothing)$/.test(labelOf(question)));
  return others.map((question) => plainEntry(question, of)).sort(compareEntries);
}

function isHabit({ parts }: Question): boolean {
  return parts.length > 0;
}

function plainEntry(question: Question, of: number): AgreedFact {
  const { topic: title, dimension } = question;
  const counted = groupsOf(question)[0]?.runs.length ?? 0;
  return { title, label: labelOf(question), dimension, counted, of, details: [] };
}
