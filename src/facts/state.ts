import type { BaseArtifacts, Extractor, Omitted, Reading, RunArtifacts } from "../model/fact.js";
import type { SchemaSnapshot } from "../model/schema.js";
import { mostCompared } from "./bound.js";
import { matchSchema, runSlot, schemaSlot, tableSlot } from "./matching.js";
import { Statements } from "./statement.js";

/**
 * Whether a run changed anything at all. Everything else hangs below this, so that a run that did nothing is one answer
 * to one question and not a "no" to each.
 */
export const runState: Extractor = {
  dimension: "code",
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined {
    if (run.record === null) return undefined;
    const statements = new Statements(run, "code", "record.json");
    const touched =
      (run.record.patch?.files ?? 0) > 0 ||
      (run.rows?.tables.length ?? 0) > 0 ||
      schemaChanged(run.schema, base.schema);
    if (touched) {
      statements.present({
        slot: runSlot,
        title: "Is anything changed at all?",
        topic: "changes",
        subject: "changes",
        label: "yes",
        absentLabel: "no",
        weight: 3,
      });
    }
    return { facts: statements.facts, complete: true };
  },
};

/** Whether a run changed the database schema: no answer "no" to every table for a run that left the database alone. */
export const schemaState: Extractor = {
  dimension: "schema",
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined {
    if (run.schema === null) return undefined;
    const statements = new Statements(run, "schema", "schema.json");
    if (schemaChanged(run.schema, base.schema)) {
      statements.present({
        slot: schemaSlot,
        parents: [runSlot],
        title: "Is the database schema changed?",
        topic: "change of the database schema",
        subject: "schema",
        label: "yes",
        absentLabel: "no",
        weight: 3,
      });
    }
    const omitted = matchSchema(run, base)?.omitted;
    if (omitted) beyond(statements, omitted);
    const unknown = omitted?.tables.map(tableSlot) ?? [];
    return { facts: statements.facts, complete: run.schema.unreadable.length === 0 && !omitted?.others.size, unknown };
  },
};

/** 1800 → "1,800". */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What a run made beyond what is compared, in numbers: nobody can say which of it others lack. */
function beyond(statements: Statements, { tables, others }: Omitted): void {
  const counts = [...(tables.length > 0 ? [["tables", tables.length] as const] : []), ...others];
  for (const [kind, count] of counts) {
    statements.add({
      slot: `more ${kind}`,
      parents: [schemaSlot],
      aspect: "number",
      value: String(count),
      label: `${grouped(count)} more ${kind}`,
      absentLabel: "no more",
      title: `How many new ${kind} are there beyond the ${mostCompared} that are compared?`,
      topic: `new ${kind} beyond the ${mostCompared} that are compared`,
      subject: kind,
      weight: 1,
    });
  }
}

function schemaChanged(run: SchemaSnapshot | null, base: SchemaSnapshot | null): boolean {
  if (run === null) return false;
  if (base === null) return run.tables.length > 0;
  return sizesOf(run) !== sizesOf(base) || withoutIdentity(run) !== withoutIdentity(base);
}

/** How many there are of each kind: where that differs nothing else need be looked at. */
function sizesOf({ tables, ...others }: SchemaSnapshot): string {
  const sum = (kind: "columns" | "constraints" | "indexes") =>
    tables.reduce((all, table) => all + table[kind].length, 0);
  const lists = Object.values(others).map((each) => (Array.isArray(each) ? each.length : 0));
  return [tables.length, sum("columns"), sum("constraints"), sum("indexes"), ...lists].join();
}

/** Snapshots are large, and base is compared with every run. */
const texts = new WeakMap<SchemaSnapshot, string>();

const identity = new Set(["oid", "attnum", "position"]);

/**
 * A snapshot as text without what differs between two databases that hold the same: oids, and the places of columns and
 * of other objects in their lists. Lists of names keep their order: that of a key's columns or an enum's labels matters.
 */
export function withoutIdentity(snapshot: SchemaSnapshot): string {
  const known = texts.get(snapshot);
  if (known !== undefined) return known;
  const text = canonical(snapshot);
  texts.set(snapshot, text);
  return text;
}

/** Equal for values that differ in nothing but catalog identity, the order of objects in lists and that of keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map(canonical);
    return `[${(value.some((each) => typeof each === "object") ? items.sort() : items).join()}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = "";
  // By name: a snapshot that was read back from a file lists its keys in another order than one made just now.
  for (const key of Object.keys(value).sort()) {
    if (!identity.has(key)) text += `${JSON.stringify(key)}:${canonical(value[key as keyof typeof value])},`;
  }
  return `{${text}}`;
}
