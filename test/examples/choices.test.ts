import { expect, test } from "vitest";
import { type Choice, choices, type Role } from "../../examples/teams/choices.mjs";

const seeds = Array.from({ length: 300 }, (_, seed) => seed);
const runsWith = (all: Choice[], test: (choice: Choice) => boolean) => all.filter(test).map((choice) => choice.run);
const cascading = (all: Choice[]) => runsWith(all, (choice) => choice.onTeamDelete === "cascade");
const personal = (all: Choice[]) => runsWith(all, (choice) => choice.existingUsers === "personal team");
const shared = (some: string[], others: string[]) => some.filter((run) => others.includes(run)).length;

test("the same seed and number of runs give the same choices", () => {
  expect(choices(7, 10)).toEqual(choices(7, 10));
});

test("the seed decides who takes which side", () => {
  expect(new Set(seeds.map((seed) => cascading(choices(seed, 10)).join())).size).toBeGreaterThan(100);
  expect(new Set(seeds.map((seed) => personal(choices(seed, 10)).join())).size).toBeGreaterThan(100);
});

test("ten runs split five to five on both questions, whatever the seed", () => {
  for (const seed of seeds) {
    const all = choices(seed, 10);
    expect(all.map((choice) => choice.run).join()).toBe("r01,r02,r03,r04,r05,r06,r07,r08,r09,r10");
    expect([seed, cascading(all).length, personal(all).length]).toEqual([seed, 5, 5]);
  }
});

test("the two splits are neither the same nor each other's reverse, whatever the seed", () => {
  for (const seed of seeds) {
    const all = choices(seed, 10);
    expect([seed, shared(cascading(all), personal(all))]).toEqual([seed, 2]);
  }
});

test("each role falls on one run of ten, and never two on the same", () => {
  const roles: Role[] = ["adds an index", "breaks a test", "hangs", "renames"];
  for (const seed of seeds) {
    const taken = choices(seed, 10).flatMap((choice) => choice.role ?? []);
    expect([seed, ...taken.sort()]).toEqual([seed, ...roles]);
  }
});

test("the run that hangs is one whose choices can be seen before it hangs", () => {
  for (const seed of seeds) {
    const hanging = choices(seed, 10).filter((choice) => choice.role === "hangs");
    expect(hanging.map((choice) => choice.existingUsers)).toEqual(["personal team"]);
  }
});

test("fewer than four runs have no role, and more runs have more of each", () => {
  const rolesFor = (runs: number) => choices(1, runs).filter((choice) => choice.role !== null).length;
  expect([1, 2, 3, 4, 5, 6, 7, 19, 20, 256].map(rolesFor)).toEqual([0, 0, 0, 1, 2, 3, 4, 4, 8, 100]);
});

test("both splits stay near half for any number of runs", () => {
  for (let runs = 1; runs <= 256; runs += 1) {
    const all = choices(3, runs);
    expect([runs, cascading(all).length, personal(all).length]).toEqual([
      runs,
      Math.floor(runs / 2),
      Math.floor(runs / 2),
    ]);
    if (runs > 2) {
      const overlap = shared(cascading(all), personal(all));
      expect(overlap).toBe(Math.floor(Math.floor(runs / 2) / 2));
    }
  }
});
