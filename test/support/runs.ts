import type { RunArtifacts } from "../../src/model/fact.js";
import { experimentId, runId } from "../../src/model/ids.js";
import { type CheckResult, type RunOutcome, type RunRecord, tallyChecks, testResult } from "../../src/model/record.js";
import type { RowChanges, TableRows } from "../../src/model/rows.js";
import type {
  SchemaColumn,
  SchemaConstraint,
  SchemaIndex,
  SchemaSnapshot,
  SchemaTable,
} from "../../src/model/schema.js";

export const baseSha = "a".repeat(40);

/** Oid by name, so that the same object has the same in every database unless `salt` says it was made anew. */
export function oidOf(name: string, salt = 0): number {
  let hash = 7 + salt * 7919;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return 16_384 + hash;
}

/** `name text not null default 'x'` as a column; attnum is its place. */
export function column(name: string, type: string, more: Partial<SchemaColumn> = {}): SchemaColumn {
  const none = { default: null, identity: null, generated: null, collation: null, comment: null };
  return { name, attnum: 0, position: 1, type, notNull: false, ...none, grants: [], ...more };
}

export const id = (type = "integer") => column("id", type, { notNull: true, identity: "always" });

function constraint(
  name: string,
  kind: SchemaConstraint["kind"],
  columns: string[],
  definition: string,
): SchemaConstraint {
  const usual = { nullsNotDistinct: false, deferrable: false, initiallyDeferred: false, validated: true };
  return {
    name,
    oid: oidOf(name),
    kind,
    autoName: true,
    columns,
    definition,
    ...usual,
    references: null,
    comment: null,
  };
}

export function key(...columns: string[]): SchemaConstraint {
  return constraint("pkey", "primary key", columns, `PRIMARY KEY (${columns.join(", ")})`);
}

export function unique(...columns: string[]): SchemaConstraint {
  return constraint(`${columns.join("_")}_key`, "unique", columns, `UNIQUE (${columns.join(", ")})`);
}

export function check(columns: string[], rule: string): SchemaConstraint {
  return constraint(`${columns.join("_")}_check`, "check", columns, `CHECK (${rule})`);
}

type Action = NonNullable<SchemaConstraint["references"]>["onDelete"];

export function refers(columns: string | string[], table: string, onDelete: Action = "no action"): SchemaConstraint {
  const own = [columns].flat();
  const action = onDelete === "no action" ? "" : ` ON DELETE ${onDelete.toUpperCase()}`;
  const definition = `FOREIGN KEY (${own.join(", ")}) REFERENCES ${table}(id)${action}`;
  const references = {
    schema: "public",
    table,
    oid: oidOf(table),
    columns: ["id"],
    onDelete,
    onUpdate: "no action",
    match: "simple",
  };
  return {
    ...constraint(`${own.join("_")}_fkey`, "foreign key", own, definition),
    references: { ...references, onUpdate: "no action" },
  };
}

export function index(...keys: string[]): SchemaIndex {
  const name = `${keys.join("_")}_idx`;
  const usual = { method: "btree", unique: false, nullsNotDistinct: false, include: [], predicate: null, valid: true };
  return { name, oid: oidOf(name), autoName: true, keys, ...usual, comment: null };
}

type TableParts = Partial<Omit<SchemaTable, "name">> & { salt?: number };

export function table(name: string, { salt = 0, ...parts }: TableParts = {}): SchemaTable {
  const columns = (parts.columns ?? [id()]).map((each, index) => ({
    ...each,
    attnum: each.attnum || index + 1,
    position: index + 1,
  }));
  const constraints = (parts.constraints ?? []).map((each) =>
    each.name.startsWith(`${name}_`)
      ? each
      : { ...each, name: `${name}_${each.name}`, oid: oidOf(name + each.name, salt) },
  );
  const usual = {
    partitionKey: null,
    partitionOf: null,
    inherits: [],
    options: [],
    replicaIdentity: "default",
    grants: [],
  };
  return {
    schema: "public",
    name,
    oid: oidOf(name, salt),
    comment: null,
    kind: "table",
    persistence: "permanent",
    rowSecurity: "off",
    indexes: [],
    triggers: [],
    policies: [],
    ...usual,
    ...parts,
    columns,
    constraints,
  };
}

