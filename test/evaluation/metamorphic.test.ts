import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunArtifacts } from "../../src/model/fact.js";
import { runId } from "../../src/model/ids.js";
import type { Report } from "../../src/model/report.js";
import { randomOf, shuffled } from "../support/random.js";
import { noBase, reportOf } from "../support/report.js";
import { run } from "../support/runs.js";
import { alignedRuns } from "./planted/engine.js";
import { domainNames, domains } from "./planted/measure.js";
import { divisionOf } from "./planted/statistics.js";

/** Seeds of their own, so that nobody tunes on what is measured elsewhere. */
const planted = fc
  .record({ domain: fc.constantFrom(...domainNames), seed: fc.integer({ min: 5001, max: 9999 }), at: fc.nat(9) })
  .map(({ domain, seed, at }) => ({ ...domains[domain](seed, { n: 10, names: "own" }), seed, at }));
type Planted = typeof planted extends fc.Arbitrary<infer T> ? T : never;

/** The same sets every time: a build that fails must fail again. */
function always(name: string, holds: (set: Planted) => void): void {
  test(name, () => {
    fc.assert(fc.property(planted, holds), { seed: 2026, numRuns: 15 });
  });
}

function groupsOf(answers: readonly { runs: readonly string[] }[], name = (id: string) => id): string {
  return divisionOf(answers.map(({ runs }) => runs.map(name)));
}

/** Everything that is decided, without the words for it. */
function decided({ decisions, oddOneOut }: Report, name = (id: string) => id) {
  return {
    decisions: decisions.map(({ options, class: kind }) => `${kind} ${groupsOf(options, name)}`).sort(),
    odd: oddOneOut.map(({ run }) => name(run)).sort(),
  };
}

const called = (run: RunArtifacts, id: RunArtifacts["id"]): RunArtifacts => ({
  ...run,
  id,
  record: run.record && { ...run.record, id },
});

always("the order of runs, tables, columns and rules changes no byte", ({ runs, base, seed }) => {
  const random = randomOf(seed);
  const mixed = shuffled(runs, random).map((each) => ({
    ...each,
    schema: each.schema && {
      ...each.schema,
      enums: shuffled(each.schema.enums, random),
      tables: shuffled(each.schema.tables, random).map((table) => ({
        ...table,
        columns: shuffled(table.columns, random),
        constraints: shuffled(table.constraints, random),
        indexes: shuffled(table.indexes, random),
      })),
    },
  }));
  expect(JSON.stringify(reportOf(mixed, base))).toBe(JSON.stringify(reportOf(runs, base)));
});

always("other ids for the runs move the ids and nothing else", ({ runs, base, seed }) => {
  const ids = shuffled(
    runs.map(({ id }) => id),
    randomOf(seed),
  );
  const back = new Map<string, string>(ids.map((id, at) => [id, runs[at]?.id ?? id]));
  const renamed = runs.map((each, at) => called(each, ids[at] ?? each.id));
  expect(decided(reportOf(renamed, base), (id) => back.get(id) ?? id)).toEqual(decided(reportOf(runs, base)));
});

/** Which new tables of which runs are one, told by their own names. */
function slots({ runs, base }: Pick<Planted, "runs" | "base">, only: readonly string[]): string {
  const slots = new Map<string, string[]>();
  for (const { id, schema } of alignedRuns(runs, base)) {
    const own = runs.find((each) => each.id === id)?.schema;
    for (const table of only.includes(id) ? (schema?.tables ?? []) : []) {
      const name = own?.tables.find(({ oid }) => oid === table.oid)?.name;
      slots.set(table.name, [...(slots.get(table.name) ?? []), `${id} ${name}`]);
    }
  }
  return divisionOf([...slots.values()]);
}

always("a run that is there twice moves nothing to another slot", ({ runs, base, at }) => {
  const ids = runs.map(({ id }) => id);
  const twice = runs.concat(called(runs[at] ?? run(1), runId.parse("r11")));
  expect(slots({ runs: twice, base }, ids)).toBe(slots({ runs, base }, ids));
});

