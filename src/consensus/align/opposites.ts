import { squashed, wordsOf } from "../../model/names.js";
import { singular } from "./names.js";

/** Words for two things of which the one undoes, answers or balances the other, so that both are built alike. */
const counterparts = [
  "payment refund",
  "charge refund",
  "deposit withdrawal",
  "income expense",
  "purchase sale",
  "invoice receipt",
  "import export",
  "upload download",
  "request response",
  "question answer",
  "like dislike",
  "upvote downvote",
  "debit credit",
];

/**
 * Words that name two ends of one thing. Where one name has the one and another name the other, structure, which is the same
 * at both ends, must not make them one.
 */
const ends = [
  "start end",
  "begin end",
  "started ended",
  "started finished",
  "open close",
  "opened closed",
  "opens closes",
  "first last",
  "min max",
  "minimum maximum",
  "lower upper",
  "from to",
  "sender recipient",
  "sender receiver",
  "source target",
  "source destination",
  "origin destination",
  "old new",
  "before after",
  "previous next",
  "parent child",
  "left right",
  "buyer seller",
  "debtor creditor",
  "inviter invitee",
  "follower followee",
  "follower followed",
  "follower following",
  "requester approver",
  "created updated",
  "created deleted",
  "updated deleted",
  "at by",
  "on by",
];

type Opposites = ReadonlyMap<string, ReadonlySet<string>>;

function opposites(pairs: readonly string[]): Opposites {
  const found = new Map<string, Set<string>>();
  for (const [one = "", other = ""] of pairs.map((pair) => pair.split(" "))) {
    found.set(one, (found.get(one) ?? new Set()).add(other));
    found.set(other, (found.get(other) ?? new Set()).add(one));
  }
  return found;
}

const ofTables = opposites(counterparts);
const ofColumns = opposites([...counterparts, ...ends]);

/** True where each name has a word that is the other end of a word of the other name, and not that word itself. */
export function areOpposed(one: string, other: string): boolean {
  if (one === other) return false;
  return endsDiffer(squashed(one), squashed(other)) || opposeWords(one, other, ofColumns);
}

/** The same of tables: one that is called after either end (`followers`, `followings`) holds both. */
export function areCounterparts(one: string, other: string): boolean {
  return one !== other && opposeWords(one, other, ofTables);
}

/** Whether any table could be its counterpart: few names are worth comparing. */
export function hasCounterpart(name: string): boolean {
  return wordsIn(name).some((word) => ofTables.has(word));
}

function wordsIn(name: string): string[] {
  return wordsOf(name).flatMap((word) => [word, singular(word)]);
}

function opposeWords(one: string, other: string, known: Opposites): boolean {
  const [ones, others] = [one, other].map((name) => new Set(wordsIn(name)));
  if (ones === undefined || others === undefined) return false;
  return [...ones].some((word) => {
    const opposed = known.get(word);
    return opposed && !others.has(word) && [...others].some((each) => opposed.has(each) && !ones.has(each));
  });
}

/** Who did a thing and when, also where nothing parts the words: `modifiedby`, `modified_at`. */
function endsDiffer(one: string, other: string): boolean {
  if (one.slice(0, -2) !== other.slice(0, -2)) return false;
  const last = [one.slice(-2), other.slice(-2)].sort().join(" ");
  return one.length > 4 && (last === "at by" || last === "by on");
}
