import { sizesOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { payloads } from "./carried.js";
import { conventions } from "./conventions.js";
import { covers } from "./cover.js";
import { generics } from "./generic.js";
import { indexes } from "./indexes.js";
import { ladders } from "./ladders.js";
import { lookUps } from "./look-ups.js";
import type { Ancestry } from "./merge.js";

/** From questions about single things to questions about choices: what is one choice is asked once. */
export function compose(questions: readonly Question[], ancestry: Ancestry): Question[] {
  // How a name says a value is held is no news where all say it alike.
  const asked = questions.filter((question) => question.aspect !== "holding" || sizesOf(question).length > 1);
  return ladders(generics(conventions(payloads(covers(indexes(lookUps(asked, ancestry)))))));
}
