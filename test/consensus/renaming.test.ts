import { expect, test } from "vitest";
import { align } from "../../src/consensus/align/align.js";
import { readShapes } from "../../src/facts/shapes.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { designBase, designRun, otherwise, plainly, randomDesign, type Say } from "../support/designs.js";
import { randomOf, shuffled } from "../support/random.js";
import { reportOf } from "../support/report.js";

const seeds = Array.from({ length: 40 }, (_, seed) => seed);
const sizes = [3, 5, 8, 10];

/** Runs of one design that take their own choices, the spelling of each as given. */
function runsOf(seed: number, sayOf: (n: number) => Say): RunArtifacts[] {
  const design = randomDesign(randomOf(seed));
  return Array.from({ length: sizes[seed % sizes.length] ?? 3 }, (_, at) =>
    designRun(at + 1, design, { random: randomOf(1_000 * seed + at), say: sayOf(at + 1) }),
  );
}

const same = (runs: RunArtifacts[]) => {
  const { naming, candidate, ...rest } = reportOf(runs, designBase);
  return rest;
};

test.each(seeds)("other names for everything one run made change nothing but the names told (seed %i)", (seed) => {
  const before = runsOf(seed, () => plainly);
  const after = runsOf(seed, (n) => (n === 2 ? otherwise : plainly));
  expect(JSON.stringify(after[1]?.schema)).not.toContain("thing_a");
  expect(reportOf(before, designBase).naming).toEqual([]);
  expect(same(after)).toEqual(same(before));
  const { naming } = reportOf(after, designBase);
  expect(naming.map(({ options }) => options.map(({ runs }) => runs.length))).toEqual([[after.length - 1, 1]]);
});

test.each(seeds)("runs that all name things their own way are compared as if they did not (seed %i)", (seed) => {
  const own =
    (n: number): Say =>
    (name, column) =>
      (n === 1 ? plainly : otherwise)(name, column) + (n > 2 ? `_${n}` : "");
  const counts = (runs: RunArtifacts[]) =>
    reportOf(runs, designBase)
      .decisions.map(({ dimension, class: kind, options }) =>
        [dimension, kind, ...options.map(({ runs }) => runs.length)].join(),
      )
      .sort();
  expect(counts(runsOf(seed, own))).toEqual(counts(runsOf(seed, () => plainly)));
});

test.each(seeds.slice(0, 10))("the order of runs changes no byte where names differ (seed %i)", (seed) => {
  const runs = runsOf(seed, (n) => (n % 2 === 0 ? otherwise : plainly));
  const mixed = shuffled(runs, randomOf(seed)).map((each) => ({
    ...each,
    schema: each.schema && { ...each.schema, tables: shuffled(each.schema.tables, randomOf(seed)) },
  }));
  expect(JSON.stringify(reportOf(mixed, designBase))).toBe(JSON.stringify(reportOf(runs, designBase)));
});

test("the artifacts that are compared stay as they were", () => {
  const runs = runsOf(3, (n) => (n === 2 ? otherwise : plainly));
  const before = JSON.stringify(runs);
  reportOf(runs, designBase);
  expect(JSON.stringify(runs)).toBe(before);
});

test("fifty runs with twenty-seven tables each, all named differently, are aligned in a moment", () => {
  const tables = Array.from({ length: 27 }, (_, at) => ({
    name: `table_${at}`,
    kinds: ["boolean", "date", "jsonb", "uuid", "bytea"].filter((_, bit) => (at + 1) & (1 << bit)),
    targets: at === 0 ? ["users"] : ["users", `table_${Math.floor((at - 1) / 2)}`],
    distinct: at % 3 === 0,
  }));
  const own =
    (n: number): Say =>
    (table, column) =>
      `${column ?? table}_${n}`;
  const design = {
    tables: tables.map((each) => ({
      ...each,
      name: each.name.replace("table_0", "thing_a"),
      targets: each.targets.map((to) => to.replace(/^table_0$/, "thing_a")),
    })),
  };
  const runs = Array.from({ length: 50 }, (_, at) => designRun(at + 1, design, { random: randomOf(at), say: own(at) }));
  const shapes = readShapes(runs, designBase);
  const start = performance.now();
  const { groups, renaming } = align(shapes);
  const took = performance.now() - start;
  expect(groups.length).toBe(1);
  expect(new Set(renaming.values()).size).toBeLessThan(renaming.size / 49);
  expect(took).toBeLessThan(3_000);
});
