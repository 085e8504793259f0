import type { Report } from "../../../src/model/report.js";
import type { PlantedSet, TrueChoice } from "./domain.js";
import type { Found } from "./engine.js";
import { adjustedRand, countBy, divisionOf, divisionOfValues } from "./statistics.js";

/** How one set came out. */
export interface Score {
  tableAri: number;
  columnAri: number;
  /** Planted choices with two answers and at least three runs that answer: how many there were, and how many were found. */
  planted: number;
  found: number;
  /** Rows about differences, those of single runs too: how many there were, and how many show exactly one true choice. */
  shown: number;
  right: number;
  missed: string[];
  wrong: string[];
}

export function scoreOf(set: PlantedSet, found: Found): Score {
  const { tables, columns } = slotsOf(set, found);
  const open = set.choices.filter(({ values }) => new Set(values.values()).size > 1);
  const planted = open.filter(({ kind, values }) => kind === "planted" && values.size >= 3);
  const missed = planted.filter((choice) => !isFound(choice, found));
  const odd = found.oddOneOut.filter((row) => !open.some((choice) => isTold(choice, row)));
  const truths = new Set(open.map(({ values }) => divisionOfValues(values)));
  const decisions = found.decisions.filter((decision) => !truths.has(optionsOf(decision)));
  return {
    tableAri: adjustedRand(tables),
    columnAri: adjustedRand(columns),
    planted: planted.length,
    found: planted.length - missed.length,
    shown: found.decisions.length + found.oddOneOut.length,
    right: found.decisions.length + found.oddOneOut.length - decisions.length - odd.length,
    missed: missed.map(({ name, values }) => `${name}: ${divisionOfValues(values)}`),
    wrong: [
      ...decisions.map((decision) => `${decision.title}: ${optionsOf(decision)}`),
      ...odd.map(({ run, statements }) => `${run}: ${statements.join("; ")}`),
    ],
  };
}

/** What the engine takes for one and what is one: each new table, and each column, of each run. */
function slotsOf({ runs, specs }: PlantedSet, { aligned }: Found) {
  const tables: [string, string][] = [];
  const columns: [string, string][] = [];
  for (const run of runs) {
    const now = aligned.find(({ id }) => id === run.id)?.schema;
    for (const table of specs.get(run.id)?.tables ?? []) {
      const oid = run.schema?.tables.find(({ name }) => name === table.name)?.oid;
      const called = now?.tables.find((each) => each.oid === oid);
      if (called === undefined) throw new Error(`${table.name} of ${run.id} got lost`);
      if (table.isNew) tables.push([called.name, table.concept]);
      for (const [at, { concept }] of table.columns.entries()) {
        const column = called.columns.find(({ attnum }) => attnum === at + 1)?.name;
        columns.push([`${called.name}.${column}`, `${table.concept}.${concept}`]);
      }
    }
  }
  return { tables, columns };
}

function optionsOf({ options }: Report["decisions"][number]): string {
  return divisionOf(options.map(({ runs }) => runs));
}

/** A decision holds a fact that divides the runs so; or all who differ are alone and told as odd with it. */
function isFound(choice: TrueChoice, { decisions, oddOneOut }: Found): boolean {
  const division = divisionOfValues(choice.values);
  const facts = decisions.flatMap((decision) => [
    optionsOf(decision),
    ...decision.facts.map(({ answers }) => divisionOf(answers.map(({ runs }) => runs))),
  ]);
  if (facts.includes(division)) return true;
  const alone = loners(choice) ?? [];
  const isOdd = (run: string) => oddOneOut.some((row) => row.run === run && mentions(row, choice));
  return alone.length > 0 && alone.every(isOdd);
}

/** The runs that differ, where each of them is the only one with its answer. */
function loners({ values }: TrueChoice): string[] | undefined {
  const counts = countBy([...values.values()]);
  const most = Math.max(...counts.values());
  const alone = [...values].filter(([, value]) => counts.get(value) === 1).map(([run]) => run);
  return most > 1 && alone.length + most === values.size ? alone : undefined;
}

function isTold(choice: TrueChoice, row: Report["oddOneOut"][number]): boolean {
  return (loners(choice)?.includes(row.run) ?? false) && mentions(row, choice);
}

/** Names stand between back-ticks, columns behind their table. */
function mentions({ statements }: Report["oddOneOut"][number], { names, habit }: TrueChoice): boolean {
  const words = (each: string) => [...each.matchAll(/`([^`]+)`/g)].flatMap(([, name = ""]) => name.split("."));
  return statements.some((each) => habit?.test(each) || words(each).some((name) => names.has(name)));
}
