import { clinic } from "./clinic.js";
import { type Domain, type PlantedSet, type PlantOptions, plant } from "./domain.js";
import { compare, compareByName } from "./engine.js";
import { scoreOf } from "./score.js";
import { shop } from "./shop.js";
import { teams } from "./teams.js";

/** Looked at while the engine is built: what it does on these proves nothing. */
export const tuningSeeds = range(1, 60);
/** Never looked at one by one, and no constant of the engine may be chosen by them. */
export const testSeeds = range(1001, 1040);

/**
 * `full`: as runs name things; `obfuscated`: new tables have names without meaning; `byName`: nothing is aligned, the
 * baseline; `oracle`: all runs use one name for one thing, so that what is missed is missed by the decisions.
 */
export const configurations = ["full", "obfuscated", "byName", "oracle"] as const;
export type Configuration = (typeof configurations)[number];

type Planter = (seed: number, options: PlantOptions) => PlantedSet;

function planter<Drawn>(domain: Domain<Drawn>): Planter {
  return (seed, options) => plant(domain, seed, options);
}

export const domains = { teams: planter(teams), shop: planter(shop), clinic: planter(clinic) };
export type DomainName = keyof typeof domains;
export const domainNames = Object.keys(domains) as DomainName[];

/** Over all seeds: mean of the indices, shares of all choices and of all rows. */
export interface Measures {
  tableAri: number;
  columnAri: number;
  recall: number;
  precision: number;
  rowsPerSet: number;
  missed: string[];
  wrong: string[];
}

export interface Asked {
  domain: DomainName;
  configuration: Configuration;
  seeds: readonly number[];
  n?: number;
}

export function measure({ domain, configuration, seeds, n = 10 }: Asked): Measures {
  const scores = seeds.map((seed) => {
    const names = configuration === "obfuscated" ? "none" : configuration === "oracle" ? "true" : "own";
    const set = domains[domain](seed, { n, names });
    const find = configuration === "byName" || configuration === "oracle" ? compareByName : compare;
    return { seed, score: scoreOf(set, find(set.runs, set.base)) };
  });
  const total = (of: "tableAri" | "columnAri" | "planted" | "found" | "shown" | "right") =>
    scores.reduce((sum, { score }) => sum + score[of], 0);
  const lines = (of: "missed" | "wrong") =>
    scores.flatMap(({ seed, score }) => score[of].map((line) => `seed ${seed}: ${line}`));
  return {
    tableAri: total("tableAri") / seeds.length,
    columnAri: total("columnAri") / seeds.length,
    recall: total("found") / total("planted"),
    precision: total("right") / total("shown"),
    rowsPerSet: total("shown") / seeds.length,
    missed: lines("missed"),
    wrong: lines("wrong"),
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
