import type { BaseArtifacts, ComparedTests, RunArtifacts, TestGroup, TestState } from "../model/fact.js";
import { groupBy } from "../model/groups.js";
import type { CheckResult, TestResult } from "../model/record.js";
import { compareText } from "../model/text.js";

/** So many questions one check's tests may raise; the tests of the others are only counted. */
const mostGroups = 200;

/** A check's result in one run, which reports its tests. */
type Telling = CheckResult & { tests: TestResult[] };

/**
 * Which tests are compared, check by check: those base knows, and of the others those that two runs tell. Tests that base
 * and all runs say the same of are one group and become one fact, so that a thousand passing tests are one line.
 * References are not among the runs: what is compared does not depend on them.
 */
export function compareTests(
  runs: readonly RunArtifacts[],
  { checks }: Pick<BaseArtifacts, "checks">,
): Map<string, ComparedTests> {
  const results = runs.flatMap((run) => run.checks ?? []).filter(({ status }) => status !== "skip");
  const before = new Map(checks?.map((check) => [check.id, check]));
  return new Map([...groupBy(results, ({ id }) => id)].map(([id, own]) => [id, compareCheck(own, before.get(id))]));
}

function compareCheck(results: readonly CheckResult[], base: CheckResult | undefined): ComparedTests {
  const telling = results.filter(tells);
  const [first] = telling;
  if (first === undefined) return { groups: [], base: null, followed: false, beyond: 0 };
  const known = base?.tests ? statesOf(base.tests) : null;
  const states = telling.map(({ tests }) => statesOf(tests));
  const ids = comparedIds(states, known);
  const groups = groupTests(ids, states, known);
  const kept = groups.slice(0, mostGroups);
  const all = base === undefined ? results : [base, ...results];
  return {
    groups: kept.map((group) => ({ ...group, slot: `tests ${first.id} ${group.ids[0]}` })),
    base: known,
    followed: all.every((result) => followsFromTests(result, ids)),
    beyond: groups.slice(mostGroups).reduce((sum, group) => sum + group.ids.length, 0),
  };
}

function tells(result: CheckResult): result is Telling {
  return result.tests !== undefined;
}

export function statesOf(tests: readonly TestResult[]): Map<string, TestState> {
  return new Map(tests.map(({ id, status }) => [id, status === "error" ? "fail" : status]));
}

function comparedIds(
  states: readonly ReadonlyMap<string, TestState>[],
  known: ReadonlyMap<string, TestState> | null,
): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>(known?.keys());
  for (const id of states.flatMap((each) => [...each.keys()])) (seen.has(id) ? twice : seen).add(id);
  return twice;
}

type Group = Omit<TestGroup, "slot">;

/** What may be damage first, then what the runs differ in, then the largest. */
function groupTests(
  ids: ReadonlySet<string>,
  states: readonly ReadonlyMap<string, TestState>[],
  known: ReadonlyMap<string, TestState> | null,
): Group[] {
  const answersOf = (id: string) => states.map((each) => each.get(id) ?? "absent");
  const keyed = groupBy(ids, (id) => [known?.get(id) ?? "", ...answersOf(id)].join());
  const ranked = [...keyed.values()].map((members) => {
    const sorted = members.sort(compareText);
    const id = sorted[0] ?? "";
    const answers = new Set(answersOf(id));
    const before = known?.get(id) ?? null;
    const damaging = before === "pass" && answers.has("fail");
    const steady = answers.size === 1 && answers.has("pass") && (before === "pass" || known === null);
    return { group: { ids: sorted, base: before, steady }, rank: damaging ? 0 : answers.size > 1 ? 1 : 2 };
  });
  ranked.sort((a, b) => {
    const [one = "", other = ""] = [a.group.ids[0], b.group.ids[0]];
    return a.rank - b.rank || b.group.ids.length - a.group.ids.length || compareText(one, other);
  });
  return ranked.map(({ group }) => group);
}

/** True where a check's own result says nothing beyond what its compared tests say. An unstable one says nothing at all. */
function followsFromTests({ status, tests }: CheckResult, ids: ReadonlySet<string>): boolean {
  if (status === "unstable" || status === "skip") return true;
  const failing = tests?.some((test) => ids.has(test.id) && (test.status === "fail" || test.status === "error"));
  if (failing === undefined) return false;
  return status === "pass" ? !failing : status === "fail" && failing;
}
