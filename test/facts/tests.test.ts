import { expect, test } from "vitest";
import { readFacts } from "../../src/facts/facts.js";
import { withinLimits } from "../../src/facts/limits.js";
import type { Fact } from "../../src/model/fact.js";
import { type CheckResult, checksSchema, mostTests } from "../../src/model/record.js";
import { reporting, result, run } from "../support/runs.js";

type Status = CheckResult["status"];

/** The facts about checks of runs whose one check reports these tests, as "label of subject". */
function told(base: CheckResult | null, ...checks: CheckResult[]): string[][] {
  return factsOf(base, ...checks).map((facts) => facts.map(({ topic, label }) => `${topic}: ${label}`));
}

function factsOf(base: CheckResult | null, ...checks: CheckResult[]): Fact[][] {
  const runs = checks.map((check, index) => run(index + 1, { checks: [check] }));
  const artifacts = { schema: null, checks: base && [base] };
  return readFacts(runs, artifacts).map(({ facts }) => facts.filter(({ dimension }) => dimension === "checks"));
}

const suite = (status: Status, ...tests: string[]) => reporting("npm test", status, tests);

test("a test that passes in base and fails in a run is damage, and the check says it no second time", () => {
  const [one, two] = factsOf(suite("pass", "a", "b"), suite("pass", "a", "b"), suite("fail", "a", "b: fail"));
  expect(one?.map(({ label, risk }) => [label, risk])).toEqual([
    ["passes", null],
    ["passes", null],
  ]);
  expect(two?.map(({ topic, risk }) => [topic, risk?.kind, risk?.text])).toEqual([
    ["test `b`", "damage", "test `b` passes in base and fails here"],
    ["test `a`", undefined, undefined],
  ]);
});

test("a thousand tests that pass in base and in all runs are one fact", () => {
  const many = Array.from({ length: 1_204 }, (_, index) => `suite › test ${index}`);
  const all = suite("pass", ...many);
  expect(told(all, all, all)).toEqual([["1,204 tests of `npm test`: pass"], ["1,204 tests of `npm test`: pass"]]);
});

test("tests that break together are one damage, however many", () => {
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const [, broken] = factsOf(
    suite("pass", ...names),
    suite("pass", ...names),
    suite("fail", ...names.map((name) => `${name}: error`)),
  );
  expect(broken?.map(({ risk }) => risk?.text)).toEqual(["`t0` and 39 more tests pass in base and fail here"]);
});

test("tests that only one run has are counted as added and compared with nobody's", () => {
  expect(told(suite("pass", "a"), suite("pass", "a", "mine"), suite("pass", "a"))).toEqual([
    ["test `a`: passes", "new tests of `npm test`: yes"],
    ["test `a`: passes"],
  ]);
});

test("tests that base lacks and two runs have are compared between those that have them", () => {
  const facts = told(suite("pass", "a"), suite("pass", "a", "b"), suite("fail", "a", "b: fail"), suite("pass", "a"));
  expect(facts.map((each) => each.filter((fact) => fact.includes("`b`")))).toEqual([
    ["test `b`: passes"],
    ["test `b`: fails"],
    [],
  ]);
});

test("a test of base that a run no longer runs is a risk, and no damage: it may have another name now", () => {
  const [one] = factsOf(suite("pass", "a", "b"), suite("pass", "a"), suite("pass", "a", "b"));
  expect(one?.find(({ topic }) => topic === "test `b`")).toMatchObject({
    label: "is not run",
    risk: { kind: "consequence", text: "test `b` passes in base and is not run here" },
  });
});

test("what failed before is told as failing as in base, and is no damage", () => {
  expect(told(suite("fail", "a: fail"), suite("fail", "a: error"))).toEqual([["test `a`: fails, as in base"]]);
});

test("an unstable test says nothing in the run it is unstable in", () => {
  const facts = told(suite("pass", "a"), suite("unstable", "a: unstable"), suite("pass", "a"));
  expect(facts).toEqual([[], ["test `a`: passes"]]);
});

test("an unstable check without tests says nothing", () => {
  expect(told(result("npm test"), result("npm test", "unstable"))).toEqual([[]]);
});

test.each([
  ["fails though all its tests pass", suite("fail", "a")],
  ["passes though one of them fails", suite("pass", "a: fail")],
  ["fails for a test of its own", suite("fail", "a", "mine: fail")],
  ["tells no tests", result("npm test", "fail")],
])("every run states the check itself where one run's check %s", (_name, other) => {
  const facts = told(suite("pass", "a"), suite("pass", "a"), other);
  expect(facts.every((each) => each.some((fact) => fact.startsWith("`npm test`:")))).toBe(true);
});

test("of a run whose report could not be read the tests are unknown, and its check is not", () => {
  const unread = { ...result("npm test"), unread: "junit.xml: the check did not write it" };
  const runs = [run(1, { checks: [suite("pass", "a")] }), run(2, { checks: [unread] })];
  const [, second] = readFacts(runs, { schema: null, checks: [suite("pass", "a")] });
  expect(second?.unknown).toEqual(["tests added npm-test", "tests npm-test a"]);
  expect(second?.facts.map(({ slot }) => slot)).toContain("check npm-test");
  expect(second?.readable).toBe(true);
});

test("a reference changes nothing about what is compared", () => {
  const runs = [suite("pass", "a", "b"), suite("pass", "a", "b"), suite("fail", "a", "b: fail")].map((check, index) =>
    run(index + 1, { checks: [check] }),
  );
  const base = { schema: null, checks: [suite("pass", "a", "b")] };
  const [, , reference] = runs;
  const withIt = readFacts(runs, base, new Set(reference ? [reference.id] : []));
  const told = (read: typeof withIt) => read.map((each) => ({ ...each, content: each.content() }));
  expect(told(withIt.slice(0, 2))).toEqual(told(readFacts(runs.slice(0, 2), base)));
  expect(withIt[2]?.facts.find(({ aspect }) => aspect === "tests")).toMatchObject({ label: "do not all pass" });
});

test("of tests that differ in more ways than anybody reads the rest is counted", () => {
  const ways = Array.from({ length: 256 }, (_, index) => index);
  const checks = Array.from({ length: 8 }, (_, bit) =>
    suite("fail", ...ways.map((way) => `t${way}: ${way & (1 << bit) ? "fail" : "skip"}`)),
  );
  const [facts] = factsOf(suite("pass", ...ways.map((way) => `t${way}`)), ...checks);
  expect(facts).toHaveLength(201);
  expect(facts?.at(-1)).toMatchObject({ topic: "56 more tests of `npm test`", label: "not compared" });
});

test("a run with more tests than can be compared is unreadable in that respect", () => {
  const tests = Array.from({ length: mostTests }, (_, index) => `t${index}`);
  const checks = Array.from({ length: 5 }, (_, index) => reporting(`c${index}`, "pass", tests));
  expect(withinLimits(run(1, { checks })).unreadable).toEqual([
    { what: "checks.json", reason: "it has 25000 tests, of which at most 20000 are compared" },
  ]);
});

test("results written before tests were kept are read as they are", () => {
  const old = [{ id: "c1", title: "npm test", status: "pass", durationMs: 1, tail: "" }];
  expect(checksSchema.parse(old)).toEqual(old);
});
