import type { ComparedTests, FactRisk, TestGroup, TestState } from "../model/fact.js";
import type { CheckResult } from "../model/record.js";
import { runSlot } from "./matching.js";
import type { Statements } from "./statement.js";
import { statesOf } from "./tests.js";
import { counted, quote } from "./words.js";

/** What stands for tests a run adds to a check. */
export function addedSlot(check: string): string {
  return `tests added ${check}`;
}

type TellingCheck = CheckResult & { tests: NonNullable<CheckResult["tests"]> };

/** States what a run's tests of one check say, group by group. */
export function stateTests(statements: Statements, check: TellingCheck, compared: ComparedTests): void {
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

type Said = Exclude<TestState, "unstable"> | "mixed";

const testWords: Record<Exclude<Said, "mixed">, readonly [one: string, several: string]> = {
  pass: ["passes", "pass"],
  fail: ["fails", "fail"],
  skip: ["is skipped", "are skipped"],
  absent: ["is not run", "are not run"],
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
  const label = state === "mixed" ? "do not all pass" : testWords[state][several ? 1 : 0];
  const change = several ? `${name} pass in base and ${label} here` : `test ${name} passes in base and ${label} here`;
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
    risk: base === "pass" ? riskOf(state, change) : null,
  });
}

/** Undefined where it is not known, or where the run could not have the tests: it was another's to add them. */
function stateOf({ ids, base }: TestGroup, states: ReadonlyMap<string, TestState>): Said | undefined {
  const own = new Set(ids.map((id) => states.get(id) ?? "absent"));
  const [only] = own;
  // Of a run that is counted all are alike: by that they were grouped.
  const state = own.size > 1 ? "mixed" : only;
  if (state === "unstable" || (state === "absent" && base === null)) return undefined;
  return state;
}

/** What is not run any more may have another name now. */
function riskOf(state: Said, text: string): FactRisk | null {
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
