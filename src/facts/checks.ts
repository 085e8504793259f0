import type { BaseArtifacts, Extractor, Reading, RunArtifacts } from "../model/fact.js";
import type { CheckResult } from "../model/record.js";
import { runSlot } from "./matching.js";
import { Statements } from "./statement.js";
import { addedSlot, stateTests } from "./told-tests.js";
import { quote } from "./words.js";

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
