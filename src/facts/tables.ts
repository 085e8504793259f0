import { keyFacts } from "./keys.js";
import {
  type MatchedSchema,
  type MatchedTable,
  ofBase,
  runSlot,
  schemaSlot,
  shortName,
  tableSlot,
  targetsOf,
} from "./matching.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { counted, many, quote } from "./words.js";

/** New tables and the form of their keys; tables of base that are gone, made anew or renamed. */
export const tables = schemaExtractor((statements, matched, { rows }) => {
  for (const table of matched.tables) {
    if (table.base === null) newTable(statements, table, matched);
    else knownTable(statements, table);
  }
  for (const table of matched.droppedTables) {
    const name = quote(shortName(table));
    const lost = rows?.tables.find(
      (each) => each.state === "dropped" && tableSlot(each) === tableSlot(table),
    )?.baseRows;
    statements.present({
      slot: `dropped ${tableSlot(table)}`,
      parents: [runSlot],
      title: `What becomes of table ${name}?`,
      topic: `table ${name}`,
      subject: name,
      label: "dropped",
      absentLabel: "kept",
      weight: 3,
      risk: { kind: "damage", text: `drops table ${name}${withRows(lost)}` },
    });
  }
});

/** " with its 12 rows"; nothing where there were none, or their number is not known. */
function withRows(count: number | undefined): string {
  return count ? ` with its ${counted(count, "row")}` : "";
}

function newTable(statements: Statements, table: MatchedTable, matched: MatchedSchema): void {
  const name = quote(table.name);
  const targets = targetsOf(table, matched).flatMap(({ slot }) => (slot === table.slot ? [] : slot));
  statements.object({
    slot: table.slot,
    parents: [schemaSlot],
    title: `Is there a table ${name}?`,
    subject: name,
    weight: 3,
    links: targets,
    carrier: {
      form: "table",
      name: table.name,
      table: table.slot,
      tableName: table.name,
      said: { name, table: name },
      targets,
      generic: null,
    },
  });
  keyFacts(statements, table);
}

function knownTable(statements: Statements, matched: MatchedTable): void {
  const { table, base, recreated, slot, name } = matched;
  const quoted = quote(name);
  if (recreated) {
    statements.present({
      slot: `re-created ${slot}`,
      parents: ofBase(matched),
      title: `What becomes of table ${quoted}?`,
      topic: `table ${quoted}`,
      subject: quoted,
      label: "dropped and created again",
      absentLabel: "kept",
      weight: 3,
      risk: { kind: "damage", text: `drops table ${quoted} and creates it again` },
    });
  }
  const now = shortName(table);
  if (base === null || now === shortName(base)) return;
  statements.add({
    slot,
    parents: ofBase(matched),
    aspect: "name",
    value: now,
    label: `renamed to ${quote(now)}`,
    absentLabel: "it stays",
    title: `What happens to the name of table ${quoted}?`,
    topic: `name of table ${quoted}`,
    subject: quoted,
    weight: 2,
    risk: { kind: "consequence", text: `code that reads ${many(name)} under the old name breaks` },
  });
}
