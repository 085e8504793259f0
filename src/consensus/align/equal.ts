import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Shape } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import { type Cluster, clustersOf, formOf, painter, tell } from "./clusters.js";
import { type Coloured, type Pair, pairUp } from "./pairing.js";
import type { Slots } from "./slots.js";

/**
 * Merges clusters of new tables that are equal in everything but their names and the choices about them (actions,
 * nullability, defaults, indexes, checks, rows), where only one renaming turns the one into the other and enough speaks for
 * it. No likeness is measured. Answers with the pairs of each two clusters it merged.
 */
export function mergeEqual(shapes: readonly Shape[], slots: Slots): Pair[][] {
  const spellings = spellingsOf(shapes.flatMap(clustersOf));
  const forms = [...groupBy(spellings, ({ form }) => form).values()].filter(({ length }) => length > 1);
  return forms.flatMap(fitting).flatMap((alike) => pairsOf(alike, slots));
}

/** Clusters with the very same names in them, which are told apart from others only once. */
interface Spelling extends Coloured {
  text: string;
  form: string;
  runs: Set<RunId>;
}

/** The most common first: it is what others are renamed to, and it is the first to be. */
function spellingsOf(clusters: readonly Cluster[]): Spelling[] {
  const colour = painter();
  const byText = groupBy(clusters, (cluster) => tell(cluster, (id) => id));
  const spellings = [...byText].flatMap(([text, alike]) => {
    const [cluster] = alike;
    if (cluster === undefined) return [];
    const colours = colour(cluster);
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
      const pairs = centre && !meet(centre, other) ? pairUp(other, centre) : undefined;
      if (pairs === undefined || !slots.merge(pairs)) return true;
      found.push(pairs.filter(({ one, other }) => one !== other));
      return false;
    });
  }
  return found;
}

/**
 * Spellings of one form that may be each other's: their runs hold the very same other clusters of that form. Where a run
 * holds one more, either could be meant.
 */
function fitting(spellings: readonly Spelling[]): Spelling[][] {
  const held = new Map<RunId, number[]>();
  for (const [at, { runs }] of spellings.entries()) {
    for (const run of runs) {
      const all = held.get(run);
      if (all) all.push(at);
      else held.set(run, [at]);
    }
  }
  const beside = (spelling: number, run: RunId) =>
    held
      .get(run)
      ?.filter((at) => at !== spelling)
      .join() ?? "";
  const groups = groupBy(spellings.entries(), ([at, { runs }]) => {
    const [first, ...others] = new Set([...runs].map((run) => beside(at, run)));
    return others.length === 0 ? first : undefined;
  });
  groups.delete(undefined);
  return [...groups.values()].map((group) => group.map(([, spelling]) => spelling));
}

function meet({ runs }: Spelling, other: Spelling): boolean {
  return [...runs].some((run) => other.runs.has(run));
}
