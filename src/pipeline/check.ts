import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readArtifact, toJson, writeDurably } from "../clients/files.js";
import { runChecks } from "../execute/checks.js";
import { type CheckResult, checksSchema } from "../model/record.js";
import { type Attempt, environmentOf, superviseBy } from "./attempt.js";
import type { Context } from "./context.js";

/** Runs the checks of an attempt after its work was captured and writes their results down. */
export async function checkWork(context: Context, attempt: Attempt): Promise<CheckResult[]> {
  const { variant, workspace, files } = attempt;
  // A worker that died in the middle left logs of the same names.
  await rm(join(files.folder, "checks"), { recursive: true, force: true });
  // Made beside the runs: where it is not there yet, what fails here may be what fails there.
  const base = await readArtifact(context.folder.base.checks, checksSchema, "base/checks.json");
  const results = await runChecks({
    ...superviseBy(context, attempt),
    checks: variant.checks,
    timeoutMs: variant.checkTimeoutMs,
    paths: { ...workspace, out: files.folder },
    environment: environmentOf(context, attempt, 2 * variant.checkTimeoutMs * variant.checks.length),
    ...(base ? { base } : {}),
  });
  await rm(files.checks, { force: true });
  await writeDurably(files.checks, toJson(results));
  return results;
}
