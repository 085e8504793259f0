import type { SchemaTable } from "../model/schema.js";
import { replaceIdentifiers } from "./identifiers.js";
import type { MatchedTable } from "./matching.js";

/**
 * A table of base whose keys, rules and indexes speak of its columns by the names the run gave them: in a clone a renamed
 * column takes all that hangs on it along, and none of that is new or gone.
 */
export function underNewNames(matched: MatchedTable): MatchedTable {
  const { base: old } = matched;
  if (!old) return matched;
  const names = new Map(
    matched.columns.flatMap(({ column, base }) =>
      base && base.name !== column.name ? [[base.name, column.name] as const] : [],
    ),
  );
  return names.size === 0 ? matched : { ...matched, base: renamed(old, names) };
}

function renamed(base: SchemaTable, names: ReadonlyMap<string, string>): SchemaTable {
  const column = (name: string) => names.get(name) ?? name;
  const sql = (text: string) => replaceIdentifiers(text, (name) => names.get(name));
  return {
    ...base,
    constraints: base.constraints.map((each) => ({
      ...each,
      columns: each.columns.map(column),
      definition: each.kind === "foreign key" ? each.definition : sql(each.definition),
    })),
    indexes: base.indexes.map((each) => ({
      ...each,
      keys: each.keys.map(sql),
      include: each.include.map(column),
      predicate: each.predicate && sql(each.predicate),
    })),
    policies: base.policies.map((each) => ({
      ...each,
      using: each.using && sql(each.using),
      check: each.check && sql(each.check),
    })),
  };
}