export function snapshot(tables: SchemaTable[], more: Partial<SchemaSnapshot> = {}): SchemaSnapshot {
  const none = { schemas: [], enums: [], domains: [], composites: [], ranges: [], sequences: [], views: [] };
  const rest = { routines: [], extensions: [], eventTriggers: [], publications: [], statistics: [], unreadable: [] };
  return { version: 1, postgres: 18, tables, ...none, ...rest, ...more };
}

export function rowsOf(name: string, parts: Partial<TableRows>): TableRows {
  const none = { count: 0, keys: [] };
  const nothing = { added: none, removed: none, changed: none, changedColumns: [], filledColumns: [] };
  return { schema: "public", name, state: "new", key: ["id"], baseRows: 0, runRows: 0, ...nothing, ...parts };
}

export const rowChanges = (...tables: TableRows[]): RowChanges => ({ version: 1, tables, unreadable: [] });

export function result(title: string, status: CheckResult["status"] = "pass"): CheckResult {
  return { id: title.replaceAll(/\W+/g, "-"), title, status, durationMs: 100, tail: "" };
}

/** A check whose report tells these tests, written as "name" for one that passes and "name: fail" for others. */
export function reporting(title: string, status: CheckResult["status"], tests: readonly string[]): CheckResult {
  const told = tests.map((each) => {
    const [id = "", state = "pass"] = each.split(": ");
    return testResult.parse({ id, status: state });
  });
  return { ...result(title, status), tests: told };
}

export interface RunParts {
  schema?: SchemaSnapshot | null;
  rows?: RowChanges | null;
  checks?: CheckResult[] | null;
  outcome?: RunOutcome;
  partial?: boolean;
  reason?: string | null;
  /** Changed files; new ones begin with a plus. */
  files?: string[];
  sha256?: string;
  /** The patch itself. */
  patch?: string;
  record?: Partial<RunRecord>;
  unreadable?: RunArtifacts["unreadable"];
}

/** What run number `n` left behind: completed, on a clone of base, one file changed, unless told otherwise. */
export function run(n: number, parts: RunParts = {}): RunArtifacts {
  const name = runId.parse(`r${String(n).padStart(2, "0")}`);
  const checks = parts.checks ?? null;
  const record: RunRecord = {
    version: 1,
    id: name,
    experiment: experimentId.parse("demo"),
    attempt: 1,
    variant: "default",
    base: baseSha,
    outcome: parts.outcome ?? "completed",
    partial: parts.partial ?? false,
    reason: parts.reason ?? null,
    startedAt: "2026-03-01T10:00:00.000Z",
    finishedAt: "2026-03-01T10:00:20.000Z",
    durationMs: 20_000,
    agent: null,
    usage: { costUsd: null, tokens: null },
    patch: patch(parts.files ?? ["src/store.js"], parts.sha256 ?? `${n}`),
    database: parts.schema ? { provider: "embedded", lineage: "clone" } : null,
    checks: checks && tallyChecks(checks),
    violations: [],
    claims: [],
    flags: [],
    unreadable: [],
    warnings: [],
    ...parts.record,
  };
  return {
    id: name,
    record,
    schema: parts.schema ?? null,
    rows: parts.rows ?? (parts.schema ? rowChanges() : null),
    checks,
    patch: parts.patch ?? "",
    unreadable: parts.unreadable ?? [],
  };
}

function patch(files: string[], sha256: string): NonNullable<RunRecord["patch"]> {
  const changed = files.map((each) => {
    const fresh = each.startsWith("+");
    return {
      path: each.replace(/^\+/, ""),
      oldPath: null,
      status: fresh ? ("added" as const) : ("modified" as const),
      added: 10,
      deleted: 1,
    };
  });
  const lines = { added: 10 * files.length, deleted: files.length };
  return { files: files.length, ...lines, bytes: 100, sha256, applies: true, changed, warnings: [] };
}
