import { sizesOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { payloads } from "./carried.js";
import { conventions } from "./conventions.js";
import { covers } from "./cover.js";
import { generics } from "./generic.js";
import { guards } from "./guards.js";
import { indexes } from "./indexes.js";
import { ladders } from "./ladders.js";
import { lookUps } from "./look-ups.js";
import type { Ancestry } from "./merge.js";

/** From questions about single things to questions about choices: what is one choice is asked once. */
export function compose(questions: readonly Question[], ancestry: Ancestry): Question[] {
  const told = conventions(payloads(covers(indexes(lookUps(guards(questions), ancestry)))));
  return ladders(generics(told.filter((question) => !question.quiet || sizesOf(question).length > 1)));
}
