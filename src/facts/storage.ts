import type { SchemaTable } from "../model/schema.js";
import { type MatchedTable, ofBase } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { quote } from "./words.js";

/** How tables are kept: in one piece or in partitions, and whether their rows outlive a crash of the server. */
export const storage = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
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
