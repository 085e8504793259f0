import type {
  BaseArtifacts,
  ComparedTests,
  Extractor,
  FactRisk,
  Reading,
  RunArtifacts,
  TestGroup,
} from "../model/fact.js";
import type { CheckResult } from "../model/record.js";
import { runSlot } from "./matching.js";
import { Statements } from "./statement.js";
import { statesOf, type TestState } from "./tests.js";
import { counted, quote } from "./words.js";

const words: Record<Exclude<CheckResult["status"], "unstable">, string> = {
  pass: "passes",
  fail: "fails",
  error: "cannot be run",
  timeout: "takes too long",
  skip: "is skipped",
};

/**
 * What the harness's own checks said, and their tests where they report them. What passes in base and no longer passes is
 * damage. What gave two results on the same work says nothing.
 */
export const checks: Extractor = {
  dimension: "checks",
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined {
    if (run.checks === null) return undefined;
    const statements = new Statements(run, "checks", "checks.json");
    const before = new Map(base.checks?.map(({ id, status }) => [id, status]));
    for (const check of run.checks) {
      if (check.status === "skip") continue; // Cancelled before it could say anything.
      const compared = base.tests?.get(check.id);
      if (!compared?.followed) stateCheck(statements, check, before.get(check.id));
      if (compared && check.tests) stateTests(statements, { ...check, tests: check.tests }, compared);
    }
    return {
      facts: statements.facts,
      complete: run.checks.every(({ status }) => status !== "skip"),
      unknown: unknownTests(run.checks, base),
    };
  },
};

/**
 * Of a run that does not tell a check's tests nothing is known of them, nor whether it added any. Where it was not given
 * the check, the tests are no question for it.
 */
function unknownTests(own: readonly CheckResult[], { tests }: BaseArtifacts): string[] {
  const given = new Map(own.map((check) => [check.id, check]));
  return [...(tests ?? [])].flatMap(([id, { groups }]) => {
    const check = given.get(id);
    if (groups.length === 0 || check?.tests !== undefined) return [];
    return [addedSlot(id), ...(check ? groups.map(({ slot }) => slot) : [])];
  });
}

function addedSlot(check: string): string {
  return `tests added ${check}`;
}

function stateCheck(
  statements: Statements,
  { id, title, status }: CheckResult,
  before: CheckResult["status"] | undefined,
) {
  if (status === "unstable") return;
  const name = quote(title);
  const broken = before === "pass" && status !== "pass";
  const asBefore = status !== "pass" && before === status ? ", as in base" : "";
  statements.add({
    slot: `check ${id}`,
    parents: [runSlot],
    aspect: "result",
    value: status,
    label: `${words[status]}${asBefore}`,
    title: `Does ${name} pass?`,
    topic: name,
    subject: name,
    weight: 3,
    lack: status !== "pass",
    risk: broken ? { kind: "damage", text: `${name} passes in base and ${words[status]} here` } : null,
  });
}

type TellingCheck = CheckResult & { tests: NonNullable<CheckResult["tests"]> };

function stateTests(statements: Statements, check: TellingCheck, compared: ComparedTests): void {
  const states = statesOf(check.tests);
  const name = quote(check.title);
  for (const group of compared.groups) stateGroup(statements, { group, states, check: name });
  if (compared.beyond > 0) {
    const rest = `${thousands(compared.beyond)} more tests of ${name}`;
    const said = { title: `Do ${rest} pass?`, topic: rest, subject: rest, value: "uncompared", label: "not compared" };
    statements.add({ slot: `tests beyond ${check.id}`, parents: [runSlot], aspect: "tests", ...said, weight: 0.5 });
  }
  if (compared.base === null || check.tests.every(({ id }) => compared.base?.has(id))) return;
  statements.present({
    slot: addedSlot(check.id),
    parents: [runSlot],
    title: `Are tests added to ${name}?`,
    topic: `new tests of ${name}`,
    subject: name,
    label: "yes",
    absentLabel: "no",
    weight: 0.5,
  });
}

const testWords: Record<Exclude<TestState, "unstable"> | "mixed", readonly [one: string, several: string]> = {
  pass: ["passes", "pass"],
  fail: ["fails", "fail"],
  skip: ["is skipped", "are skipped"],
  absent: ["is not run", "are not run"],
  mixed: ["passes", "do not all pass"],
};

interface GroupIn {
  group: TestGroup;
  states: ReadonlyMap<string, TestState>;
  /** The check, as titles show it. */
  check: string;
}

function stateGroup(statements: Statements, { group, states, check }: GroupIn): void {
  const { ids, base, slot } = group;
  const state = stateOf(group, states);
  if (state === undefined) return;
  const several = ids.length > 1;
  const name = nameOf(group, check);
  const label = testWords[state][several ? 1 : 0];
  statements.add({
    slot,
    parents: [runSlot],
    aspect: "tests",
    value: state,
    label: `${label}${state !== "pass" && state === base ? ", as in base" : ""}`,
    title: several ? `Do ${name} pass?` : `Does test ${name} pass?`,
    topic: several ? name : `test ${name}`,
    subject: name,
    weight: 3,
    lack: state !== "pass",
    risk:
      base === "pass"
        ? riskOf(
            state,
            several ? `${name} pass in base and ${label} here` : `test ${name} passes in base and ${label} here`,
          )
        : null,
  });
}

/** Undefined where it is not known, or where the run could not have the tests: it was another's to add them. */
function stateOf(
  { ids, base }: TestGroup,
  states: ReadonlyMap<string, TestState>,
): Exclude<TestState, "unstable"> | "mixed" | undefined {
  const own = new Set(ids.map((id) => states.get(id) ?? "absent"));
  const [only] = own;
  // Of a run that is counted all are alike: by that they were grouped.
  const state = own.size > 1 ? "mixed" : only;
  if (state === "unstable" || (state === "absent" && base === null)) return undefined;
  return state;
}

/** What is not run any more may have another name now. */
function riskOf(state: string, text: string): FactRisk | null {
  if (state === "pass") return null;
  return { kind: state === "fail" ? "damage" : "consequence", text };
}

function nameOf({ ids, steady }: TestGroup, check: string): string {
  const [first = "", ...others] = ids;
  if (others.length === 0) return quote(first);
  if (steady) return `${thousands(ids.length)} tests of ${check}`;
  return `${quote(first)} and ${counted(others.length, "more test")}`;
}

/** 1204 → 1,204. */
function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
