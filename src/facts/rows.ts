import type { BaseArtifacts, Extractor, Reading, RunArtifacts } from "../model/fact.js";
import type { TableRows } from "../model/rows.js";
import {
  columnSlot,
  findTable,
  type MatchedSchema,
  type MatchedTable,
  matchSchema,
  ofBase,
  runSlot,
  shortName,
  tableSlot,
  targetsOf,
} from "./matching.js";
import { Statements } from "./statement.js";
import { counted, many, one, quote } from "./words.js";

/** What a run did to the rows: what new tables and columns start with, and what it added to, changed in or took from base. */
export const rows: Extractor = {
  dimension: "data",
  read(run: RunArtifacts, base: BaseArtifacts): Reading | undefined {
    const matched = matchSchema(run, base);
    if (matched === undefined || run.rows === null) return undefined;
    const statements = new Statements(run, "data", "rows.json");
    const changes = new Map(run.rows.tables.map((each) => [tableSlot(each), each]));
    const lost = new Set(run.rows.unreadable.map(({ object }) => object));
    const unknown: string[] = [];
    for (const table of matched.tables) {
      if (isLost(table, lost)) {
        unknown.push(rowsSlot(table), ...table.columns.map(({ column }) => valuesSlot(table, column.name)));
        continue;
      }
      const change = changes.get(tableSlot(table.table)) ?? changes.get(table.slot);
      if (table.base === null) newRows(statements, { table, change, matched });
      else if (change) knownRows(statements, table, change);
      if (table.base !== null) filledColumns(statements, { table, change, matched });
      for (const each of change?.values ?? []) values(statements, table, each);
      for (const each of change?.orphans ?? []) orphans(statements, table, each);
    }
    return { facts: statements.facts, complete: lost.size === 0, unknown };
  },
};

/** Takes a table whose rows could not be read out of those that are left. */
function isLost({ table, base }: MatchedTable, lost: Set<string>): boolean {
  const names = [table, ...(base ? [base] : [])].map(({ schema, name }) => `${schema}.${name}`);
  const found = names.some((name) => lost.has(name));
  for (const name of names) lost.delete(name);
  return found;
}

interface RowsOf {
  table: MatchedTable;
  change: TableRows | undefined;
  matched: MatchedSchema;
}

function valuesSlot({ table, base }: MatchedTable, column: string): string {
  return `values of ${columnSlot(base ?? table, column)}`;
}

function rowsSlot(table: MatchedTable): string {
  return table.slot.replace(/^table /, "rows ");
}

function newRows(statements: Statements, { table, change, matched }: RowsOf): void {
  const targets = targetsOf(table, matched).filter((target) => target !== table);
  const existing = targets.filter(({ base }) => base !== null);
  const target = existing.length === 1 ? existing[0] : undefined;
  const count = change?.runRows ?? 0;
  const answer = count === 0 ? { value: "none", label: target ? "no" : "none" } : cover(count, change, target);
  statements.add({
    slot: rowsSlot(table),
    parents: [table.slot],
    aspect: "rows",
    ...answer,
    title: target
      ? `Do existing ${many(target.name)} get ${one(table.name)}?`
      : `Which rows does ${quote(table.name)} start with?`,
    topic: `rows of ${quote(table.name)}`,
    subject: quote(table.name),
    weight: 3,
    lack: count === 0,
    links: targets.filter(({ base }) => base === null).flatMap((each) => [each.slot, rowsSlot(each)]),
  });
}

/** "one each (12 of 12)" only where every row of the target is pointed at and none twice; counts alone never say so. */
function cover(
  count: number,
  change: TableRows | undefined,
  target: MatchedTable | undefined,
): { value: string; label: string } {
  const plain = { value: `${count} rows`, label: counted(count, "row") };
  if (target === undefined) return plain;
  const links = change?.links?.filter(
    ({ schema, table }) => schema === target.table.schema && table === target.table.name,
  );
  const link = links?.sort((a, b) => b.distinct - a.distinct)[0];
  if (link === undefined || link.targetRows === 0) return { ...plain, label: `yes, ${plain.label}` };
  const share = `${link.distinct} of ${link.targetRows}`;
  if (link.distinct === count && count === link.targetRows)
    return { value: "one each", label: `yes, one each (${share})` };
  if (link.distinct === count) return { value: `one for ${share}`, label: `yes, one each for ${share}` };
  return { value: `${count} rows for ${share}`, label: `yes, ${plain.label} for ${share}` };
}

function filledColumns(statements: Statements, { table, change, matched }: RowsOf): void {
  const key = table.generatedKey;
  for (const { base, column, slot, name } of table.columns) {
    // Where a column must be filled or has a default, that its rows are filled is no choice of its own.
    const follows = column.notNull || column.default !== null || column.generated !== null || column.name === key;
    if (base !== null || follows) continue;
    const filled = change?.filledColumns.find((each) => each.name === column.name)?.rows ?? 0;
    const of = change?.runRows ?? 0;
    const targets = table.table.constraints.filter(({ columns }) => columns.includes(column.name));
    const links = targets.flatMap(({ references }) => {
      const target = references ? findTable(matched, references.schema, references.table) : undefined;
      return target ? [target.slot, rowsSlot(target)] : [];
    });
    statements.add({
      slot: valuesSlot(table, column.name),
      parents: [slot],
      aspect: "filled",
      ...share(filled, of),
      title: `Do existing ${many(table.name)} get a ${quote(column.name)}?`,
      topic: `${quote(name)} of existing rows`,
      subject: quote(name),
      weight: 3,
      lack: filled === 0,
      links,
    });
  }
}

