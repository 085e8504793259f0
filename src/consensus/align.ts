import { connected, groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { Renaming, Shape } from "../model/shape.js";
import { compareText } from "../model/text.js";
import { type Cluster, clustersOf, coloursOf, formOf, interner, tell } from "./clusters.js";
import { type Coloured, type Pair, pairUp } from "./pairing.js";
import { Slots } from "./slots.js";

/** Which names mean the same thing. */
export interface Alignment {
  renaming: Renaming;
  /** Things renamed together, one entry each: the names that tell them, those most runs use. */
  groups: string[][];
}

/**
 * Finds what is the same thing in runs that named it differently, by structure alone: clusters of new tables that are
 * equal in everything but their names and the choices about them (actions, nullability, defaults, indexes, checks, rows)
 * are the same where only one renaming turns the one into the other and enough speaks for it. No likeness is measured:
 * what differs in structure stays apart. A scored alignment of what is left belongs here: more pairs for the same slots.
 */
export function align(shapes: readonly Shape[]): Alignment {
  const slots = new Slots(shapes);
  const spellings = spellingsOf(shapes.flatMap(clustersOf));
  const forms = [...groupBy(spellings, ({ form }) => form).values()].filter(({ length }) => length > 1);
  const found: Pair[][] = [];
  for (const alike of forms) found.push(...pairsOf(alike, slots));
  const renaming = renamingOf(found, slots);
  return { renaming, groups: groupsOf(found, renaming) };
}

/** Also of names that no pair holds: a column of some other run, in a table that is now one with another. */
function renamingOf(found: readonly Pair[][], slots: Slots): Renaming {
  const renaming = new Map<string, string>();
  for (const { one } of found.flat()) {
    if (renaming.has(one)) continue;
    const canonical = slots.canonical(one);
    for (const id of slots.of(one)) renaming.set(id, canonical);
  }
  return renaming;
}

/** Clusters with the very same names in them, which are told apart from others only once. */
interface Spelling extends Coloured {
  text: string;
  form: string;
  runs: Set<RunId>;
}

/** The most common first: it is what others are renamed to, and it is the first to be. */
function spellingsOf(clusters: readonly Cluster[]): Spelling[] {
  const intern = interner();
  const byText = groupBy(clusters, (cluster) => tell(cluster, (id) => id));
  const spellings = [...byText].flatMap(([text, alike]) => {
    const [cluster] = alike;
    if (cluster === undefined) return [];
    const colours = coloursOf(cluster, intern);
    return [{ text, cluster, colours, form: formOf(colours), runs: new Set(alike.map(({ run }) => run)) }];
  });
  return spellings.sort((a, b) => b.runs.size - a.runs.size || compareText(a.text, b.text));
}

/** Every spelling goes with the most common one it can be turned into. */
function pairsOf(spellings: readonly Spelling[], slots: Slots): Pair[][] {
  const found: Pair[][] = [];
  let open = [...spellings];
  while (open.length > 1) {
    const [centre, ...others] = open;
    open = others.filter((other) => {
      const pairs = centre && isOnlyFit(centre, other, spellings) ? pairUp(other, centre) : undefined;
      if (pairs === undefined || !slots.merge(pairs)) return true;
      found.push(pairs.filter(({ one, other }) => one !== other));
      return false;
    });
  }
  return found;
}

/** False where a run holds another cluster of this form which the other run does not have: either could be meant. */
function isOnlyFit(one: Spelling, other: Spelling, spellings: readonly Spelling[]): boolean {
  const rest = spellings.filter((each) => each !== one && each !== other);
  return [...one.runs].every((a) =>
    [...other.runs].every((b) => a !== b && rest.every(({ runs }) => runs.has(a) === runs.has(b))),
  );
}

/** Things that were renamed together, in any pair of runs, are told together: tables first, then columns. */
function groupsOf(found: readonly Pair[][], renaming: Renaming): string[][] {
  const told = new Map<string, boolean>();
  const edges = found.flatMap((pairs) => {
    const ids = pairs.map(({ one }) => renaming.get(one) ?? one);
    for (const [at, id] of ids.entries()) told.set(id, told.get(id) || pairs[at]?.follows === false);
    return ids.map((id) => [ids[0] ?? id, id] as const);
  });
  const groups = connected(edges).map((group) => [...group].filter((id) => told.get(id)).sort(compareIds));
  return groups.sort((a, b) => compareIds(a[0] ?? "", b[0] ?? ""));
}

function compareIds(a: string, b: string): number {
  const kind = (id: string) => Number(!id.startsWith('["table"'));
  return kind(a) - kind(b) || compareText(a, b);
}
