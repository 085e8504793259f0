import { expect, test } from "vitest";
import { bestClass, classify, compareClasses, worstClass } from "../../src/consensus/decide/classes.js";
import type { DecisionClass } from "../../src/model/report.js";

test.each<[number[], DecisionClass]>([
  [[], "insufficient"],
  [[2], "insufficient"],
  [[1, 1], "insufficient"],
  [[3], "consensus"],
  [[10], "consensus"],
  [[8, 2], "strong"],
  [[4, 1], "strong"],
  [[79, 21], "split"],
  [[5, 5], "split"],
  [[1, 2], "split"],
  [[4, 4, 2], "split"],
  [[4, 3, 3], "scattered"],
  [[1, 1, 1], "scattered"],
  [[5, 1, 1, 1, 1, 1], "split"],
])("options of sizes %j are %s", (sizes, expected) => {
  expect(classify(sizes)).toBe(expected);
});

/** All ways so many runs can go, onto the options there are and, where allowed, onto new ones. */
function* ways(sizes: number[], missing: number, closed: boolean): Generator<number[]> {
  if (missing === 0) {
    yield sizes;
    return;
  }
  for (const [at, size] of sizes.entries()) {
    yield* ways(sizes.with(at, size + 1), missing - 1, closed);
  }
  if (!closed || sizes.length < 2) yield* ways([...sizes, 1], missing - 1, closed);
}

test.each([true, false])("worst and best class are those of trying every way (closed: %s)", (closed) => {
  for (const sizes of [
    [1],
    [3],
    [2, 2],
    [5, 1],
    [6, 2],
    [3, 2],
    ...(closed
      ? []
      : [
          [3, 2, 2],
          [4, 1, 1],
          [2, 1, 1, 1],
        ]),
  ]) {
    for (const missing of [0, 1, 2, 3, 4]) {
      const classes = [...ways(sizes, missing, closed)].map((way) => classify(way)).sort(compareClasses);
      expect({ sizes, missing, best: bestClass(sizes, missing) }).toEqual({ sizes, missing, best: classes[0] });
      expect({ sizes, missing, worst: worstClass(sizes, missing, { closed }) }).toEqual({
        sizes,
        missing,
        worst: classes.at(-1),
      });
    }
  }
});
