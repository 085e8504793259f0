/**
 * Adjusted Rand index of two labellings of the same items: 1 where they group alike, about 0 where only by chance.
 * Hubert and Arabie 1985, "Comparing partitions", Journal of Classification 2.
 */
export function adjustedRand(pairs: readonly (readonly [found: string, truth: string])[]): number {
  const both = countBy(pairs.map((pair) => JSON.stringify(pair)));
  const found = countBy(pairs.map(([each]) => each));
  const truth = countBy(pairs.map(([, each]) => each));
  const expected = (sumOfPairs(found) * sumOfPairs(truth)) / choose2(pairs.length);
  const most = (sumOfPairs(found) + sumOfPairs(truth)) / 2;
  return most === expected ? 1 : (sumOfPairs(both) - expected) / (most - expected);
}

export function countBy(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const choose2 = (n: number) => (n * (n - 1)) / 2;
const sumOfPairs = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, n) => sum + choose2(n), 0);

/** Runs by what they chose, written so that two divisions of the same runs are equal as text. */
export function divisionOf(groups: readonly (readonly string[])[]): string {
  return groups
    .map((runs) => [...runs].sort().join())
    .sort()
    .join(" | ");
}

/** The same of values by run. */
export function divisionOfValues(values: ReadonlyMap<string, string>): string {
  const groups = new Map<string, string[]>();
  for (const [run, value] of values) groups.set(value, [...(groups.get(value) ?? []), run]);
  return divisionOf([...groups.values()]);
}
