import { expect, test } from "vitest";
import { mostFalseCovariations } from "./bars.js";
import { covariations } from "./coincidence.js";

const seeds = Array.from({ length: 40 }, (_, at) => 1001 + at);

test.each([5, 10, 20])("choices of %i runs that have nothing to do with each other are not one", (n) => {
  const sets = seeds.map((seed) => covariations(seed, n));
  const joined = sets.reduce((sum, each) => sum + each.joined, 0);
  const coincident = sets.reduce((sum, each) => sum + each.coincident, 0);
  expect(joined / seeds.length).toBeLessThanOrEqual(mostFalseCovariations);
  // Among few runs, equal divisions are common: without them nothing would have been put to the test.
  if (n <= 10) expect(coincident / seeds.length).toBeGreaterThan(0.5);
});
