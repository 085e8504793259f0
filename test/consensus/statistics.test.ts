import { expect, test } from "vitest";
import { disagreement, wilson } from "../../src/consensus/decide/statistics.js";

// Values of R 4.3, prop.test(x, n, correct = FALSE)$conf.int, and of statsmodels proportion_confint(method="wilson").
test.each([
  [8, 10, 0.4902, 0.9433],
  [5, 10, 0.2366, 0.7634],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [1, 1, 0.2065, 1],
])("the interval of %i in %i is %f to %f", (hits, n, low, high) => {
  expect(wilson(hits, n)).toEqual([low, high]);
});

test("the interval of nothing is everything", () => {
  expect(wilson(0, 0)).toEqual([0, 1]);
});

test("disagreement is the share of pairs of runs that differ", () => {
  for (const sizes of [[5, 5], [9, 1], [3, 3, 3], [1, 1, 1, 1], [10]]) {
    const runs = sizes.flatMap((size, option) => Array.from({ length: size }, () => option));
    const pairs = runs.flatMap((a, at) => runs.slice(at + 1).map((b) => a !== b));
    expect(disagreement(sizes)).toBeCloseTo(pairs.filter(Boolean).length / pairs.length, 12);
  }
});

test("one run disagrees with nobody", () => {
  expect(disagreement([1])).toBe(0);
  expect(disagreement([])).toBe(0);
});
