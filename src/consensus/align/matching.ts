import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import type { ScoredPair } from "./table-slots.js";

/** Something that may be the same as another one in other runs. */
export interface Candidate {
  /** Its slot. */
  id: string;
  /** Its content: decides ties. */
  key: string;
  runs: ReadonlySet<RunId>;
}

/** How much speaks for two candidates being one, to rank them by, and what is said of it: 0 to 1. */
export interface Fit {
  strength: number;
  score: number;
}

interface Match<T> extends Fit {
  one: T;
  other: T;
}

interface Matching<T> {
  fitOf(one: T, other: T, joined: Joined): Fit | undefined;
  /** Whether what was joined covers enough runs. */
  isWhole(runs: ReadonlySet<RunId>): boolean;
}

const mostRounds = 6;
/** So much better than what else a run could mean must one be. */
const margin = 0.1;

/**
 * Joins what fits and never meets, where nothing else of either's runs fits nearly as well. What is joined tells more about
 * the rest, so it is done again until nothing moves. What covers too few runs in the end is left as it was.
 */
export function matchClearly<T extends Candidate>(
  candidates: readonly T[],
  { fitOf, isWhole }: Matching<T>,
): ScoredPair[] {
  const joined = new Joined(candidates);
  const found: Match<T>[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const matches = matchesOf(candidates, joined, fitOf);
    const taken = matches
      .filter((match) => isClear(match, matches, joined))
      .filter(({ one, other }) => joined.join(one.id, other.id));
    if (taken.length === 0) break;
    found.push(...taken);
  }
  const whole = found.filter(({ one }) => isWhole(joined.runs(one.id)));
  return whole.map(({ one, other, score }) => ({ one: one.id, other: other.id, score }));
}

/** Which candidates have been joined so far. */
export class Joined {
  readonly #groups = new Map<string, { id: string; runs: Set<RunId> }>();

  constructor(candidates: readonly Candidate[]) {
    for (const { id, runs } of candidates) this.#groups.set(id, { id, runs: new Set(runs) });
  }

  /** The same for all that are one. */
  of(id: string): string {
    return this.#groups.get(id)?.id ?? id;
  }

  runs(id: string): ReadonlySet<RunId> {
    return this.#groups.get(id)?.runs ?? new Set();
  }

  /** True where some run has both. */
  meet(one: string, other: string): boolean {
    const [a, b] = [this.runs(one), this.runs(other)];
    const [small, large] = a.size < b.size ? [a, b] : [b, a];
    for (const run of small) if (large.has(run)) return true;
    return false;
  }

  /** False for what is one already, or meets. */
  join(one: string, other: string): boolean {
    const [into, from] = [this.#groups.get(one), this.#groups.get(other)];
    if (into === undefined || from === undefined || into === from || this.meet(one, other)) return false;
    for (const run of from.runs) into.runs.add(run);
    for (const [id, group] of this.#groups) if (group === from) this.#groups.set(id, into);
    return true;
  }
}

/** All pairs that may be one, best first. */
function matchesOf<T extends Candidate>(
  candidates: readonly T[],
  joined: Joined,
  fitOf: Matching<T>["fitOf"],
): Match<T>[] {
  const matches = candidates.flatMap((one, at) =>
    candidates.slice(at + 1).flatMap((other): Match<T>[] => {
      if (joined.of(one.id) === joined.of(other.id) || joined.meet(one.id, other.id)) return [];
      const fit = fitOf(one, other, joined);
      return fit === undefined ? [] : [{ one, other, ...fit }];
    }),
  );
  const text = ({ one, other }: Match<T>) => `${one.key}\n${other.key}`;
  return matches.sort((a, b) => b.strength - a.strength || compareText(text(a), text(b)));
}

/** True where nothing else that is in a run with either would do nearly as well for the other. */
function isClear<T extends Candidate>(match: Match<T>, matches: readonly Match<T>[], joined: Joined): boolean {
  const hasRival = (kept: T, given: T) =>
    matches.some((rival) => {
      if (rival === match || rival.strength < match.strength - margin) return false;
      const thirds = [rival.one, rival.other].filter(({ id }) => joined.of(id) !== joined.of(kept.id));
      const [third] = thirds;
      if (third === undefined || thirds.length > 1) return false;
      return joined.of(third.id) !== joined.of(given.id) && joined.meet(third.id, given.id);
    });
  return !hasRival(match.one, match.other) && !hasRival(match.other, match.one);
}
