import { contentViolations } from "../capture/contract/violations.js";
import { readArtifact, readPlainFile } from "../clients/files.js";
import type { Contract } from "../model/config.js";
import { checksSchema, type RunRecord, type Violation } from "../model/record.js";
import { schemaSnapshot } from "../model/schema.js";
import type { Context } from "./context.js";
import type { RunFiles } from "./folder.js";

/** What a run did that its contract forbids, read from what was captured. What cannot be read says nothing here: the record says so. */
export async function findForbidden(
  context: Context,
  run: { contract: Contract; record: RunRecord; files: RunFiles },
): Promise<Violation[]> {
  const { contract, record, files } = run;
  if (!contract.forbid?.length || record.patch === null) return [];
  const orNull = <T>(reading: Promise<T | undefined>): Promise<T | null> =>
    reading.then(
      (found) => found ?? null,
      () => null,
    );
  const { base } = context.folder;
  const [patch, schema, checks, baseSchema, baseChecks] = await Promise.all([
    orNull(readPlainFile(files.patch, "patch.diff")),
    orNull(readArtifact(files.schema, schemaSnapshot, "schema.json")),
    orNull(readArtifact(files.checks, checksSchema, "checks.json")),
    orNull(readArtifact(base.schema, schemaSnapshot, "base/schema.json")),
    orNull(readArtifact(base.checks, checksSchema, "base/checks.json")),
  ]);
  const artifacts = { id: record.id, record, schema, rows: null, checks, patch, unreadable: [] };
  return contentViolations(contract, artifacts, { schema: baseSchema, checks: baseChecks });
}
