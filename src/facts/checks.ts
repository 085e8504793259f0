import type { BaseArtifacts, Extractor, Reading, RunArtifacts } from "../model/fact.js";
import type { CheckResult } from "../model/record.js";
import { runSlot } from "./matching.js";
import { Statements } from "./statement.js";
import { quote } from "./words.js";

const words: Record<CheckResult["status"], string> = {
  pass: "passes",
  fail: "fails",
  error: "cannot be run",
  timeout: "takes too long",
  skip: "is skipped",
};

/** What the harness's own checks said. A check that passes in base and no longer passes is damage. */
export const checks: Extractor = {
  dimension: "checks",
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined {
    if (run.checks === null) return undefined;
    const statements = new Statements(run, "checks", "checks.json");
    const before = new Map(base.checks?.map(({ id, status }) => [id, status]));
    for (const { id, title, status } of run.checks) {
      if (status === "skip") continue; // Cancelled before it could say anything.
      const name = quote(title);
      const broken = before.get(id) === "pass" && status !== "pass";
      const asBefore = status !== "pass" && before.get(id) === status ? ", as in base" : "";
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
    return { facts: statements.facts, complete: run.checks.every(({ status }) => status !== "skip") };
  },
};