type Values = NonNullable<TableRows["values"]>[number];

/** What a new column holds in the rows that are there: never which rows, so that runs can be compared. */
function values(statements: Statements, table: MatchedTable, each: Values): void {
  const column = table.columns.find((one) => one.base === null && one.column.name === each.column);
  if (column === undefined || column.column.default !== null) return;
  const refers = table.table.constraints.some(
    ({ kind, columns }) => kind === "foreign key" && columns.length === 1 && columns[0] === each.column,
  );
  const name = quote(column.name);
  statements.add({
    slot: valuesSlot(table, each.column),
    parents: [column.slot],
    aspect: "values",
    ...(refers ? spread(each) : origin(each)),
    title: refers ? `To how many rows do ${name} lead?` : `What do existing rows get as ${name}?`,
    topic: `values of ${name}`,
    subject: name,
    weight: 2,
    links: [valuesSlot(table, each.column), rowsSlot(table)],
  });
}

/** A reference that leads to nothing is damage whoever made it: no foreign key of the run's refuses it. */
function orphans(statements: Statements, table: MatchedTable, each: NonNullable<TableRows["orphans"]>[number]): void {
  const name = quote(`${table.name}.${each.column}`);
  const target = quote(shortName({ schema: each.schema, name: each.table }));
  const label = counted(each.rows, "row");
  statements.add({
    slot: `orphans ${table.slot} ${each.column}`,
    parents: [runSlot],
    aspect: "orphans",
    value: String(each.rows),
    label,
    absentLabel: "none",
    title: `How many rows of ${name} lead to nothing?`,
    topic: `rows of ${name} that lead to nothing`,
    subject: name,
    weight: 3,
    risk: { kind: "damage", text: `${name}: ${label} that lead to nothing in ${target}` },
  });
}

/** One for all, one each, or how many. */
function spread({ rows, distinct }: Values): { value: string; label: string } {
  if (rows === distinct && rows > 1) return { value: "each", label: "each to another one" };
  if (distinct === 1) return { value: "one", label: rows > 1 ? "all to the same one" : "to one" };
  return { value: `${distinct}`, label: `to ${distinct}` };
}

function origin({ kind, from, value, rows, distinct }: Values): { value: string; label: string } {
  const source = from && quote(from.table === null ? from.column : `${from.table}.${from.column}`);
  switch (kind) {
    case "copy":
      return { value: `copy ${source}`, label: `the value of ${source}` };
    case "template":
      return { value: `template ${source}`, label: `a text with ${source} in it` };
    case "generated":
      return { value: "generated", label: "made up by the database or the clock" };
    case "constant":
      return { value: `constant ${value}`, label: value === null ? "one long value" : `${quote(value)} in all` };
    case "own":
      return distinct === rows
        ? { value: "own", label: "a value each" }
        : { value: "several", label: `${distinct} values for ${rows} rows` };
  }
}

function share(filled: number, of: number): { value: string; label: string } {
  if (filled === 0) return { value: "none", label: "no, it stays empty" };
  if (filled === of) return { value: "all", label: `yes, all (${filled} of ${of})` };
  return { value: `${filled} of ${of}`, label: `some (${filled} of ${of})` };
}

function knownRows(statements: Statements, table: MatchedTable, change: TableRows): void {
  const name = quote(table.name);
  const slot = rowsSlot(table);
  const of = counted(change.baseRows, "row");
  const head = { slot, parents: ofBase(table), subject: name, topic: `rows of ${name}`, weight: 3 as const };
  const added = change.added.count;
  const columns = change.changedColumns.map((each) => quote(each.name)).join(", ");
  if (added > 0) {
    const label = `yes, ${added}`;
    const title = `Are rows added to ${name}?`;
    statements.add({ ...head, aspect: "added", value: String(added), label, absentLabel: "no", title });
  }
  if (change.removed.count > 0) {
    const label = `${change.removed.count} of ${of} removed`;
    statements.add({
      ...head,
      aspect: "removed",
      value: String(change.removed.count),
      label,
      absentLabel: "all kept",
      title: `Are rows of ${name} lost?`,
      risk: { kind: "damage", text: `${name}: ${label}` },
    });
  }
  if (change.changed.count > 0) {
    const label = `${change.changed.count} of ${of} changed${columns ? ` in ${columns}` : ""}`;
    statements.add({
      ...head,
      aspect: "changed",
      value: `${change.changed.count} ${columns}`,
      label,
      absentLabel: "none changed",
      title: `Are existing rows of ${name} changed?`,
      risk: { kind: "damage", text: `${name}: ${label}` },
    });
  }
}
