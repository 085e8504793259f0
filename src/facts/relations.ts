import type { FactRisk } from "../model/fact.js";
import type { SchemaConstraint } from "../model/schema.js";
import {
  columnsNamed,
  findTable,
  type MatchedSchema,
  type MatchedTable,
  ofBase,
  parentsOf,
  qualified,
} from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { deleteSpelling } from "./spelling.js";
import type { Statements } from "./statement.js";
import { many, one, quote } from "./words.js";

/** Foreign keys: what a column refers to, and what happens to a row when the row it refers to is deleted. */
export const relations = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    for (const key of table.table.constraints) relation(statements, { key, table, matched });
  }
});

interface Relation {
  key: SchemaConstraint;
  table: MatchedTable;
  matched: MatchedSchema;
}

function relation(statements: Statements, { key, table, matched }: Relation): void {
  const to = key.references;
  if (to === null) return;
  const columns = columnsNamed(table, key.columns);
  const old = inBase({ key, table, matched });
  if (old && old.references?.onDelete === to.onDelete) return;
  const target = findTable(matched, to.schema, to.table);
  const targetName = target?.name ?? to.table;
  const single = columns.length === 1 ? columns[0] : undefined;
  const own = key.columns.map((column) => quote(column)).join(", ");
  const named = single ? quote(single.name) : `(${own}) of ${quote(table.name)}`;
  const slot = single?.slot ?? `columns ${qualified(...[table.slot, ...key.columns].sort())}`;
  const parents = old ? ofBase(table) : parentsOf(table, columns);
  const links = target ? [target.slot] : [];
  const about = { slot, parents, subject: named };
  if (!old) {
    statements.add({
      ...about,
      aspect: "references",
      value: target?.slot ?? qualified(to.schema, to.table),
      label: quote(targetName),
      absentLabel: "nothing, it is no foreign key",
      title: `What does ${named} refer to?`,
      topic: `target of ${named}`,
      weight: 3,
      parents: target?.base === null ? [...parents, target.slot] : parents,
      links: [...links, "theme foreign key"],
    });
  }
  statements.add({
    ...about,
    aspect: "on delete",
    ...deletion(deleteSpelling(to.onDelete), { table, columns: own }),
    ...(old ? { absentLabel: "the same as before" } : {}),
    title: `When ${one(targetName)} is deleted, what happens to its ${many(table.name)}?`,
    topic: `${many(table.name)} of a deleted ${one(targetName).replace(/^an? /, "")}`,
    weight: table.base === null ? 2 : 3,
    links: [...links, "theme foreign key"],
  });
}

function inBase({ key, table, matched }: Relation): SchemaConstraint | undefined {
  return table.base?.constraints.find((each) => (matched.clone && each.oid === key.oid) || sameRelation(each, key));
}

export function sameRelation(a: SchemaConstraint, b: SchemaConstraint): boolean {
  const one = a.references;
  const other = b.references;
  if (one === null || other === null) return false;
  return a.columns.join("\0") === b.columns.join("\0") && one.table === other.table && one.schema === other.schema;
}

interface Deletion {
  table: MatchedTable;
  columns: string;
}

/** Rows that users already have can be lost by a cascade; rows of a table the run itself made are its own affair. */
function deletion(
  action: string,
  { table, columns }: Deletion,
): { value: string; label: string; risk: FactRisk | null } {
  const rows = many(table.name);
  const risk: FactRisk | null =
    table.base === null ? null : { kind: "consequence", text: `existing ${rows} can be lost` };
  if (action === "cascade") return { value: action, label: "deleted with it", risk };
  if (action === "set null") return { value: action, label: `kept, ${columns} cleared`, risk: null };
  if (action === "set default") return { value: action, label: `kept, ${columns} set to its default`, risk: null };
  return { value: action, label: "refused while there are any", risk: null };
}
