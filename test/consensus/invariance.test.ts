import { expect, test } from "vitest";
import { askAll, type Participant, type Question } from "../../src/consensus/ask/questions.js";
import { standingOf } from "../../src/consensus/ask/standing.js";
import { findConsensus } from "../../src/consensus/consensus.js";
import { readFacts } from "../../src/facts/facts.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { runId } from "../../src/model/ids.js";
import { compareText } from "../../src/model/text.js";
import { randomBase, randomOf, randomRuns, shuffled } from "../support/random.js";
import { reportOf } from "../support/report.js";
import { run } from "../support/runs.js";

const seeds = Array.from({ length: 25 }, (_, seed) => seed);
const sizes = [3, 5, 8, 10, 13];

function randomSet(seed: number) {
  const random = randomOf(seed);
  return { random, runs: randomRuns(sizes[seed % sizes.length] ?? 10, random) };
}

const bytes = (runs: readonly RunArtifacts[]) => JSON.stringify(reportOf(runs, randomBase));

test.each(seeds)("the order of runs, tables, columns and rules changes no byte (seed %i)", (seed) => {
  const { random, runs } = randomSet(seed);
  const mixed = shuffled(runs, random).map((each) => ({
    ...each,
    schema: each.schema && {
      ...each.schema,
      tables: shuffled(each.schema.tables, random).map((table) => ({
        ...table,
        columns: shuffled(table.columns, random),
        constraints: shuffled(table.constraints, random),
        indexes: shuffled(table.indexes, random),
      })),
    },
    rows: each.rows && { ...each.rows, tables: shuffled(each.rows.tables, random) },
  }));
  expect(bytes(mixed)).toBe(bytes(runs));
});

test.each(seeds)("giving runs other ids moves the ids and nothing else (seed %i)", (seed) => {
  const { random, runs } = randomSet(seed);
  const ids = runs.map(({ id }) => id);
  const others = shuffled(ids, random);
  const back = new Map(others.map((id, at) => [id, ids[at]]));
  const renamed = runs.map((each, at) => {
    const id = others[at] ?? each.id;
    return { ...each, id, record: each.record && { ...each.record, id } };
  });
  expect(choicesOf(renamed, (id) => back.get(id) ?? id)).toEqual(choicesOf(runs, (id) => id));
});

function choicesOf(runs: readonly RunArtifacts[], name: (id: RunArtifacts["id"]) => string) {
  const { decisions, agreed, oddOneOut, risks, summary } = reportOf(runs, randomBase);
  const names = (ids: readonly RunArtifacts["id"][]) => ids.map(name).sort(compareText);
  return {
    decisions: decisions.map(({ options, facts, missing, notApplicable, ...rest }) => ({
      ...rest,
      missing: names(missing),
      notApplicable: names(notApplicable),
      options: options.map((option) => ({ ...option, runs: names(option.runs) })),
      facts: facts.map(({ title, answers }) => ({
        title,
        answers: answers.map(({ label, runs }) => [label, names(runs)]),
      })),
    })),
    agreed,
    odd: oddOneOut.map(({ run, statements }) => [name(run), statements]).sort(),
    risks: risks.map((risk) => ({ ...risk, runs: names(risk.runs) })),
    summary,
  };
}

test.each(seeds)("a run that is taken away is missing, and no other answer changes (seed %i)", (seed) => {
  const { runs } = randomSet(seed);
  const [gone] = runs;
  const before = new Map(questionsOf(runs).map((question) => [question.key, question]));
  const after = questionsOf(runs.map((each) => (each === gone ? { ...each, record: null } : each)));
  const wasCounted =
    gone !== undefined && standingOf({ ...gone, facts: readFacts([gone], randomBase)[0] ?? null }) !== "excluded";
  expect(wasCounted || gone?.record?.outcome === "crashed").toBe(true);
  for (const question of after) {
    expect(question.missing).toContain(gone?.id);
    expect(valuesOf(question)).toEqual(valuesOf(before.get(question.key), gone?.id));
  }
});

function questionsOf(runs: readonly RunArtifacts[]): Question[] {
  const facts = readFacts(runs, randomBase);
  const participants = runs.flatMap(({ id, record }, at): Participant[] => {
    const standing = standingOf({ id, record, facts: facts[at] ?? null });
    return standing === "excluded" ? [] : [{ id, standing, facts: facts[at] ?? null }];
  });
  return askAll(participants);
}

function valuesOf(question: Question | undefined, without?: RunArtifacts["id"]): [string, string][] {
  return [...(question?.answers ?? [])].filter(([run]) => run !== without).map(([run, { value }]) => [run, value]);
}

test.each(seeds)("every run is counted, missing or not applicable in every decision (seed %i)", (seed) => {
  const { runs } = randomSet(seed);
  const report = reportOf(runs, randomBase);
  for (const { options, missing, notApplicable, counted, of } of report.decisions) {
    const told = [...options.flatMap((option) => option.runs), ...missing, ...notApplicable];
    expect(new Set(told).size).toBe(told.length);
    expect(told.length).toBe(of);
    expect(options.flatMap((option) => option.runs).length).toBe(counted);
  }
});

test.each([1, 2, 3, 10])("%i identical runs leave no decision", (n) => {
  const [first] = randomRuns(1, randomOf(4));
  const same = Array.from({ length: n }, (_, at) => {
    const id = runId.parse(`r${String(at + 1).padStart(2, "0")}`);
    const record = run(at + 1, { sha256: "same" }).record;
    return {
      ...first,
      id,
      record: record && { ...record, database: { provider: "embedded", lineage: "clone" as const } },
    } as RunArtifacts;
  });
  const report = reportOf(same, randomBase);
  expect(report.decisions).toEqual([]);
  expect(report.oddOneOut).toEqual([]);
  expect(report.summary.expectedDifferences).toBe(0);
  expect(report.summary.distinctDesigns).toBe(1);
  expect(report.runs.map(({ relatives }) => relatives.length)).toEqual(Array(n).fill(n - 1));
});

test("the words of a report do not depend on locale or time zone", () => {
  const { runs } = randomSet(3);
  const before = bytes(runs);
  const zone = process.env["TZ"];
  const compare = String.prototype.localeCompare;
  try {
    process.env["TZ"] = "Pacific/Kiritimati";
    String.prototype.localeCompare = () => {
      throw new Error("order by locale");
    };
    expect(bytes(runs)).toBe(before);
  } finally {
    String.prototype.localeCompare = compare;
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("findConsensus keeps what it is given as it was", () => {
  const { runs } = randomSet(1);
  const facts = readFacts(runs, randomBase);
  const input = runs.map(({ id, record }, at) => ({ id, record, facts: facts[at] ?? null }));
  const before = JSON.stringify(input);
  findConsensus(input);
  expect(JSON.stringify(input)).toBe(before);
});
