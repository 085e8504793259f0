import type { Statements } from "./statement.js";
import type { NewColumn } from "./types.js";
import { valueList } from "./values.js";
import { quote, quoteList } from "./words.js";

export interface Codes {
  form: "enum" | "check";
  /** Sorted by their texts. */
  values: string[];
  /** As the enum sorts them. */
  order?: string[];
}

/** The values a column is held to, by an enum or a check that lists them. */
export function codesOf({ column: { column }, table, matched }: NewColumn): Codes | undefined {
  const { type, name } = column;
  const list = matched.run.enums.find((each) => type === each.name || type === `${each.schema}.${each.name}`);
  if (list) return { form: "enum", values: [...list.labels].sort(), order: list.labels };
  for (const { kind, columns, definition } of table.table.constraints) {
    if (kind !== "check" || columns.length !== 1 || columns[0] !== name) continue;
    const values = valueList(definition);
    if (values) return { form: "check", values: values.sort() };
  }
  return undefined;
}

/** How coded values are held, which they are, and how an enum sorts them. */
export function coded(statements: Statements, { column }: NewColumn, { form, values, order }: Codes): void {
  const name = quote(column.name);
  const about = { slot: column.slot, subject: name };
  statements.of(about, {
    aspect: "type",
    value: form === "enum" ? "enum" : "check list",
    label: `a fixed list (${form})`,
    title: `What type is ${name}?`,
    topic: `type of ${name}`,
    weight: 2,
  });
  statements.of(about, {
    aspect: "values",
    value: JSON.stringify(values),
    label: quoteList(values, 6),
    title: `Which values may ${name} hold?`,
    topic: `values of ${name}`,
    weight: 1.5,
  });
  if (order === undefined) return;
  statements.of(about, {
    aspect: "order of values",
    value: JSON.stringify(order),
    label: quoteList(order, 6),
    title: `In which order are the values of ${name}?`,
    topic: `order of the values of ${name}`,
    weight: 0.5,
    quiet: true,
  });
}
