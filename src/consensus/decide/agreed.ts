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
  const there = [...agreed, ...odd.filter((question) => groupsOf(question)[0]?.lack === false)];
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
    const below = owned.get(owner.slot)?.filter((question) => question !== owner) ?? [];
    return entry(owner, below, of);
  });
  const rest = agreed.filter((question) => ownerOf(question) === undefined && !isRoot(question));
  return [...told.sort(compareEntries), ...checkEntries(rest, of), ...fileEntries(rest, of), ...otherEntries(rest, of)];
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
  const details = below
    .filter((question) => !question.object && groupsOf(question)[0]?.lack === false)
    .map((question) => `${question.topic}: ${groupsOf(question)[0]?.label}`);
  return {
    title: owner.subject,
    label: parts.length > 0 ? `with ${namesOf(parts)}` : "",
    dimension: owner.dimension,
    counted: groupsOf(owner)[0]?.runs.length ?? 0,
    of,
    details: details.sort(compareText),
  };
}

/** At most twelve names: a run may make a thousand columns. */
function namesOf(names: readonly string[]): string {
  const most = 12;
  return `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
}

/** Checks that pass everywhere are one entry; what fails everywhere is named, and so are tests. */
function checkEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const checks = rest.filter(({ dimension }) => dimension === "checks");
  const whole = (question: Question) => question.aspect === "result";
  const passing = checks.filter((question) => whole(question) && groupsOf(question)[0]?.value === "pass");
  const others = checks.filter((question) => !passing.includes(question));
  const counted = Math.min(...passing.map(({ answers }) => answers.size));
  const title = passing.length === 1 ? `${passing[0]?.topic}` : `${passing.length} checks`;
  const label = passing.length === 1 ? "passes" : "pass";
  const details = passing.map(({ topic }) => `${topic}: passes`).sort(compareText);
  const folded = passing.length > 0 ? [{ title, label, dimension: "checks" as const, counted, of, details }] : [];
  return [...folded, ...others.map((question) => plainEntry(question, of))];
}

function fileEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const files = rest.filter(({ dimension, object }) => dimension === "code" && object);
  if (files.length === 0) return [];
  const names = files.map(({ subject }) => subject).sort(compareText);
  const counted = Math.min(...files.map(({ answers }) => answers.size));
  return [{ title: `changes to ${namesOf(names)}`, label: "", dimension: "code", counted, of, details: [] }];
}

/** What nobody did, and habits of writing, are no agreement worth a line. */
function otherEntries(rest: readonly Question[], of: number): AgreedFact[] {
  const others = rest
    .filter(({ dimension, object }) => dimension !== "checks" && !(dimension === "code" && object))
    .filter((question) => !isHabit(question) || (groupsOf(question)[0]?.lack === false && question.weight >= 1));
  return others.map((question) => plainEntry(question, of)).sort(compareEntries);
}

function isHabit({ parts }: Question): boolean {
  return parts.length > 0;
}

function plainEntry(question: Question, of: number): AgreedFact {
  const { topic, dimension, answers } = question;
  return { title: topic, label: groupsOf(question)[0]?.label ?? "", dimension, counted: answers.size, of, details: [] };
}
