import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText, mostCommon } from "../../model/text.js";

/** Something new in one run that others may have made under another name. */
export interface Newcomer {
  run: RunId;
  name: string;
  /** Only newcomers of one block can be the same thing: their file, or what they belong to. */
  block: string;
  /** What it holds. */
  features: ReadonlySet<string>;
}

interface Cluster {
  name: string;
  runs: Set<RunId>;
  members: Newcomer[];
  features: Set<string>;
}

/** A feature of more things than this tells nobody apart. */
const tooCommon = 40;
/** Shared by this part of what both hold, two things are one. */
const alike = 0.5;
/** Fewer features than this, taken together, prove nothing. */
const fewest = 3;

/**
 * Gives what several runs added under unlike names one name: the most used one. Equal names of a block are one; others are
 * where they share half of what they hold (Jaccard index), never two of one run. Candidates are found by what they share,
 * so the work grows with what is shared and not with all pairs.
 */
export function nameAlike(newcomers: readonly Newcomer[]): Map<Newcomer, string> {
  const names = new Map<Newcomer, string>();
  for (const block of groupBy(newcomers, ({ block }) => block).values()) {
    for (const { members } of mergeAlike(byName(block))) {
      const name = mostCommon(members.map((member) => member.name)) ?? "";
      for (const member of members) names.set(member, name);
    }
  }
  return names;
}

function byName(newcomers: readonly Newcomer[]): Cluster[] {
  return [...groupBy(newcomers, ({ name }) => name)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, members]) => ({
      name,
      members: [...members],
      runs: new Set(members.map(({ run }) => run)),
      features: new Set(members.flatMap(({ features }) => [...features])),
    }));
}

function mergeAlike(clusters: readonly Cluster[]): Cluster[] {
  const into = new Map<Cluster, Cluster>();
  const settled = (cluster: Cluster): Cluster => {
    const next = into.get(cluster);
    return next === undefined ? cluster : settled(next);
  };
  for (const { a, b } of candidates(clusters)) {
    const [one, other] = [settled(a), settled(b)];
    if (one === other || [...other.runs].some((run) => one.runs.has(run))) continue;
    one.members.push(...other.members);
    for (const run of other.runs) one.runs.add(run);
    into.set(other, one);
  }
  return clusters.filter((cluster) => !into.has(cluster));
}

interface Pair {
  a: Cluster;
  b: Cluster;
  likeness: number;
}

function candidates(clusters: readonly Cluster[]): Pair[] {
  const holders = groupBy(
    clusters.flatMap((cluster) => [...cluster.features].map((feature) => ({ cluster, feature }))),
    ({ feature }) => feature,
  );
  const shared = new Map<Cluster, Map<Cluster, number>>();
  for (const group of holders.values()) {
    if (group.length > tooCommon) continue;
    for (const [index, { cluster: a }] of group.entries()) {
      const counts = shared.get(a) ?? new Map<Cluster, number>();
      shared.set(a, counts);
      for (const { cluster: b } of group.slice(index + 1)) counts.set(b, (counts.get(b) ?? 0) + 1);
    }
  }
  const pairs = [...shared].flatMap(([a, others]) =>
    [...others].flatMap(([b, both]): Pair[] => {
      const all = a.features.size + b.features.size - both;
      return all >= fewest && both / all >= alike ? [{ a, b, likeness: both / all }] : [];
    }),
  );
  return pairs.sort(
    (x, y) => y.likeness - x.likeness || compareText(x.a.name, y.a.name) || compareText(x.b.name, y.b.name),
  );
}
