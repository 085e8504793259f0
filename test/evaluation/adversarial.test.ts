import { expect, test } from "vitest";
import { adversaries, areOne, shares } from "./adversarial.js";
import { mostFalseMerges } from "./bars.js";

test("no two tables that are different things are taken for one, however the runs are shared", () => {
  const merged = adversaries
    .filter(({ same }) => !same)
    .flatMap((pair) =>
      shares.filter((ofFirst) => areOne(pair, ofFirst)).map((n) => `${pair.one}, ${pair.other}: ${n}`),
    );
  expect(merged.length, merged.join("; ")).toBe(mostFalseMerges);
});

for (const pair of adversaries.filter(({ same }) => same)) {
  test(`${pair.one} and ${pair.other} are one thing`, () => {
    expect(shares.filter((ofFirst) => !areOne(pair, ofFirst))).toEqual([]);
  });
}
