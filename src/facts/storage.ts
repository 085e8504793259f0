import type { SchemaTable } from "../model/schema.js";
import { type MatchedSchema, type MatchedTable, ofBase, shortName, tableSlot } from "./matching.js";
import { bare } from "./parts.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote, quoteList } from "./words.js";

/** How tables are kept: in one piece or in partitions, and whether their rows outlive a crash of the server. */
export const storage = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    place(statements, table, matched);
    parts(statements, table, matched.partitions);
    settings(statements, table);
    const { base, slot, name } = table;
    const now = storageOf(table.table);
    const before = base === null ? plain : storageOf(base);
    if (before.value === now.value) continue;
    const quoted = quote(name);
    statements.add({
      slot: slot.replace(/^table /, "storage "),
      parents: base === null ? [slot] : ofBase(table),
      aspect: "storage",
      ...now,
      absentLabel: base === null ? before.label : `${before.label}, as before`,
      title: `How are the rows of ${quoted} kept?`,
      topic: `storage of ${quoted}`,
      subject: quoted,
      weight: 2,
      risk: losesRows(table) ? { kind: "damage", text: `empties ${quoted} when the server crashes (unlogged)` } : null,
    });
  }
});

/** What a table of base is a part of now, which it was not, or no longer is. */
function place(statements: Statements, { table, base, slot, name }: MatchedTable, matched: MatchedSchema): void {
  if (base === null) return;
  const [before, now] = [wholeOf(base, matched.base.tables), wholeOf(table, matched.run.tables)];
  const same = before && now && matched.tables.some((each) => each.base === before.whole && each.table === now.whole);
  if (same ? before.bound === now.bound : before === now) return;
  const quoted = quote(name);
  statements.add({
    slot: slot.replace(/^table /, "storage "),
    parents: ofBase({ slot }),
    aspect: "whole",
    value: now === undefined ? "none" : `${tableSlot(now.whole)} ${now.bound}`,
    label: now === undefined ? "nothing, it was detached" : `${quote(shortName(now.whole))}, ${quote(now.bound)}`,
    absentLabel: before === undefined ? "nothing, as before" : `${quote(shortName(before.whole))}, as before`,
    title: `Which table is ${quoted} a part of?`,
    topic: `table that ${quoted} is a part of`,
    subject: quoted,
    weight: 2,
  });
}

function wholeOf({ partitionOf }: SchemaTable, all: readonly SchemaTable[]) {
  const whole = partitionOf && all.find((each) => bare(`${each.schema}.${each.name}`) === bare(partitionOf.parent));
  return whole ? { whole, bound: partitionOf.bound } : undefined;
}

/** Into which parts new partitions divide a table; what they are called is nobody's choice. */
function parts(statements: Statements, { table, slot, name, base }: MatchedTable, all: readonly MatchedTable[]): void {
  const own = all.flatMap(({ table: { partitionOf } }) =>
    partitionOf?.parent === table.name || partitionOf?.parent === `${table.schema}.${table.name}`
      ? [partitionOf.bound]
      : [],
  );
  if (own.length === 0) return;
  const quoted = quote(name);
  statements.add({
    slot: slot.replace(/^table /, "storage "),
    parents: base === null ? [slot] : ofBase({ slot }),
    aspect: "partitions",
    value: JSON.stringify(own.sort()),
    label: quoteList(own),
    absentLabel: base === null ? "none" : "as before",
    title: `Which partitions does ${quoted} get?`,
    topic: `partitions of ${quoted}`,
    subject: quoted,
    weight: 0.5,
  });
}

/** What else a table is told to be; where a new one is told nothing, there is nothing to say. */
function settings(statements: Statements, { table, slot, name, base }: MatchedTable): void {
  const kinds = [
    { aspect: "options", of: (each: SchemaTable) => [...each.options].sort() },
    { aspect: "inheritance", of: (each: SchemaTable) => [...each.inherits].sort() },
    {
      aspect: "replica identity",
      of: (each: SchemaTable) => (each.replicaIdentity === "default" ? [] : [each.replicaIdentity]),
    },
  ];
  for (const { aspect, of } of kinds) {
    const [now, before] = [of(table), base === null ? [] : of(base)];
    if (now.join("\0") === before.join("\0")) continue;
    const quoted = quote(name);
    statements.add({
      slot: slot.replace(/^table /, "storage "),
      parents: base === null ? [slot] : ofBase({ slot }),
      aspect,
      value: JSON.stringify(now),
      label: now.length === 0 ? "none any more" : quoteList(now),
      absentLabel: base === null ? "none" : "as before",
      title: `What ${aspect} does ${quoted} get?`,
      topic: `${aspect} of ${quoted}`,
      subject: quoted,
      weight: 0.5,
    });
  }
}

const plain = { value: "plain", label: "in a plain table" };

function storageOf({ kind, persistence, partitionKey }: SchemaTable): { value: string; label: string } {
  if (persistence === "unlogged") return { value: "unlogged", label: "unlogged, lost in a crash" };
  if (kind === "foreign table") return { value: kind, label: "in another server" };
  if (partitionKey === null) return plain;
  return { value: `partitions ${partitionKey}`, label: `in partitions, ${quote(partitionKey)}` };
}

function losesRows({ table, base }: MatchedTable): boolean {
  return base?.persistence === "permanent" && table.persistence === "unlogged";
}
