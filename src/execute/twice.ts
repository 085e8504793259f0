import { type CheckResult, mostTests, type TestResult } from "../model/record.js";

/**
 * True where a check did not pass and base does not explain it: before somebody is blamed, it is run once more. One that
 * cannot be started fails in the same way every time.
 */
export function isWorthAnother(first: CheckResult, base: CheckResult | undefined): boolean {
  if (first.status !== "fail" && first.status !== "timeout") return false;
  if (base === undefined || base.status === "pass" || base.status === "unstable") return true;
  const passing = new Set(base.tests?.filter(({ status }) => status === "pass").map(({ id }) => id));
  return first.tests?.some(({ id, status }) => passing.has(id) && (status === "fail" || status === "error")) ?? false;
}

/** Two results of one check on the same work, of which the first is no pass: what they contradict each other in is unstable. */
export function together(first: CheckResult, second: CheckResult): CheckResult {
  const { tests, unread, ...result } = first;
  if (second.status === "skip") return { ...result, status: "skip" };
  const status = second.status === "pass" ? "unstable" : first.status;
  const why = unread ?? second.unread;
  const merged = tests && second.tests ? merge(tests, second.tests) : undefined;
  if (merged && merged.length <= mostTests) return { ...result, status, tests: merged };
  if (merged) return { ...result, status, unread: `two runs of it name ${merged.length} tests together` };
  return { ...result, status, ...(why === undefined ? {} : { unread: why }) };
}

/** A test that only one of them tells is one of which they tell different things. */
function merge(first: readonly TestResult[], second: readonly TestResult[]): TestResult[] {
  const later = new Map(second.map(({ id, status }) => [id, status]));
  const known = new Set(first.map(({ id }) => id));
  const both = first.map(
    ({ id, status }): TestResult => ({ id, status: later.get(id) === status ? status : "unstable" }),
  );
  return [
    ...both,
    ...second.filter(({ id }) => !known.has(id)).map(({ id }): TestResult => ({ id, status: "unstable" })),
  ];
}
