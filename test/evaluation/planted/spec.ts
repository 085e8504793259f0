import type { RunArtifacts } from "../../../src/model/fact.js";
import type { SchemaConstraint, SchemaSnapshot, SchemaTable } from "../../../src/model/schema.js";
import { check, column, index, key, refers, run, snapshot, table, unique } from "../../support/runs.js";

/** What a column is for, whatever a run calls it, with everything a run chose about it. */
export interface ColumnSpec {
  concept: string;
  name: string;
  type: string;
  notNull?: boolean;
  default?: string | null;
  /** The concept of the table it refers to. */
  to?: string;
  onDelete?: "cascade" | "set null" | "no action";
  /** The values a check admits. */
  list?: string[];
}

export interface TableSpec {
  concept: string;
  name: string;
  isNew: boolean;
  columns: ColumnSpec[];
  /** Names of the key's columns; a key of one column without a reference is generated. */
  key: string[];
  uniques?: string[][];
  indexes?: string[][];
  rowSecurity?: boolean;
}

export interface RunSpec {
  tables: TableSpec[];
  enums?: { name: string; labels: string[] }[];
}

/** Run number `n` as capture would have left it, on a clone of base. */
export function artifactsOf(n: number, spec: RunSpec): RunArtifacts {
  return run(n, { schema: schemaOf(spec, n) });
}

/** Objects of base have the same identity in every database, those a run made another one in each. */
export function schemaOf({ tables, enums = [] }: RunSpec, salt = 0): SchemaSnapshot {
  const made = tables.map((each) => tableOf(each, tables, each.isNew ? salt : 0));
  const lists = enums.map(({ name, labels }, at) => ({
    schema: "public",
    name,
    oid: 20_000 + 100 * salt + at,
    comment: null,
    labels,
  }));
  return snapshot(made, { enums: lists });
}

function tableOf(spec: TableSpec, tables: readonly TableSpec[], salt: number): SchemaTable {
  const generated = (name: string) => spec.key.length === 1 && spec.key[0] === name;
  const columns = spec.columns.map(({ name, type, notNull = true, default: given = null, to }) => {
    const isUuid = generated(name) && !to && type === "uuid";
    return column(name, type, {
      notNull: notNull || spec.key.includes(name),
      default: isUuid ? "gen_random_uuid()" : given,
      identity: generated(name) && !to && !isUuid ? "always" : null,
    });
  });
  const rules = [key(...spec.key), ...(spec.uniques ?? []).map((names) => unique(...names))];
  for (const each of spec.columns) rules.push(...referenceOf(each, tables), ...listOf(each));
  return table(spec.name, {
    salt,
    columns,
    constraints: rules,
    indexes: (spec.indexes ?? []).map((names) => index(...names)),
    rowSecurity: spec.rowSecurity ? "on" : "off",
  });
}

function referenceOf({ name, to, onDelete }: ColumnSpec, tables: readonly TableSpec[]): SchemaConstraint[] {
  if (to === undefined) return [];
  const target = tables.find(({ concept }) => concept === to);
  if (target === undefined) throw new Error(`${name} refers to ${to}, which the run does not have`);
  const rule = refers(name, target.name, onDelete);
  return [{ ...rule, references: rule.references && { ...rule.references, columns: target.key } }];
}

function listOf({ name, list }: ColumnSpec): SchemaConstraint[] {
  const values = list?.map((each) => `'${each}'::text`).join(", ");
  return list ? [check([name], `(${name} = ANY (ARRAY[${values}]))`)] : [];
}
