import type { BaseArtifacts, RunArtifacts } from "../../../src/model/fact.js";
import type { RunId } from "../../../src/model/ids.js";
import { randomOf } from "../../support/random.js";
import { artifactsOf, type RunSpec, schemaOf, type TableSpec } from "./spec.js";

/** One thing the runs of a set decided, each for itself. */
export interface Choice<Drawn> {
  /** What a run chose; undefined where its other choices leave it nothing to choose here. */
  of(drawn: Drawn): string | undefined;
  /** `planted`: a reviewer must see it. `incidental`: it was made too, and a row that shows it is right. */
  kind: "planted" | "incidental";
  /** Concepts of the tables and columns it is about. */
  about: string[];
  /** Of a habit that runs have in all they make: how a row may tell of it without naming any of that. */
  habit?: RegExp;
}

/** A task of which every run makes something else. `Drawn` holds all that a run chose. */
export interface Domain<Drawn> {
  name: string;
  base: RunSpec;
  /** All choices of all runs; probabilities belong to the set and are drawn first. */
  draw(random: () => number, n: number): Drawn[];
  build(drawn: Drawn): RunSpec;
  choices: Record<string, Choice<Drawn>>;
}

/** What is known to be true of a set. */
export interface PlantedSet {
  runs: RunArtifacts[];
  base: BaseArtifacts;
  specs: ReadonlyMap<RunId, RunSpec>;
  choices: TrueChoice[];
}

export interface TrueChoice {
  name: string;
  kind: "planted" | "incidental";
  /** By run; runs that had nothing to choose are not in it. */
  values: ReadonlyMap<RunId, string>;
  /** Every name any run has for what it is about. */
  names: ReadonlySet<string>;
  habit: RegExp | undefined;
}

export interface PlantOptions {
  n: number;
  /** `own`: as runs name things; `none`: new tables have names without meaning; `true`: one name per thing in all runs. */
  names?: "own" | "none" | "true";
}

/** Makes a set of runs of which every true choice is known. The seed alone decides. */
export function plant<Drawn>(domain: Domain<Drawn>, seed: number, { n, names = "own" }: PlantOptions): PlantedSet {
  const drawn = domain.draw(randomOf(seed), n);
  const noise = randomOf(seed * 77);
  const specs = drawn.map((each) => renamed(domain.build(each), names, noise));
  const runs = specs.map((spec, at) => artifactsOf(at + 1, spec));
  const ids = runs.map(({ id }) => id);
  const choices = Object.entries(domain.choices).map(([name, { of, kind, about, habit }]) => ({
    name,
    kind,
    habit,
    values: new Map(
      ids.flatMap((id, at) => {
        const one = drawn[at];
        const value = one && of(one);
        return value === undefined ? [] : [[id, value] as const];
      }),
    ),
    names: namesOf(about, specs),
  }));
  return {
    runs,
    base: { schema: schemaOf(domain.base), checks: null },
    specs: new Map(ids.flatMap((id, at) => (specs[at] ? [[id, specs[at]] as const] : []))),
    choices,
  };
}

function renamed(spec: RunSpec, names: NonNullable<PlantOptions["names"]>, random: () => number): RunSpec {
  if (names === "own") return spec;
  const noise = () => `x${Math.floor(random() * 1e9).toString(36)}`;
  const tables = spec.tables.map((each) => (each.isNew && names === "none" ? { ...each, name: noise() } : each));
  return { ...spec, tables: names === "true" ? tables.map(trulyNamed) : tables };
}

function trulyNamed(table: TableSpec): TableSpec {
  const word = (concept: string) => concept.replaceAll(".", "_");
  const now = new Map(table.columns.map(({ name, concept }) => [name, word(concept)]));
  const other = (names: readonly string[]) => names.map((name) => now.get(name) ?? name);
  return {
    ...table,
    name: table.isNew ? word(table.concept) : table.name,
    columns: table.columns.map((each) => ({ ...each, name: word(each.concept) })),
    key: other(table.key),
    uniques: (table.uniques ?? []).map(other),
    indexes: (table.indexes ?? []).map(other),
  };
}

function namesOf(concepts: readonly string[], specs: readonly RunSpec[]): Set<string> {
  const tables = specs.flatMap((spec) => spec.tables);
  const all = [...tables, ...tables.flatMap(({ columns }) => columns)];
  return new Set(all.flatMap(({ concept, name }) => (concepts.includes(concept) ? [name] : [])));
}

/** Chances of a yes and a no, or of the first and the second option: one of them at least even. */
export function chances(random: () => number): [number, number] {
  const first = 0.5 + 0.5 * random();
  return [first, 1 - first];
}

/** One of the options; the last takes what the shares leave. */
export function pick<T>(random: () => number, options: readonly [T, ...T[]], shares: readonly number[]): T {
  let left = random();
  for (const [at, share] of shares.slice(0, options.length - 1).entries()) {
    const option = options[at];
    if (left < share && option !== undefined) return option;
    left -= share;
  }
  return options.at(-1) ?? options[0];
}

export function planted<Drawn>(of: Choice<Drawn>["of"], ...about: string[]): Choice<Drawn> {
  return { of, kind: "planted", about };
}

export function plantedHabit<Drawn>(habit: RegExp, of: Choice<Drawn>["of"], ...about: string[]): Choice<Drawn> {
  return { of, kind: "planted", about, habit };
}

export function incidental<Drawn>(of: Choice<Drawn>["of"], ...about: string[]): Choice<Drawn> {
  return { of, kind: "incidental", about };
}

export const yesNo = (value: boolean): string => (value ? "yes" : "no");
