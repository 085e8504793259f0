import { type FactRisk, unless } from "../model/fact.js";
import {
  findTable,
  generatedKey,
  type MatchedColumn,
  type MatchedSchema,
  type MatchedTable,
  ofBase,
  parentsOf,
} from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { defaultSpelling, stringTypes, timeTypes } from "./spelling.js";
import type { Statements } from "./statement.js";
import { quote, quoteList } from "./words.js";

/** Columns of new tables, new columns of tables of base, and columns of base that were dropped or altered. */
export const columns = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    const key = generatedKey(table);
    for (const column of table.columns) {
      if (column.base !== null) alteredColumn(statements, column, table);
      else if (column.column.name !== key) newColumn(statements, { column, table, matched });
    }
    for (const column of table.droppedColumns) droppedColumn(statements, column.name, table);
  }
});

interface NewColumn {
  column: MatchedColumn;
  table: MatchedTable;
  matched: MatchedSchema;
}

function newColumn(statements: Statements, { column, table, matched }: NewColumn): void {
  const { slot, name } = column;
  const keys = table.table.constraints.filter(({ columns }) => columns.includes(column.column.name));
  const targets = keys.flatMap(({ references }) =>
    references ? (findTable(matched, references.schema, references.table)?.slot ?? []) : [],
  );
  statements.object({
    slot,
    parents: parentsOf(table),
    title: `Does ${quote(table.name)} hold ${quote(column.column.name)}?`,
    subject: quote(name),
    weight: 1.5,
    links: targets,
  });
  columnType(statements, column, { matched, foreign: targets.length > 0, table });
  if (keys.every(({ kind }) => kind !== "primary key")) {
    const filled = column.column.notNull || keys.some(({ definition }) => onlyNotNull(definition));
    statements.add({
      slot,
      aspect: "nullability",
      value: filled ? "not null" : "null",
      label: filled ? "always filled" : "may be empty",
      title: `Must ${quote(name)} be filled?`,
      topic: `${quote(name)} filled or not`,
      subject: quote(name),
      weight: 2,
      lack: !filled,
    });
  }
  const value = column.column.generated === null ? defaultSpelling(column.column.default) : "generated";
  statements.add({
    slot,
    aspect: "default",
    value: value ?? "none",
    label: value === null ? "nothing" : quote(value),
    title: `What does ${quote(name)} start out as?`,
    topic: `default of ${quote(name)}`,
    subject: quote(name),
    weight: 0.5,
    lack: value === null,
  });
}

function onlyNotNull(definition: string): boolean {
  return /^CHECK \(\(?\(?"?[\w$]+"? IS NOT NULL\)?\)?\)$/i.test(definition);
}

interface TypeContext {
  matched: MatchedSchema;
  table: MatchedTable;
  foreign: boolean;
}

/** The type, or for columns of coded values how the values are held; a foreign key's type is that of its key. */
function columnType(statements: Statements, column: MatchedColumn, { matched, table, foreign }: TypeContext): void {
  const { type, name: own } = column.column;
  const name = quote(column.name);
  const about = { slot: column.slot, subject: name };
  const values = matched.run.enums.find((each) => type === each.name || type === `${each.schema}.${each.name}`);
  const list = table.table.constraints.find(
    ({ kind, columns, definition }) =>
      kind === "check" && columns.length === 1 && columns[0] === own && valueList(definition),
  );
  const allowed = values?.labels ?? (list ? valueList(list.definition) : undefined);
  if (allowed === undefined && foreign) return;
  if (allowed === undefined) {
    const text = stringTypes.test(type);
    statements.add({
      ...about,
      aspect: "type",
      value: type,
      label: quote(type),
      title: `What type is ${name}?`,
      topic: `type of ${name}`,
      weight: text || timeTypes.test(type) ? 0.5 : 2,
      links: text ? ["theme string type"] : timeTypes.test(type) ? ["theme time type"] : [],
    });
    return;
  }
  const sorted = [...allowed].sort();
  statements.add({
    ...about,
    aspect: "type",
    value: values ? "enum" : "check list",
    label: values ? "a fixed list (enum)" : "a fixed list (check)",
    title: `What type is ${name}?`,
    topic: `type of ${name}`,
    weight: 2,
  });
  statements.add({
    ...about,
    aspect: "values",
    value: JSON.stringify(sorted),
    label: quoteList(sorted, 6),
    title: `Which values may ${name} hold?`,
    topic: `values of ${name}`,
    weight: 1.5,
  });
}

/** The values of a check that is nothing but a list of them: `x = ANY (ARRAY['a', 'b'])` or `x = 'a' OR x = 'b'`. */
export function valueList(definition: string): string[] | undefined {
  const body = definition
    .replace(/^CHECK \((.*)\)$/s, "$1")
    .replaceAll(/::[a-z]+(?: varying)?(?:\(\d+\))?(?:\[\])?/g, "");
  const values = [...body.matchAll(/'((?:[^']|'')*)'/g)].map(([, value]) => (value ?? "").replaceAll("''", "'"));
  const rest = body.replaceAll(/'(?:[^']|'')*'/g, "?").replaceAll(/[()\s]/g, "");
  const listed = /^"?[\w$]+"?=ANYARRAY\[\?(?:,\?)*\]$/.test(rest) || /^"?[\w$]+"?=\?(?:OR"?[\w$]+"?=\?)+$/.test(rest);
  return listed ? values : undefined;
}

function alteredColumn(statements: Statements, altered: MatchedColumn, table: MatchedTable): void {
  const { column, base, slot, name } = altered;
  if (base === null) return;
  const quoted = quote(name);
  const change = (aspect: string, label: string, weight: 2 | 0.5, risk: FactRisk | null = null) =>
    statements.add({
      slot,
      parents: [...ofBase(table), unless(droppedSlot(name))],
      aspect,
      value: label,
      label,
      absentLabel: "as it was",
      title: `What happens to the ${aspect} of ${quoted}?`,
      topic: `${aspect} of ${quoted}`,
      subject: quoted,
      weight,
      risk,
    });
  if (column.name !== base.name) {
    const risk: FactRisk = { kind: "consequence", text: "code that uses the old name breaks" };
    change("name", `renamed to ${quote(column.name)}`, 2, risk);
  }
  if (column.type !== base.type) change("type", `${quote(base.type)} becomes ${quote(column.type)}`, 2);
  if (column.notNull !== base.notNull) {
    change("nullability", column.notNull ? "must now be filled" : "may now be empty", 2);
  }
  const [before, after] = [defaultSpelling(base.default), defaultSpelling(column.default)];
  if (before !== after) change("default", after === null ? "none any more" : quote(after), 0.5);
}

function droppedSlot(name: string): string {
  return `dropped column ${name}`;
}

function droppedColumn(statements: Statements, column: string, table: MatchedTable): void {
  const name = `${table.name}.${column}`;
  const quoted = quote(name);
  statements.present({
    slot: droppedSlot(name),
    parents: ofBase(table),
    title: `What becomes of ${quoted}?`,
    topic: quoted,
    subject: quoted,
    label: "dropped",
    absentLabel: "kept",
    weight: 3,
    risk: { kind: "damage", text: `drops column ${quoted}` },
  });
}
