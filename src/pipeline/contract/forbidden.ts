import { readBaseFiles } from "../../capture/base-files.js";
import { readPlainFile } from "../../clients/files.js";
import { classOf } from "../../facts/code/patch/classes.js";
import { basePathsOf } from "../../facts/code/patch/read-patch.js";
import { mayHoldTests, weakenedTests } from "../../facts/code/weakened-tests.js";
import { newDependencies } from "../../facts/dependencies.js";
import type { BaseFile } from "../../model/code.js";
import { type ForbidRule, forbidRules, type Violation } from "../../model/contract.js";
import { messageOf } from "../../model/error.js";
import { runId } from "../../model/ids.js";
import { readCodeOf } from "../code.js";
import type { Context } from "../context.js";
import type { Judged } from "./contract.js";
import { dropsInPatch } from "./migrations.js";

interface Evidence {
  patch: string;
  base: ReadonlyMap<string, BaseFile>;
  dropped: NonNullable<Judged["dropped"]>;
}

type Finding = Omit<Violation, "rule">;

/** One function for each rule; each reads what the report's facts are read from, in the same way. */
const finders: Record<ForbidRule, (evidence: Evidence) => Finding[] | Promise<Finding[]>> = {
  "new dependencies": ({ patch }) =>
    newDependencies(patch).map(({ registry, name, path, line }) => ({ path, line, found: `${registry} ${name}` })),
  "deleted tests": async ({ patch, base }) => {
    const run = { id: runId.parse("r01"), patch, schema: null };
    const [reading] = await readCodeOf([run], { files: base }, mayHoldTests);
    return reading ? weakenedTests(reading, base) : [];
  },
  "migrations that drop": ({ patch, base, dropped }) => {
    const written = dropsInPatch(patch, base);
    if (dropped === "unread") return [...written, { path: "", found: notLookedAt("its database could not be read") }];
    const known = new Set(written.map(({ found }) => found));
    const seen = dropped.map(({ kind, name }) => ({ path: "", found: `${kind} ${name}` }));
    return [...written, ...seen.filter(({ found }) => !known.has(found))];
  },
};

/** What is forbidden and was done all the same. What cannot be looked at is taken as done: silence proves nothing. */
export async function findForbidden(
  context: Pick<Context, "deps" | "experiment">,
  { contract, patch, file, dropped }: Judged,
): Promise<Violation[]> {
  const rules = forbidRules.filter((rule) => contract.forbid?.includes(rule));
  if (rules.length === 0) return [];
  const all = (found: Finding) => rules.map((rule) => ({ rule: `forbid ${rule}`, ...found }));
  try {
    const text = patch === null ? "" : ((await readPlainFile(file, "patch.diff")) ?? "");
    const evidence = { patch: text, base: await baseOf(context, text), dropped: dropped ?? [] };
    const found: Violation[] = [];
    for (const rule of rules) {
      for (const each of await finders[rule](evidence)) found.push({ rule: `forbid ${rule}`, ...each });
    }
    return found;
  } catch (error) {
    return all({ path: "", found: notLookedAt(messageOf(error)) });
  }
}

function notLookedAt(why: string): string {
  return `could not be looked at: ${why}`;
}

/** Texts of the files that hold tests or SQL; nothing forbidden is looked for in others. */
function baseOf({ deps, experiment }: Pick<Context, "deps" | "experiment">, patch: string) {
  const paths = basePathsOf(patch).filter((path) => /\.(?:sql|rs)$/i.test(path) || classOf(path) === "test");
  return readBaseFiles({ git: deps.git, at: { cwd: experiment.repo }, commit: experiment.base, paths });
}
