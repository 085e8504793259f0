import { adversaries, areOne, shares } from "../test/evaluation/adversarial.js";
import { bars, clearlyWorse, mostFalseCovariations, mostFalseMerges, nameOf } from "../test/evaluation/bars.js";
import { covariations } from "../test/evaluation/coincidence.js";
import {
  configurations,
  domainNames,
  type Measures,
  measure,
  testSeeds,
  tuningSeeds,
} from "../test/evaluation/planted/measure.js";

/**
 * How well the engine finds what was planted: one line of JSON per domain and configuration, then every bar with what
 * was measured. `--tuning` measures the seeds to look at while building, and says what was missed and what was wrong.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const tuning = args.includes("--tuning");
  const seeds = tuning ? tuningSeeds : testSeeds;
  const all = new Map<string, Measures>();
  for (const configuration of configurations) {
    for (const domain of domainNames) {
      const begun = performance.now();
      const found = measure({ domain, configuration, seeds });
      const { missed, wrong, ...figures } = found;
      all.set(`${domain} ${configuration}`, found);
      if (tuning) for (const line of missed) console.log(`${domain} ${configuration} missed ${line}`);
      if (tuning) for (const line of wrong) console.log(`${domain} ${configuration} wrong ${line}`);
      console.log(
        JSON.stringify({ domain, configuration, ...figures, ms: Math.round(performance.now() - begun) }, digits),
      );
    }
  }
  const measured = { ...planted(all), ...pairs(), falseCovariation: falseCovariation(seeds) };
  const missed = Object.entries(measured).filter(([, { reached }]) => !reached);
  for (const [name, { value, bar }] of Object.entries(measured))
    console.log(JSON.stringify({ name, value, bar }, digits));
  return {
    name: "consensus",
    seeds: [seeds[0], seeds.at(-1)],
    bars: Object.keys(measured).length,
    missed: Object.fromEntries(missed.map(([name, { value }]) => [name, digits("", value)])),
  };
}

interface Figure {
  value: number;
  bar: string;
  reached: boolean;
}

function planted(all: ReadonlyMap<string, Measures>): Record<string, Figure> {
  const found: Record<string, Figure> = {};
  for (const domain of domainNames) {
    for (const bar of bars) {
      const value = all.get(`${domain} ${bar.configuration}`)?.[bar.measure] ?? Number.NaN;
      found[nameOf(domain, bar)] = { value, bar: `>= ${bar.atLeast}`, reached: value >= bar.atLeast };
    }
    for (const { measure, by } of clearlyWorse) {
      const value = all.get(`${domain} byName`)?.[measure] ?? Number.NaN;
      const most = (all.get(`${domain} full`)?.[measure] ?? Number.NaN) - by;
      const name = nameOf(domain, { configuration: "byName", measure });
      found[name] = { value, bar: `<= ${most.toFixed(3)}`, reached: value <= most };
    }
  }
  return found;
}

/** False merges in all, and for each pair that is one thing in how many of the shares it is found. */
function pairs(): Record<string, Figure> {
  const merged = (pair: (typeof adversaries)[number]) => shares.filter((ofFirst) => areOne(pair, ofFirst)).length;
  const apart = adversaries.filter(({ same }) => !same).reduce((sum, pair) => sum + merged(pair), 0);
  const together = adversaries
    .filter(({ same }) => same)
    .map((pair) => {
      const value = merged(pair);
      return [`${pair.one} and ${pair.other}`, { value, bar: `= ${shares.length}`, reached: value === shares.length }];
    });
  const falseMerges = { value: apart, bar: `<= ${mostFalseMerges}`, reached: apart <= mostFalseMerges };
  return { falseMerges, ...Object.fromEntries(together) };
}

function falseCovariation(seeds: readonly number[]): Figure {
  const value = seeds.reduce((sum, seed) => sum + covariations(seed, 10).joined, 0) / seeds.length;
  return { value, bar: `<= ${mostFalseCovariations}`, reached: value <= mostFalseCovariations };
}

/** Three digits are enough for every figure here. */
function digits(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
