import type { Convention, RunArtifacts } from "../model/fact.js";
import { stemsOf } from "../model/names.js";
import { isLookUp } from "./look-up.js";
import { generatedKey, type MatchedColumn, type MatchedSchema, type MatchedTable } from "./matching.js";
import { stringTypes, timeTypes } from "./spelling.js";
import type { Statements } from "./statement.js";
import { valueList } from "./values.js";
import { quote, quoteList } from "./words.js";

/** A new column in its table, with the tables its foreign keys lead to. */
export interface NewColumn {
  column: MatchedColumn;
  table: MatchedTable;
  matched: MatchedSchema;
  targets: MatchedTable[];
  run: RunArtifacts;
}

/** The type, or for columns of coded values how the values are held. The type of a foreign key is that of its key. */
export function columnType(statements: Statements, each: NewColumn): void {
  const { column, targets, run } = each;
  const name = quote(column.name);
  const about = { slot: column.slot, subject: name, title: `What type is ${name}?`, topic: `type of ${name}` };
  const codes = codesOf(each);
  const listed = targets.find((target) => isLookUp(target, run));
  if (codes) coded(statements, each, codes);
  else if (listed) {
    const label = `a look-up table, ${quote(listed.name)}`;
    statements.add({ ...about, aspect: "type", value: "look-up table", label, weight: 2, links: [listed.slot] });
  } else if (followsKey(each) === undefined) plainType(statements, each);
  else if (followsKey(each) === false) {
    const { type } = column.column;
    const label = quote(type);
    statements.add({ ...about, aspect: "type", value: type, label, absentLabel: "like the key", weight: 2 });
  }
}

interface Codes {
  form: "enum" | "check";
  values: string[];
}

function codesOf({ column: { column }, table, matched }: NewColumn): Codes | undefined {
  const { type, name } = column;
  const list = matched.run.enums.find((each) => type === each.name || type === `${each.schema}.${each.name}`);
  if (list) return { form: "enum", values: [...list.labels].sort() };
  for (const { kind, columns, definition } of table.table.constraints) {
    if (kind !== "check" || columns.length !== 1 || columns[0] !== name) continue;
    const values = valueList(definition);
    if (values) return { form: "check", values: values.sort() };
  }
  return undefined;
}

function coded(statements: Statements, { column }: NewColumn, { form, values }: Codes): void {
  const name = quote(column.name);
  const about = { slot: column.slot, subject: name };
  statements.add({
    ...about,
    aspect: "type",
    value: form === "enum" ? "enum" : "check list",
    label: `a fixed list (${form})`,
    title: `What type is ${name}?`,
    topic: `type of ${name}`,
    weight: 2,
  });
  statements.add({
    ...about,
    aspect: "values",
    value: JSON.stringify(values),
    label: quoteList(values, 6),
    title: `Which values may ${name} hold?`,
    topic: `values of ${name}`,
    weight: 1.5,
  });
}

/**
 * Whether a column that holds keys of another table has the type of that key: by its foreign key, or where it has none by
 * its name (`owner_id`, `sensor_ids`). Undefined where it holds no keys.
 */
function followsKey({ column: { column }, table, matched, targets }: NewColumn): boolean | undefined {
  const key = table.table.constraints.find(({ kind, columns }) => kind === "foreign key" && columns[0] === column.name);
  const target = targets[0];
  if (key?.references && target) {
    const to = key.references.columns[0];
    const type = target.table.columns.find(({ name }) => name === to)?.type;
    return key.columns.length > 1 || type === undefined || bare(type) === bare(column.type);
  }
  if (!/(?:_ids?|[a-z]Ids?)$/.test(column.name)) return undefined;
  const stems = stemsOf(column.name);
  const named = matched.tables.filter(({ name }) => isSubset(stems, stemsOf(name)) && stems.size > 0);
  const types = named.map((each) => keyTypeOf(each)).filter((type) => type !== undefined);
  if (types.length === 0) return undefined;
  return types.includes(column.type.replace(/\[\]$/, ""));
}

/** The length of a string is no difference between a key and what refers to it. */
function bare(type: string): string {
  return stringTypes.test(type) ? "text" : type;
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((each) => whole.has(each));
}

function keyTypeOf(table: MatchedTable): string | undefined {
  const key = table.table.constraints.find(({ kind, columns }) => kind === "primary key" && columns.length === 1);
  const name = generatedKey(table) ?? key?.columns[0];
  return table.table.columns.find((each) => each.name === name)?.type;
}

function plainType(statements: Statements, { column }: NewColumn): void {
  const { type } = column.column;
  const name = quote(column.name);
  const convention = conventionOf(type);
  statements.add({
    slot: column.slot,
    subject: name,
    aspect: "type",
    value: type,
    label: quote(type),
    title: `What type is ${name}?`,
    topic: `type of ${name}`,
    weight: convention ? 0.5 : 2,
    ...(convention ? { convention } : {}),
  });
}

/** Whether strings have a type of their own, and whether times know their zone, is a habit of whoever writes. */
function conventionOf(type: string): Convention | undefined {
  if (stringTypes.test(type)) {
    const value = type.replace(/\(\d+\)$/, "");
    const label = value === type ? quote(value) : "`varchar(n)`";
    return {
      of: "string type",
      title: "What type are strings?",
      topic: "type of strings",
      value,
      label,
      family: "text",
    };
  }
  if (!timeTypes.test(type)) return undefined;
  const zone = type.endsWith("with time zone");
  return {
    of: "time type",
    title: "Do times have a time zone?",
    topic: "time zone of times",
    value: zone ? "with" : "without",
    label: zone ? "with time zone" : "without time zone",
    family: "timestamp",
  };
}
