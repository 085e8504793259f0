import type { RunArtifacts } from "../model/fact.js";
import type { CheckResult } from "../model/record.js";
import type { SchemaSnapshot } from "../model/schema.js";

/** Postgres' own limit (https://www.postgresql.org/docs/current/limits.html): what has more is no table. */
const mostColumns = 1_600;
/** Of all compared tables: columns, constraints, indexes, triggers, policies. No honest schema comes near it. */
const mostParts = 20_000;
const mostFiles = 5_000;
const mostChecks = 5_000;
/** Of all checks of a run together. */
const mostTests = 20_000;
const mostRowTables = 5_000;

/**
 * A run as it is compared. What goes beyond all measure, by accident or in malice, is taken as unreadable, with the reason:
 * the other runs' report must come all the same.
 */
export function withinLimits(run: RunArtifacts): RunArtifacts {
  const { record, schema, checks, rows } = run;
  const files = record?.patch?.changed.length ?? 0;
  const refused = [
    ...(schema ? schemaExcess(schema) : []),
    ...(rows && rows.tables.length > mostRowTables
      ? [excess("rows.json", rows.tables.length, "tables", mostRowTables)]
      : []),
    ...(files > mostFiles ? [excess("patch.diff", files, "files", mostFiles)] : []),
    ...(checks ? checksExcess(checks) : []),
  ];
  if (refused.length === 0) return run;
  const without = (what: string) => refused.some((each) => each.what === what);
  const patch = without("patch.diff") ? null : (record?.patch ?? null);
  return {
    ...run,
    record: record && { ...record, patch },
    schema: without("schema.json") ? null : schema,
    rows: without("schema.json") || without("rows.json") ? null : rows,
    checks: without("checks.json") ? null : checks,
    unreadable: [...run.unreadable, ...refused],
  };
}

function excess(what: string, count: number, things: string, most: number) {
  return { what, reason: `it has ${count} ${things}, of which at most ${most} are compared` };
}

function checksExcess(checks: readonly CheckResult[]) {
  const what = "checks.json";
  const tests = checks.reduce((sum, check) => sum + (check.tests?.length ?? 0), 0);
  if (checks.length > mostChecks) return [excess(what, checks.length, "checks", mostChecks)];
  return tests > mostTests ? [excess(what, tests, "tests", mostTests)] : [];
}

function schemaExcess({ tables, enums }: SchemaSnapshot) {
  const what = "schema.json";
  const widest = Math.max(0, ...tables.slice(0, mostParts).map(({ columns }) => columns.length));
  if (widest > mostColumns) return [excess(what, widest, "columns in one table", mostColumns)];
  const labels = enums.reduce((sum, each) => sum + each.labels.length, 0);
  const parts = tables.reduce(
    (sum, { columns, constraints, indexes, triggers, policies }) =>
      sum + columns.length + constraints.length + indexes.length + triggers.length + policies.length,
    labels,
  );
  return parts > mostParts ? [excess(what, parts, "columns, rules and labels", mostParts)] : [];
}
