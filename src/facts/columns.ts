import { type FactRisk, unless } from "../model/fact.js";
import { type MatchedColumn, type MatchedTable, ofBase, targetsOf } from "./matching.js";
import { mustBeFilled, newColumn } from "./new-column.js";
import { schemaExtractor } from "./schema.js";
import { defaultSpelling } from "./spelling.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

/** Columns of new tables, new columns of tables of base, and columns of base that were dropped or altered. */
export const columns = schemaExtractor((statements, matched, run) => {
  for (const table of matched.tables) {
    const key = table.generatedKey;
    for (const column of table.columns) {
      if (column.base !== null) alteredColumn(statements, column, table);
      else if (column.column.name !== key) {
        const targets = targetsOf(table, matched, column.column.name);
        newColumn(statements, { column, table, matched, targets, run });
      }
    }
    for (const column of table.droppedColumns) droppedColumn(statements, column.name, table);
  }
});

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
  const [wasFilled, isFilled] = [mustBeFilled(base, table.base), mustBeFilled(column, table.table)];
  if (isFilled !== wasFilled) change("nullability", isFilled ? "no longer null" : "may now be null", 2);
  if (column.identity !== base.identity && column.identity !== null && base.identity !== null) {
    change("numbering", column.identity === "always" ? "no number may be given" : "a number may be given", 0.5);
  }
  if (column.identity === null && base.identity !== null && !/^nextval\(/.test(column.default ?? "")) {
    change("counter", "gone, who adds rows must number them", 2);
  }
  if (column.collation !== base.collation) {
    change("collation", column.collation === null ? "as the database sorts" : quote(column.collation), 0.5);
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
