import type { DecisionClass } from "../../model/report.js";

const best: readonly DecisionClass[] = ["consensus", "strong", "split", "scattered", "insufficient"];

/**
 * Class of a decision by the sizes of its options, in integers: fewer than 3 runs are insufficient; all on one option is
 * consensus, four fifths strong; half on one, or four fifths on two, split; else scattered.
 */
export function classify(sizes: readonly number[]): DecisionClass {
  const sorted = [...sizes].sort((a, b) => b - a);
  const n = sorted.reduce((sum, size) => sum + size, 0);
  const top = sorted[0] ?? 0;
  const second = sorted[1] ?? 0;
  if (n < 3) return "insufficient";
  if (top === n) return "consensus";
  if (5 * top >= 4 * n) return "strong";
  if (2 * top >= n || 5 * (top + second) >= 4 * n) return "split";
  return "scattered";
}

/**
 * Best class the missing runs could make: all of them on the top option, which is largest in top and in top + second at
 * once, and every class asks only for those two to be large.
 */
export function bestClass(sizes: readonly number[], missing: number): DecisionClass {
  const [top = 0, ...rest] = [...sizes].sort((a, b) => b - a);
  return classify([top + missing, ...rest]);
}

/**
 * Worst class the missing runs could make: one by one onto the smallest option, or onto a new one of its own where the
 * question is open (`closed` false), which keeps both the top and the second option as small as can be.
 */
export function worstClass(sizes: readonly number[], missing: number, { closed }: { closed: boolean }): DecisionClass {
  const bins = closed ? Math.max(2, sizes.length) : sizes.length + missing;
  const filled = Array.from({ length: bins }, (_, index) => sizes[index] ?? 0);
  for (let each = 0; each < missing; each++) {
    const smallest = filled.indexOf(Math.min(...filled));
    filled[smallest] = (filled[smallest] ?? 0) + 1;
  }
  return classify(filled);
}

/** Orders classes from consensus to scattered; insufficient is last. */
export function compareClasses(a: DecisionClass, b: DecisionClass): number {
  return best.indexOf(a) - best.indexOf(b);
}