always("a run that is there twice never makes its options smaller", ({ runs, base, at }) => {
  const copied = runs[at] ?? run(1);
  const report = reportOf(runs.concat(called(copied, runId.parse("r11"))), base);
  const facts = report.decisions.flatMap((each) => [each.options, ...each.facts.map(({ answers }) => answers)]);
  for (const { title, options, counted } of reportOf(runs, base).decisions) {
    const own = options.find((each) => each.runs.includes(copied.id));
    if (own === undefined) continue;
    const same = facts.find(
      (answers) =>
        groupsOf(answers.map((each) => ({ runs: each.runs.filter((id) => id !== "r11") }))) === groupsOf(options),
    );
    const now = same?.find((each) => each.runs.includes(copied.id))?.runs ?? [];
    const all = same?.flatMap((each) => each.runs).length ?? 1;
    // With one run more behind the most common answer, single others may have become odd ones out.
    const single = options.filter((each) => each !== own).flatMap((each) => each.runs);
    const isOdd = single.every((id) => report.oddOneOut.some((row) => row.run === id));
    expect(same === undefined ? isOdd : now.length / all >= own.runs.length / counted, title).toBe(true);
  }
});

always("another name for a new table in one run changes names only", ({ runs, base, at }) => {
  const renamed = runs.map((each, which) => (which === at ? withOtherName(each, base) : each));
  expect(decided(reportOf(renamed, base))).toEqual(decided(reportOf(runs, base)));
});

/** The last of a run's new tables, called as nobody calls anything. */
function withOtherName(each: RunArtifacts, { schema: base }: Planted["base"]): RunArtifacts {
  const isNew = (name: string) => base?.tables.every((table) => table.name !== name);
  const table = each.schema?.tables.filter(({ name }) => isNew(name)).at(-1);
  if (each.schema === null || table === undefined) return each;
  const tables = each.schema.tables.map((other) => ({
    ...other,
    name: other === table ? "people_and_things" : other.name,
    constraints: other.constraints.map((rule) => ({
      ...rule,
      references:
        rule.references?.table === table.name ? { ...rule.references, table: "people_and_things" } : rule.references,
    })),
  }));
  return { ...each, schema: { ...each.schema, tables } };
}

always("runs that are all alike leave nothing to decide", ({ runs, base, at }) => {
  const same = runs.map(({ id }) => called(runs[at] ?? run(1), id));
  expect(decided(reportOf(same, base))).toEqual({ decisions: [], odd: [] });
});

always("a run that did nothing is a state, and no answer to anything else", ({ runs, base }) => {
  const idle = run(11, { schema: base.schema, files: [], outcome: "no_change" });
  const before = reportOf(runs, base);
  const after = reportOf(runs.concat(idle), base);
  const others = after.decisions.filter(({ title }) => !/changed/.test(title));
  for (const { notApplicable, title } of others) expect(notApplicable, title).toContain("r11");
  expect(others.map(({ options }) => groupsOf(options)).sort()).toEqual(
    before.decisions.map(({ options }) => groupsOf(options)).sort(),
  );
});

always("a run that is taken away is missing everywhere, and nowhere else", ({ runs, base, at }) => {
  const gone = runs[at]?.id ?? "";
  const left = runs.map((each) => (each.id === gone ? { ...each, ...nothingOf(each) } : each));
  const report = reportOf(left, base);
  for (const { options, missing, title } of report.decisions) {
    expect(missing, title).toContain(gone);
    expect(options.flatMap((each) => each.runs)).not.toContain(gone);
  }
  expect(report.oddOneOut.map((row) => row.run)).not.toContain(gone);
  expect(report.agreed.every(({ counted }) => counted < runs.length)).toBe(true);
});

function nothingOf({ id }: RunArtifacts): RunArtifacts {
  return { id, record: null, schema: null, rows: null, checks: null, patch: null, unreadable: [] };
}

test("runs without any schema leave nothing to decide", () => {
  expect(decided(reportOf([run(1), run(2), run(3)], noBase))).toEqual({ decisions: [], odd: [] });
});
