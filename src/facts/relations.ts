import type { Convention, Fact, FactRisk } from "../model/fact.js";
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
import { deleteSpelling, waitingOf } from "./spelling.js";
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
  const target = findTable(matched, to.schema, to.table);
  const targetName = target?.name ?? to.table;
  const single = columns.length === 1 ? columns[0] : undefined;
  const own = key.columns.map((column) => quote(column)).join(", ");
  const named = single ? quote(single.name) : `(${own}) of ${quote(table.name)}`;
  const slot = single?.slot ?? `columns ${qualified(...[table.slot, ...key.columns].sort())}`;
  const parents = old ? ofBase(table) : parentsOf(table, columns);
  const links = [...(target ? [target.slot] : []), "theme foreign key"];
  const about = { slot, parents, subject: named };
  if (!old) {
    const place = { ...about, parents: target?.base === null ? [...parents, target.slot] : parents };
    statements.of(place, {
      aspect: "references",
      value: target?.slot ?? qualified(to.schema, to.table),
      label: quote(targetName),
      absentLabel: "nothing, it is no foreign key",
      title: `What does ${named} refer to?`,
      topic: `target of ${named}`,
      weight: 3,
      links,
    });
  }
  const theirs = { rows: many(table.name), of: targetName, columns: own, isNew: table.base === null };
  const before = old ? actionsOf(old, theirs) : [];
  for (const action of actionsOf(key, theirs)) {
    if (before.some(({ aspect, value }) => aspect === action.aspect && value === action.value)) continue;
    // A key of base is no matter of the run's own habits, and a change to it is news.
    const { convention: _, quiet: __, ...change } = action;
    statements.of(about, old ? { ...change, absentLabel: "the same as before", links } : { ...action, links });
  }
}

function inBase({ key, table, matched }: Relation): SchemaConstraint | undefined {
  return table.base?.constraints.find((each) => (matched.clone && each.oid === key.oid) || sameRelation(each, key));
}

export function sameRelation(a: SchemaConstraint, b: SchemaConstraint): boolean {
  const one = a.references;
  const other = b.references;
  if (one === null || other === null) return false;
  return pairsOf(a) === pairsOf(b) && one.table === other.table && one.schema === other.schema;
}

/** Which column leads to which, in whatever order. */
function pairsOf({ columns, references }: SchemaConstraint): string {
  return JSON.stringify(columns.map((column, at) => [column, references?.columns[at]]).sort());
}

interface Theirs {
  /** The rows that refer, as titles show them. */
  rows: string;
  /** The table they refer to. */
  of: string;
  columns: string;
  /** True where the run made the table that refers. */
  isNew: boolean;
}

type Action = Pick<Fact, "aspect" | "value" | "label" | "title" | "topic" | "weight"> &
  Partial<Pick<Fact, "risk" | "quiet" | "convention" | "absentLabel">>;

/** What a foreign key does beside referring. */
function actionsOf(key: SchemaConstraint, theirs: Theirs): Action[] {
  const { rows, of, isNew } = theirs;
  const { onDelete = "no action", onUpdate = "no action" } = key.references ?? {};
  const deleted = `${rows} of a deleted ${one(of).replace(/^an? /, "")}`;
  const action = deleteSpelling(onUpdate);
  const update = updates.get(action);
  return [
    {
      aspect: "on delete",
      ...deletion(deleteSpelling(onDelete), theirs),
      title: `When ${one(of)} is deleted, what happens to its ${rows}?`,
      topic: deleted,
      weight: isNew ? 2 : 3,
    },
    {
      aspect: "on update",
      value: action,
      label: update?.label ?? action,
      title: `When the key of ${one(of)} is updated, what happens to its ${rows}?`,
      topic: `${rows} of ${one(of)} whose key is updated`,
      weight: 1,
      quiet: true,
      ...(update ? { convention: update } : {}),
    },
    ...exceptions(key, theirs),
  ];
}

/** What few foreign keys do; where one doesn't, as where there is none, the answer is no. */
function exceptions(key: SchemaConstraint, { rows, of }: Theirs): Action[] {
  const named = `references of ${rows} to ${many(of)}`;
  const late: Action = {
    aspect: "time of checking",
    ...waitingOf(key),
    absentLabel: "no",
    title: `Are ${named} checked late?`,
    topic: `late check of ${named}`,
    weight: 0.5,
  };
  const exempt: Action = {
    aspect: "validity",
    value: "not valid",
    label: "yes (`NOT VALID`)",
    absentLabel: "no",
    title: `Are rows from before exempt from ${named}?`,
    topic: `rows from before exempt from ${named}`,
    weight: 1,
  };
  return [...(key.deferrable ? [late] : []), ...(key.validated ? [] : [exempt])];
}

const updates = new Map(
  [
    ["cascade", "updated with it"],
    ["set null", "cleared"],
    ["set default", "set to their default"],
    ["no action", "refused while there are any"],
  ].map(([value = "", label = ""]): [string, Convention] => {
    const about = { title: "What happens to references when a key is updated?", topic: "references to an updated key" };
    return [value, { of: "on update", ...about, value, label }];
  }),
);

/** Rows that users already have can be lost by a cascade; rows of a table the run itself made are its own affair. */
function deletion(
  action: string,
  { rows, columns, isNew }: Theirs,
): { value: string; label: string; risk: FactRisk | null } {
  const risk: FactRisk | null = isNew ? null : { kind: "consequence", text: `existing ${rows} can be lost` };
  if (action === "cascade") return { value: action, label: "deleted with it", risk };
  if (action === "set null") return { value: action, label: `kept, ${columns} cleared`, risk: null };
  if (action === "set default") return { value: action, label: `kept, ${columns} set to its default`, risk: null };
  return { value: action, label: "refused while there are any", risk: null };
}
