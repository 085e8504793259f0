import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type Finding, sweepAll } from "../../pipeline/sweep.js";
import { createDeps } from "../deps.js";
import { exitCodes } from "../exit.js";
import type { SweepOptions } from "../options.js";
import { say, sayJson } from "../say.js";
import { findDatabaseUrl } from "../settings.js";

/** `multirun sweep`: list what crashes left; with `--yes` give it back. */
export async function sweep(only: string | undefined, options: SweepOptions): Promise<void> {
  const deps = createDeps();
  const remove = options.yes === true;
  const findings = await sweepAll({
    deps,
    repo: resolve(options.repo ?? "."),
    temporary: tmpdir(),
    databaseUrl: findDatabaseUrl(deps, {}, options.databaseUrl),
    neonProject: options.neon ?? null,
    only: only ?? null,
    remove,
  });
  if (options.json) sayJson({ removed: remove, findings });
  else say(describe(findings, remove));
  process.exitCode = findings.some((each) => (each.left ?? []).length > 0) ? exitCodes.leaked : exitCodes.done;
}

function describe(findings: readonly Finding[], removed: boolean): string {
  if (findings.length === 0) return "nothing left behind\n";
  const lines = findings.flatMap(({ experiment, live, found, left }) => [
    `${experiment}${live ? " is alive: not touched" : ""}`,
    ...(live ? [] : found.map((each) => `  ${fate(each, left)}  ${each}`)),
  ]);
  const dead = findings.some((each) => !each.live);
  return `${[...lines, ...(dead && !removed ? ["nothing was removed: multirun sweep --yes does it"] : [])].join("\n")}\n`;
}

function fate(name: string, left: string[] | null): string {
  if (left === null) return "found  ";
  return left.includes(name) ? "STUCK  " : "removed";
}
