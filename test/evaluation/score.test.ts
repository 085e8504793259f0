import { expect, test } from "vitest";
import type { RunId } from "../../src/model/ids.js";
import { reportOf } from "../support/report.js";
import { column, id, key, run, snapshot, table } from "../support/runs.js";
import type { PlantedSet, TrueChoice } from "./planted/domain.js";
import type { Found } from "./planted/engine.js";
import { scoreOf } from "./planted/score.js";

const notes = (...columns: string[]) =>
  table("notes", { columns: [id(), ...columns.map((name) => column(name, "text"))], constraints: [key("id")] });
const made = [["colour"], ["colour"], ["colour"], [], [], ["size"]].map((names) => notes(...names));
const runs = made.map((each, at) => run(at + 1, { schema: snapshot([each]) }));
const ids = runs.map(({ id }) => id);
const base = { schema: snapshot([]), checks: null };

/** Colour and size are chosen, and nothing else is. */
const choices: TrueChoice[] = [
  choice("colour", ({ columns }) => columns.some(({ name }) => name === "colour")),
  choice("size", ({ columns }) => columns.some(({ name }) => name === "size")),
];

function choice(name: string, of: (table: (typeof made)[number]) => boolean): TrueChoice {
  const values = made.map((each, at): [RunId, string] => [ids[at] as RunId, `${of(each)}`]);
  return { name, kind: "planted", values: new Map(values), names: new Set([name]), habit: undefined };
}

const spec = (each: (typeof made)[number]) => ({
  concept: "notes",
  name: "notes",
  isNew: true,
  key: ["id"],
  columns: each.columns.map(({ name, type }) => ({ concept: name, name, type })),
});
const specs = new Map(ids.map((id, at) => [id, { tables: made.slice(at, at + 1).map(spec) }]));
const set: PlantedSet = { runs, base, choices, specs };
const { decisions, oddOneOut } = reportOf(runs, base);
const found: Found = { decisions, oddOneOut, aligned: runs };

test("a decision that divides the runs as a choice did, and a row about the run that was alone, are right", () => {
  expect(decisions.map(({ title }) => title)).toEqual(["Does `notes` hold `colour`?"]);
  expect(scoreOf(set, found)).toMatchObject({ planted: 2, found: 2, shown: 2, right: 2, missed: [], wrong: [] });
});

test("a row that no choice explains is wrong", () => {
  const [decision] = decisions;
  const [first, second] = decision?.options ?? [];
  if (!decision || !first || !second) throw new Error("there is one decision with two options");
  const options = [
    { ...first, runs: ids.slice(0, 2) },
    { ...second, runs: ids.slice(2) },
  ];
  expect(scoreOf(set, { ...found, decisions: [{ ...decision, options, facts: [] }] })).toMatchObject({
    found: 1,
    right: 1,
    wrong: [expect.stringContaining("r01,r02 | r03,r04,r05,r06")],
  });
});

test("a row about a run that was not alone is wrong, and so is one about something else", () => {
  const other = { ...found, oddOneOut: [{ run: ids[0] as RunId, statements: ["adds `notes.colour`"] }] };
  expect(scoreOf(set, other)).toMatchObject({ found: 1, right: 1, shown: 2 });
  const beside = { ...found, oddOneOut: [{ run: ids[5] as RunId, statements: ["adds `notes.weight`"] }] };
  expect(scoreOf(set, beside)).toMatchObject({ found: 1, right: 1, shown: 2 });
});

test("a row about a run's habit is right where it tells of the habit without any name", () => {
  const telling = [{ run: ids[5] as RunId, statements: ["sizes: large (others: small)"] }];
  const habits = choices.map((each) => (each.name === "size" ? { ...each, habit: /sizes/ } : each));
  expect(scoreOf(set, { ...found, oddOneOut: telling })).toMatchObject({ found: 1, right: 1 });
  expect(scoreOf({ ...set, choices: habits }, { ...found, oddOneOut: telling })).toMatchObject({ found: 2, right: 2 });
});

test("tables that are called apart are told apart by the measure of alignment", () => {
  const [first, ...others] = runs;
  if (!first?.schema) throw new Error("there is a first run");
  const tables = first.schema.tables.map((each) => ({ ...each, name: "memos" }));
  const aligned = [{ ...first, schema: { ...first.schema, tables } }, ...others];
  expect(scoreOf(set, found)).toMatchObject({ tableAri: 1, columnAri: 1 });
  expect(scoreOf(set, { ...found, aligned }).tableAri).toBe(0);
  expect(scoreOf(set, { ...found, aligned }).columnAri).toBeLessThan(1);
});
