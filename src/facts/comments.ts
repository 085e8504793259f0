import { type MatchedTable, ofBase, schemaSlot } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

/** Comments: each that changes on a thing of base, and of what is new only whether there are any. No two runs write the same. */
export const comments = schemaExtractor((statements, matched) => {
  const added: (string | null)[] = [];
  for (const table of matched.tables) {
    if (table.base === null) added.push(table.table.comment);
    else changed(statements, table, { slot: table.slot, name: table.name, now: table.table, before: table.base });
    for (const { column, base, slot, name } of table.columns) {
      if (base === null) added.push(column.comment);
      else changed(statements, table, { slot, name, now: column, before: base });
    }
  }
  if (added.every((comment) => comment === null)) return;
  const all = added.every((comment) => comment !== null);
  const topic = "comments on new tables and columns";
  statements.add({
    slot: "comments",
    parents: [schemaSlot],
    aspect: "comments",
    value: all ? "all" : "some",
    label: all ? "on all of them" : "on some of them",
    absentLabel: "on none",
    title: "Are there comments on new tables and columns?",
    topic,
    subject: topic,
    weight: 0.5,
  });
});

interface Commented {
  slot: string;
  name: string;
  now: { comment: string | null };
  before: { comment: string | null };
}

function changed(statements: Statements, table: MatchedTable, { slot, name, now, before }: Commented): void {
  if (now.comment === before.comment) return;
  const subject = quote(name);
  statements.add({
    slot,
    parents: ofBase(table),
    aspect: "comment",
    value: now.comment ?? "",
    label: now.comment === null ? "none any more" : quote(now.comment),
    absentLabel: "as it was",
    title: `What becomes of the comment on ${subject}?`,
    topic: `comment on ${subject}`,
    subject,
    weight: 0.5,
  });
}
