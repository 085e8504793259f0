/** Items by key, in the order they came; `Map.groupBy` for Node 20. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The connected parts of a graph: each as the set of its nodes, in the order they came. */
export function connected<T>(edges: Iterable<readonly [T, T]>): Set<T>[] {
  const partOf = new Map<T, Set<T>>();
  for (const [a, b] of edges) {
    const one = partOf.get(a) ?? new Set([a]);
    partOf.set(a, one);
    const other = partOf.get(b) ?? new Set([b]);
    partOf.set(b, other);
    if (one === other) continue;
    const [large, small] = one.size < other.size ? [other, one] : [one, other];
    for (const each of small) partOf.set(each, large.add(each));
  }
  return [...new Set(partOf.values())];
}
