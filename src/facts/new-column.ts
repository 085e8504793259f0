import type { Carrier } from "../model/fact.js";
import { lifeTime } from "../model/names.js";
import type { SchemaColumn, SchemaConstraint, SchemaTable } from "../model/schema.js";
import { isTimestamp } from "./families.js";
import { holdingOf } from "./holding.js";
import { parentsOf } from "./matching.js";
import { checkSpelling, defaultSpelling } from "./spelling.js";
import type { Statements } from "./statement.js";
import { columnType, type NewColumn } from "./types.js";
import { quote } from "./words.js";

/** A column the run added: that it is there, its type, whether it must be filled, and what it starts out as. */
export function newColumn(statements: Statements, each: NewColumn): void {
  const { column, table, targets } = each;
  const carrier = carrierOf(each);
  statements.object({
    slot: column.slot,
    parents: parentsOf(table),
    title: `Does ${quote(table.name)} hold ${quote(column.column.name)}?`,
    subject: quote(column.name),
    weight: carrier.generic ? 1 : 1.5,
    links: targets.map(({ slot }) => slot),
    carrier,
  });
  columnType(statements, each);
  nullability(statements, each, carrier);
  startValue(statements, each);
  holding(statements, each);
}

function carrierOf({ column: { column }, table, targets }: NewColumn): Carrier {
  const list = /^jsonb?$|\[\]$/.test(column.type);
  return {
    form: targets.length > 0 ? "reference" : list ? "list" : "plain",
    name: column.name,
    table: table.slot,
    tableName: table.name,
    said: { name: quote(column.name), table: quote(table.name) },
    targets: targets.map(({ slot }) => slot),
    generic: isTimestamp(column.type) ? lifeTime(column.name) : null,
  };
}

/** Plain columns that must be filled are steps of one ladder; what must lead somewhere is a choice of its own. */
function nullability(statements: Statements, { column, table }: NewColumn, { form, generic }: Carrier): void {
  const isKey = ({ kind, columns }: SchemaConstraint) => kind === "primary key" && columns.includes(column.column.name);
  const inKey = table.table.constraints.some(isKey);
  const filled = mustBeFilled(column.column, table.table);
  const name = quote(column.name);
  const ladder = {
    of: `nullability ${table.slot}`,
    title: `Are … of ${quote(table.name)} required?`,
    wideTitle: "Are … required?",
    step: quote(column.column.name),
  };
  statements.add({
    slot: column.slot,
    aspect: "nullability",
    value: filled ? "not null" : "null",
    label: filled ? "not null" : "may be null",
    title: `May ${name} be null?`,
    topic: `${name} null or not`,
    subject: name,
    weight: generic ? 0.5 : 2,
    lack: !filled,
    // What follows from the key is told only beside what others chose.
    quiet: inKey,
    links: ["theme nullability"],
    ...(form === "reference" || generic ? {} : { ladder }),
  });
}

/** By NOT NULL, or by a check that says the same. */
export function mustBeFilled({ name, notNull }: SchemaColumn, table: SchemaTable | null): boolean {
  const own = table?.constraints.filter(({ columns }) => columns.length === 1 && columns[0] === name) ?? [];
  return notNull || own.some(({ definition }) => onlyNotNull(definition));
}

export function onlyNotNull(definition: string): boolean {
  return /^CHECK \(\(?\(?"?[\w$]+"? IS NOT NULL\)?\)?\)$/i.test(definition);
}

function startValue(statements: Statements, { column }: NewColumn): void {
  const start = startOf(column.column);
  const name = quote(column.name);
  statements.add({
    slot: column.slot,
    aspect: "default",
    value: start?.value ?? "none",
    label: start?.label ?? "nothing",
    title: `What does ${name} start out as?`,
    topic: `default of ${name}`,
    subject: name,
    weight: column.column.generated === null ? 0.5 : 2,
    lack: start === null,
    links: ["theme default"],
  });
}

/** What the server fills a column with; an identity and a sequence are two spellings of one counter. */
function startOf({ default: text, identity, generated }: SchemaColumn): { value: string; label: string } | null {
  if (identity !== null || /^nextval\(/.test(text ?? "")) return { value: "counter", label: "the next number" };
  if (generated !== null) {
    const expression = checkSpelling(text ?? "");
    return { value: `generated ${expression}`, label: `always ${quote(expression)}` };
  }
  const value = defaultSpelling(text);
  return value === null ? null : { value, label: quote(value) };
}

/** By the name the run itself gave the column: the name all are compared by says nothing about this run. */
function holding(statements: Statements, { column, run }: NewColumn): void {
  const how = holdingOf(run.ownNames?.get(column.slot) ?? column.column.name);
  if (how === undefined) return;
  const name = quote(column.name);
  statements.add({
    slot: column.slot,
    aspect: "holding",
    value: how,
    label: `as ${how}, by its name`,
    absentLabel: "its name does not say",
    title: `How is ${name} held?`,
    topic: `how ${name} is held`,
    subject: name,
    weight: 1.5,
    quiet: true,
  });
}
