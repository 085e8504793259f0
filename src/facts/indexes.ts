import type { SchemaIndex, SchemaTable } from "../model/schema.js";
import { type Finding, findingOf, type IndexKey, keysOf } from "./index-use.js";
import { type MatchedTable, ofBase, parentsOf } from "./matching.js";
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
  const keys = keysOf(index, table);
  const finding = findingOf(index, keys);
  const said = quote(table.name);
  const names = quoteList(keys.flatMap(finding ? spoken : ({ text, traits }) => `${text} ${traits}`.trim()));
  const subject = `${names}${finding ? "" : methodOf(index)}${traitsOf(index)} of ${said}${searchOf(index, keys, finding)}`;
  const title = "Are there indexes on …?";
  const [lead] = keys;
  const use = {
    table: table.slot,
    said,
    lead: quote(lead?.text ?? ""),
    column: lead?.isColumn ? (lead.columns[0]?.slot ?? null) : null,
    finds: finding?.finds ?? null,
    method: index.method,
  };
  statements.present({
    slot: `${dropped ? "dropped " : ""}index ${table.slot} ${form}`,
    parents: dropped ? ofBase(table) : parentsOf(table, [...new Set(keys.flatMap(({ columns }) => columns))]),
    title: dropped ? `What becomes of the index on ${subject}?` : `Is there an index on ${subject}?`,
    topic: `index on ${subject}`,
    subject,
    label: dropped ? "dropped" : "yes",
    absentLabel: dropped ? "kept" : "no",
    // Which search is quick says how a program searches; any other index changes nothing but the time it takes.
    weight: finding ? 1 : 0.5,
    links: ["theme index", ...(finding?.extension ? [`extension ${finding.extension}`] : [])],
    ...(dropped ? {} : { ladder: { of: "index", title, wideTitle: title, step: subject }, indexing: use }),
  });
}

/** A search index by the columns it searches, however its expression reaches them. */
function spoken({ columns, text }: IndexKey): string[] {
  return columns.length > 0 ? columns.map(({ column }) => column.name) : [text];
}

function methodOf({ method }: SchemaIndex): string {
  return method === "btree" ? "" : ` by ${method}`;
}

/** " for trigrams (gist, siglen=64)": what a search index finds, and how. */
function searchOf({ method }: SchemaIndex, keys: readonly IndexKey[], finding: Finding | undefined): string {
  if (finding === undefined) return "";
  const parameters = keys.flatMap(({ traits }) => /\(([^)]*)\)/.exec(traits)?.[1] ?? []);
  return ` for ${finding.finds} (${[method, ...new Set(parameters)].join(", ")})`;
}

/** What tells two indexes on the same keys apart. */
function traitsOf({ include, predicate }: SchemaIndex): string {
  const more = include.length > 0 ? ` with ${quoteList(include)}` : "";
  return `${more}${predicate === null ? "" : `, where ${quote(unwrapped(predicate))}`}`;
}

/** By canonical form, never by name; indexes that stand behind a constraint belong to it. */
function plainIndexes(table: SchemaTable): Map<string, SchemaIndex> {
  const owned = new Set(table.constraints.map(({ name }) => name));
  return new Map(
    table.indexes.filter(({ unique, name }) => !unique && !owned.has(name)).map((index) => [formOf(index), index]),
  );
}

/** One key is read from either end: its direction makes no difference. */
function formOf({ method, keys, include, predicate }: SchemaIndex): string {
  const [only] = keys.length === 1 ? keys : [];
  const ordered = only === undefined ? keys : [only.replace(/ DESC$/, "")];
  return JSON.stringify([method, ordered, include, predicate]);
}
