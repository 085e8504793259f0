import type { SchemaIndex, SchemaTable } from "../model/schema.js";
import { columnsNamed, type MatchedTable, ofBase, parentsOf } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { unwrapped } from "./spelling.js";
import type { Statements } from "./statement.js";
import { quote, quoteList } from "./words.js";

/** Indexes that only make queries faster; unique ones are told as uniqueness. */
export const indexes = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    const now = plainIndexes(table.table);
    const before = table.base ? plainIndexes(table.base) : new Map<string, SchemaIndex>();
    for (const [form, index] of now) {
      if (!before.has(form)) state(statements, table, { form, index, dropped: false });
    }
    for (const [form, index] of before) {
      if (!now.has(form)) state(statements, table, { form, index, dropped: true });
    }
  }
});

interface IndexChange {
  form: string;
  index: SchemaIndex;
  dropped: boolean;
}

function state(statements: Statements, table: MatchedTable, { form, index, dropped }: IndexChange): void {
  const subject = `${quoteList(index.keys)}${traitsOf(index)} of ${quote(table.name)}`;
  const title = "Are there indexes on …?";
  statements.present({
    slot: `${dropped ? "dropped " : ""}index ${table.slot} ${form}`,
    parents: dropped ? ofBase(table) : parentsOf(table, columnsNamed(table, index.keys)),
    title: dropped ? `What becomes of the index on ${subject}?` : `Is there an index on ${subject}?`,
    topic: `index on ${subject}`,
    subject,
    label: dropped ? "dropped" : "yes",
    absentLabel: dropped ? "kept" : "no",
    weight: 0.5,
    links: ["theme index"],
    ...(dropped ? {} : { ladder: { of: "index", title, wideTitle: title, step: subject } }),
  });
}

/** What tells two indexes on the same keys apart. */
function traitsOf({ method, include, predicate }: SchemaIndex): string {
  const kind = method === "btree" ? "" : ` by ${method}`;
  const more = include.length > 0 ? ` with ${quoteList(include)}` : "";
  return `${kind}${more}${predicate === null ? "" : `, where ${quote(unwrapped(predicate))}`}`;
}

/** By canonical form, never by name; indexes that stand behind a constraint belong to it. */
function plainIndexes(table: SchemaTable): Map<string, SchemaIndex> {
  const owned = new Set(table.constraints.map(({ name }) => name));
  return new Map(
    table.indexes
      .filter(({ unique, name }) => !unique && !owned.has(name))
      .map((index) => [JSON.stringify([index.method, index.keys, index.include, index.predicate]), index]),
  );
}
