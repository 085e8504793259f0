import { squashed, wordsOf } from "../../model/names.js";

/**
 * Words that name two ends of one thing. Where one name has the one and another name the other, structure, which is the same
 * at both ends, must not make them one.
 */
const pairs = [
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
  "debit credit",
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
].map((pair) => pair.split(" ") as [string, string]);

const opposites = new Map<string, Set<string>>();
for (const [one, other] of pairs) {
  opposites.set(one, (opposites.get(one) ?? new Set()).add(other));
  opposites.set(other, (opposites.get(other) ?? new Set()).add(one));
}

/** True where each name has a word that is the other end of a word of the other name, and not that word itself. */
export function areOpposed(one: string, other: string): boolean {
  if (one === other) return false;
  if (endsDiffer(squashed(one), squashed(other))) return true;
  const [ones, others] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  return [...ones].some((word) => {
    const ends = opposites.get(word);
    return ends !== undefined && !others.has(word) && [...others].some((each) => ends.has(each) && !ones.has(each));
  });
}

/** Who did a thing and when, also where nothing parts the words: `modifiedby`, `modified_at`. */
function endsDiffer(one: string, other: string): boolean {
  if (one.slice(0, -2) !== other.slice(0, -2)) return false;
  const ends = [one.slice(-2), other.slice(-2)].sort().join(" ");
  return one.length > 4 && (ends === "at by" || ends === "by on");
}
