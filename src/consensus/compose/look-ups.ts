import type { Question } from "../ask/questions.js";
import type { Ancestry } from "./merge.js";

/**
 * Where some runs hold a coded column by a look-up table and others do not, the table is that choice, and what it is made
 * of follows: its own questions are left out, but for the one whether it is there, which is told as a detail.
 */
export function lookUps(questions: readonly Question[], ancestry: Ancestry): Question[] {
  const tables = new Set(questions.flatMap(tablesOf));
  if (tables.size === 0) return [...questions];
  return questions.filter((question) => {
    if (question.aspect === "presence" && tables.has(question.slot)) return true;
    return !tables.has(question.slot) && !ancestry.of(question).some((slot) => tables.has(slot));
  });
}

/** Slots of the look-up tables that are one of several ways to hold a column. */
function tablesOf({ aspect, answers, links }: Question): string[] {
  if (aspect !== "type") return [];
  const listed = [...answers.values()].filter(({ value }) => value === "look-up table").length;
  return listed > 0 && listed < answers.size ? links.filter((link) => link.startsWith("table ")) : [];
}
