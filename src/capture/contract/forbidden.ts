import { classOf } from "../../facts/code/patch/classes.js";
import { addedDependencies } from "../../facts/dependencies.js";
import { lossesOf } from "../../facts/losses.js";
import { changedLines, type FileLines } from "../../facts/patch-lines.js";
import type { ForbiddenKind } from "../../model/config.js";
import type { BaseArtifacts, RunArtifacts } from "../../model/fact.js";
import type { ChangedFile, CheckResult, Violation } from "../../model/record.js";
import { drops } from "./drops.js";
import { removedTests } from "./removed-tests.js";

/** Finds one kind of forbidden thing in what a run left. */
type Finder = (run: RunArtifacts, base: Pick<BaseArtifacts, "schema" | "checks">) => Omit<Violation, "rule">[];

const finders: Readonly<Record<ForbiddenKind, Finder>> = {
  "new dependencies": ({ patch }) => addedDependencies(patch ?? "").map(({ path, name }) => ({ path, found: name })),
  "deleted tests": (run, { checks }) => [
    ...deletedTestFiles(run),
    ...removedTests(run.patch ?? ""),
    ...untold(run.checks, checks),
  ],
  "migrations that drop": (run, base) => {
    // What the database lost says it best; where there is none, the migrations' own text.
    if (run.schema !== null && base.schema !== null) return lossesOf(run, base).map((found) => ({ path: "", found }));
    return changedLines(run.patch ?? "", (path) => /\.sql$/i.test(path)).flatMap(dropsIn);
  },
};

/** What a contract forbids and a run did all the same. */
export function forbiddenIn(
  forbid: readonly ForbiddenKind[],
  run: RunArtifacts,
  base: Pick<BaseArtifacts, "schema" | "checks">,
): Violation[] {
  return [...new Set(forbid)].flatMap((kind) =>
    finders[kind](run, base).map((each) => ({ rule: `forbid ${kind}`, ...each })),
  );
}

function deletedTestFiles({ record }: RunArtifacts): Omit<Violation, "rule">[] {
  const changed = record?.patch?.changed ?? [];
  const gone = changed.flatMap(({ status, path, oldPath }: ChangedFile) => {
    if (status === "deleted") return [path];
    // A test that is moved to where no runner looks for it is none any more.
    return status === "renamed" && oldPath !== null && !isTest(path) ? [oldPath] : [];
  });
  return gone.filter(isTest).map((path) => ({ path }));
}

function isTest(path: string): boolean {
  return classOf(path) === "test";
}

function dropsIn({ path, added }: FileLines): Omit<Violation, "rule">[] {
  return drops(added.map(({ text }) => text).join("\n")).map((found) => ({ path, found }));
}

/** Tests that the untouched project's checks report, and that the same checks of the run do not. */
function untold(
  checks: readonly CheckResult[] | null,
  before: readonly CheckResult[] | null,
): Omit<Violation, "rule">[] {
  return (before ?? []).flatMap(({ id, tests }) => {
    const now = checks?.find((check) => check.id === id)?.tests;
    if (!tests || !now) return [];
    const known = new Set(now.map((test) => test.id));
    return tests.filter((test) => !known.has(test.id)).map((test) => ({ path: "", found: test.id }));
  });
}
