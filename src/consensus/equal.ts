import { groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { Shape } from "../model/shape.js";
import { compareText } from "../model/text.js";
import { type Cluster, clustersOf, coloursOf, formOf, interner, tell } from "./clusters.js";
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
  return forms.flatMap((alike) => pairsOf(alike, slots));
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
