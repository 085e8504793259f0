/** Something to be clustered. What the same run holds twice (or a person keeps apart) never comes together. */
export interface Anchor {
  /** Its canonical content: orders anchors, and so decides ties. */
  key: string;
  /** How many runs hold it. */
  runs: number;
  /** Two anchors with one of these in common are two things. */
  holders: ReadonlySet<string>;
}

/** Two clusters became one: an anchor of either, and how alike they were. */
export interface Joining<T> {
  one: T;
  other: T;
  score: number;
}

interface Linkage<T> {
  likeness(one: T, other: T): number;
  threshold: number;
  /** Added where two clusters together are held by nearly all runs. */
  bonus?: { runs: number; add: number };
}

/** Sums of the same numbers in another order differ in their last digits; a tie must not depend on those. */
export function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

interface Cluster<T> {
  first: T;
  size: number;
  runs: number;
  holders: Set<string>;
  alive: boolean;
  /** The likenesses to all others, by place. */
  row: Float64Array;
  best: { at: number; score: number };
}

/**
 * Agglomerative clustering with average linkage, a cannot-link rule and a threshold, after MSCD-HAC (A. Saeedi, L. David,
 * E. Rahm, "Matching Entities from Multiple Sources with Hierarchical Agglomerative Clustering", KEOD 2021): the most alike
 * clusters are merged first, a cluster weighs as many as its anchors, ties go to the first by key. Memory: eight bytes for
 * each two anchors.
 */
export function agglomerate<T extends Anchor>(anchors: readonly T[], linkage: Linkage<T>): Joining<T>[] {
  const ordered = [...anchors].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const clusters = ordered.map((anchor): Cluster<T> => {
    const row = new Float64Array(ordered.length);
    return {
      first: anchor,
      size: 1,
      runs: anchor.runs,
      holders: new Set(anchor.holders),
      alive: true,
      row,
      best: nothing,
    };
  });
  for (const [at, one] of clusters.entries()) {
    for (let to = at + 1; to < clusters.length; to++) {
      const other = clusters[to];
      if (other === undefined || meet(one, other)) continue;
      one.row[to] = rounded(linkage.likeness(one.first, other.first));
      other.row[at] = one.row[to] ?? 0;
    }
  }
  for (const at of clusters.keys()) findBest(clusters, at, linkage);
  return joinAll(clusters, linkage);
}

const nothing = { at: -1, score: -1 };

function joinAll<T>(clusters: Cluster<T>[], linkage: Linkage<T>): Joining<T>[] {
  const joinings: Joining<T>[] = [];
  for (;;) {
    let at = -1;
    for (const [place, { alive, best }] of clusters.entries()) {
      if (alive && best.at >= 0 && best.score > (clusters[at]?.best.score ?? -1)) at = place;
    }
    const one = clusters[at];
    const to = one?.best.at ?? -1;
    const other = clusters[to];
    if (one === undefined || other === undefined) return joinings;
    joinings.push({ one: one.first, other: other.first, score: Math.min(one.best.score, 1) });
    join(clusters, one, other);
    refresh(clusters, { at, gone: to }, linkage);
  }
}

/** Lance-Williams update of average linkage (G. Lance and W. Williams, Computer Journal 9, 1967). */
function join<T>(clusters: readonly Cluster<T>[], one: Cluster<T>, other: Cluster<T>): void {
  const at = clusters.indexOf(one);
  for (const [place, { alive, row }] of clusters.entries()) {
    if (!alive) continue;
    const sum = one.size * (one.row[place] ?? 0) + other.size * (other.row[place] ?? 0);
    one.row[place] = rounded(sum / (one.size + other.size));
    row[at] = one.row[place] ?? 0;
  }
  other.alive = false;
  one.size += other.size;
  one.runs += other.runs;
  for (const holder of other.holders) one.holders.add(holder);
}

function refresh<T>(clusters: Cluster<T>[], { at, gone }: { at: number; gone: number }, linkage: Linkage<T>): void {
  findBest(clusters, at, linkage);
  for (const [place, cluster] of clusters.entries()) {
    if (!cluster.alive || place === at || place > gone) continue;
    if (cluster.best.at === at || cluster.best.at === gone) findBest(clusters, place, linkage);
    else if (place < at) consider(clusters, place, at, linkage);
  }
}

/** Only what comes after it: each two clusters are looked at once. */
function findBest<T>(clusters: readonly Cluster<T>[], at: number, linkage: Linkage<T>): void {
  const one = clusters[at];
  if (one === undefined) return;
  one.best = nothing;
  for (let to = at + 1; to < clusters.length; to++) consider(clusters, at, to, linkage);
}

function consider<T>(clusters: readonly Cluster<T>[], at: number, to: number, linkage: Linkage<T>): void {
  const [one, other] = [clusters[at], clusters[to]];
  if (one === undefined || other?.alive !== true) return;
  const { bonus, threshold } = linkage;
  const whole = bonus !== undefined && 10 * (one.runs + other.runs) >= 9 * bonus.runs;
  const score = rounded((one.row[to] ?? 0) + (whole ? bonus.add : 0));
  const { best } = one;
  if (score < threshold || score < best.score || (score === best.score && best.at < to)) return;
  if (!meet(one, other)) one.best = { at: to, score };
}

function meet(one: Pick<Anchor, "holders">, other: Pick<Anchor, "holders">): boolean {
  const [small, large] = one.holders.size < other.holders.size ? [one, other] : [other, one];
  for (const holder of small.holders) if (large.holders.has(holder)) return true;
  return false;
}
