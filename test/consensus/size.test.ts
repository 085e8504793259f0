import { expect, test } from "vitest";
import { demoBase } from "../support/demo.js";
import { reportOf } from "../support/report.js";
import { column, id, key, refers, run, snapshot, table } from "../support/runs.js";

const many = (n: number, count: number, word: string) =>
  run(n, {
    schema: snapshot([
      ...(demoBase.schema?.tables ?? []),
      ...Array.from({ length: count }, (_, at) =>
        table(`${word}_${at}`, {
          salt: n,
          columns: [id(), column("name", "text"), column("user_id", "integer")],
          constraints: [key("id"), refers("user_id", "users", at % 2 ? "cascade" : "no action")],
        }),
      ),
    ]),
  });

const sets = {
  "three runs with 2,000 tables each": () => [1, 2, 3].map((n) => many(n, 2_000, "thing")),
  "three runs with 2,000 tables of their own": () => [1, 2, 3].map((n) => many(n, 2_000, `t${n}`)),
  "one run with 2,000 tables beside two with three": () => [
    many(1, 2_000, "thing"),
    many(2, 3, "thing"),
    many(3, 3, "thing"),
  ],
};

test.each(Object.entries(sets))(
  "%s are compared in seconds",
  (_name, make) => {
    const runs = make();
    const started = performance.now();
    const report = reportOf(runs, demoBase);
    const took = performance.now() - started;
    const size = JSON.stringify(report).length;
    expect(took).toBeLessThan(15_000);
    expect(size).toBeLessThan(5_000_000);
  },
  200_000,
);

test("what is beyond the tables that are compared is counted, and missing in the run that made it", () => {
  const runs = [many(1, 2_000, "thing"), many(2, 210, "thing"), many(3, 3, "thing"), many(4, 3, "thing")];
  const report = reportOf(runs, demoBase);
  const told = JSON.stringify([report.oddOneOut, report.decisions]);
  expect(told).toContain("1,800 more tables");
  // The first by name are compared: `thing_999` is not, and nobody is said to lack or to have it.
  expect(told).not.toContain("thing_999");
});

test("a table that a run made beyond those that are compared is missing in it, and no no", () => {
  const only = (n: number) => {
    const whole = many(n, 1_000, "thing");
    const tables = whole.schema?.tables.filter(({ name }) => name === "thing_999" || !name.startsWith("thing")) ?? [];
    return { ...whole, schema: snapshot(tables) };
  };
  const report = reportOf([many(1, 2_000, "thing"), only(2), only(3), only(4)], demoBase);
  expect(report.agreed.find(({ title }) => title === "`thing_999`")).toMatchObject({ counted: 3, of: 4 });
});
