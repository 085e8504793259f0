import { expect, test } from "vitest";
import { base, built, runsWith, times } from "../support/alignment.js";
import { reportOf } from "../support/report.js";
import { check } from "../support/runs.js";

const films = (rule?: string) => {
  const made = built("films", "id title released:date");
  return [{ ...made, constraints: [...made.constraints, ...(rule ? [check(["released"], rule)] : [])] }];
};
const [early, late] = ["released > '1895-12-28'::date", "released >= '1895-12-01'::date"];
const told = (...rules: string[]) =>
  reportOf(runsWith(...times(6, films()), ...rules.map((rule) => films(rule))), base);

test("that several runs check a column is one choice, though each demands something else of it", () => {
  const [decision] = told(early, late).decisions;
  expect(decision?.title).toBe("What does a check demand of `films.released`?");
  expect(decision?.options.map(({ runs }) => runs.length)).toEqual([6, 2]);
  const labels = decision?.facts.flatMap(({ answers }) => answers.map(({ label }) => label));
  expect(labels).toEqual(
    expect.arrayContaining(["`released > '1895-12-28'::date`", "`released >= '1895-12-01'::date`"]),
  );
});

test("what a single run checks is its own", () => {
  const { decisions, oddOneOut } = told(early);
  expect(decisions).toEqual([]);
  expect(oddOneOut.flatMap(({ statements }) => statements)).toEqual([
    "check on `films.released`: `released > '1895-12-28'::date` (others: nothing)",
  ]);
});

test("runs that demand the same are told what", () => {
  const labels = told(early, early, late).decisions[0]?.options.map(({ label }) => label);
  expect(labels).toContain("`released > '1895-12-28'::date`");
});
