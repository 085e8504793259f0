import type { RunId } from "../../model/ids.js";
import type { Shape } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { areForeign, areOpenTo, type Filler, fillersOf, likenessOfTypes } from "./fillers.js";
import { NameLikeness } from "./names.js";
import type { Slots } from "./slots.js";
import type { ScoredPair } from "./table-slots.js";

/** In fewer runs two tables are each other's complement too easily by chance. */
const fewestRuns = 5;
const mostRounds = 6;
/** So much better than what else a run could mean must a table be. */
const margin = 0.1;
/** The most it is said to be: names did not say it. */
const byStructure = 0.59;

interface Match {
  one: Filler;
  other: Filler;
  strength: number;
  score: number;
}

/**
 * New tables that fill one role in runs of different tongues: they never meet, cover four fifths of the runs that made
 * tables, hold the same types between the same neighbours, and no other table of either run would do as well. Only where
 * the runs have no words in common elsewhere do unlike names say nothing (`pessoas`, `people`): runs that agree on other
 * names mean two things by two names. What is joined tells more about its neighbours, so it is done again until nothing moves.
 */
export function findRoles(shapes: readonly Shape[], slots: Slots): ScoredPair[] {
  const made = shapes.filter(({ tables }) => tables.some(({ isNew }) => isNew));
  if (made.length < fewestRuns) return [];
  const fillers = fillersOf(made, slots);
  const roles = new Roles(fillers);
  const names = new NameLikeness();
  const joined: Match[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const matches = matchesOf(fillers, roles, names);
    const clear = matches.filter((match) => isClear(match, matches, roles));
    const taken = clear.filter(({ one, other }) => roles.join(one, other));
    if (taken.length === 0) break;
    joined.push(...taken);
  }
  const whole = joined.filter(({ one }) => 5 * roles.runs(one.id).size >= 4 * made.length);
  return whole.map(({ one, other, score }) => ({ one: one.id, other: other.id, score }));
}

/** Which fillers have been joined so far. */
class Roles {
  readonly #roleOf = new Map<string, { id: string; runs: Set<RunId> }>();

  constructor(fillers: readonly Filler[]) {
    for (const { id, runs } of fillers) this.#roleOf.set(id, { id, runs: new Set(runs) });
  }

  of(id: string): string {
    return this.#roleOf.get(id)?.id ?? id;
  }

  runs(id: string): ReadonlySet<RunId> {
    return this.#roleOf.get(id)?.runs ?? new Set();
  }

  meet(one: string, other: string): boolean {
    const [small, large] = [this.runs(one), this.runs(other)].sort((a, b) => a.size - b.size);
    return [...(small ?? [])].some((run) => large?.has(run));
  }

  /** False for what is one already or meets. */
  join(one: Filler, other: Filler): boolean {
    const [into, from] = [this.#roleOf.get(one.id), this.#roleOf.get(other.id)];
    if (into === undefined || from === undefined || into === from || this.meet(one.id, other.id)) return false;
    for (const run of from.runs) into.runs.add(run);
    for (const [id, role] of this.#roleOf) if (role === from) this.#roleOf.set(id, into);
    return true;
  }
}

/** All pairs that may be one, best first. */
function matchesOf(fillers: readonly Filler[], roles: Roles, names: NameLikeness): Match[] {
  const matches = fillers.flatMap((one, at) =>
    fillers.slice(at + 1).flatMap((other) => {
      if (roles.of(one.id) === roles.of(other.id) || roles.meet(one.id, other.id)) return [];
      return matchOf(one, other, { roles, names }) ?? [];
    }),
  );
  const text = ({ one, other }: Match) => `${one.key}\n${other.key}`;
  return matches.sort((a, b) => b.strength - a.strength || compareText(text(a), text(b)));
}

function matchOf(
  one: Filler,
  other: Filler,
  { roles, names }: { roles: Roles; names: NameLikeness },
): Match | undefined {
  const types = likenessOfTypes(one, other, names);
  if (types === undefined) return undefined;
  const around = { roleOf: (id: string) => roles.of(id), mayBeOne: (a: string, b: string) => !roles.meet(a, b) };
  const targets = areOpenTo(one.targets, other.targets, around);
  const referrers = areOpenTo(one.referrers, other.referrers, around);
  if (targets === "conflict" || referrers === "conflict" || areForeign(one, other, types.named > 0) === false) {
    return undefined;
  }
  const known = [targets, referrers].filter((each) => each === "same").length;
  const lone = Math.min(one.runs.size, other.runs.size) === 1;
  if (lone && known === 0 && types.score < leastLone && types.named === 0) return undefined;
  const name = names.of(one.name, other.name);
  const strength = 0.6 * types.score + 0.15 * known + 0.1 * Math.min(1, types.named) + 0.2 * name;
  return { one, other, strength, score: Math.min(byStructure, (types.score + name) / 2) };
}

/** One run's table alone is like the others by chance more easily. */
const leastLone = 0.75;

/** True where nothing else that is in a run with either would do nearly as well for the other. */
function isClear(match: Match, matches: readonly Match[], roles: Roles): boolean {
  const rivals = (kept: Filler, given: Filler) =>
    matches.some((rival) => {
      if (rival === match || rival.strength < match.strength - margin) return false;
      const role = roles.of(kept.id);
      const third =
        roles.of(rival.one.id) === role ? rival.other : roles.of(rival.other.id) === role ? rival.one : null;
      return third !== null && roles.of(third.id) !== roles.of(given.id) && roles.meet(third.id, given.id);
    });
  return !rivals(match.one, match.other) && !rivals(match.other, match.one);
}
