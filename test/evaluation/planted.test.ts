import { expect, test } from "vitest";
import { bars, clearlyWorse, nameOf } from "./bars.js";
import {
  type Configuration,
  type DomainName,
  domainNames,
  type Measures,
  measure,
  testSeeds,
  tuningSeeds,
} from "./planted/measure.js";
import { adjustedRand } from "./planted/statistics.js";

const measured = new Map<string, Measures>();

function figures(domain: DomainName, configuration: Configuration): Measures {
  const key = `${domain} ${configuration}`;
  const found = measured.get(key) ?? measure({ domain, configuration, seeds: testSeeds });
  measured.set(key, found);
  return found;
}

/** These seeds are not for looking at: what to mend shows in `npm run bench consensus -- --tuning`. */
for (const { domain, bar } of domainNames.flatMap((domain) => bars.map((bar) => ({ domain, bar })))) {
  test(`${nameOf(domain, bar)} is at least ${bar.atLeast}`, () => {
    expect(figures(domain, bar.configuration)[bar.measure]).toBeGreaterThanOrEqual(bar.atLeast);
  });
}

for (const { measure, by } of clearlyWorse) {
  for (const domain of domainNames) {
    test(`${nameOf(domain, { configuration: "byName", measure })} is worse by ${by}`, () => {
      expect(figures(domain, "byName")[measure]).toBeLessThanOrEqual(figures(domain, "full")[measure] - by);
    });
  }
}

test("one name per thing is a perfect alignment, so the measure of alignment is sound", () => {
  for (const domain of domainNames) {
    expect(figures(domain, "oracle")).toMatchObject({ tableAri: 1, columnAri: 1 });
  }
});

test("no seed that is used here may be used to tune", () => {
  expect(testSeeds.filter((seed) => tuningSeeds.includes(seed))).toEqual([]);
});

test("the adjusted Rand index is that of its paper", () => {
  const labelled = (found: string, truth: string) => [...found].map((each, at) => [each, truth[at] ?? ""] as const);
  expect(adjustedRand(labelled("aabb", "xxyy"))).toBe(1);
  expect(adjustedRand(labelled("aabb", "xyxy"))).toBeCloseTo(-0.5, 9);
  expect(adjustedRand(labelled("aaabbb", "xxyyzz"))).toBeCloseTo(0.2424, 4);
});
