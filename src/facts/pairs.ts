import { lifeTime } from "../model/names.js";
import { isTimestamp } from "./families.js";
import type { MatchedTable } from "./matching.js";

/**
 * The columns of a new table that hold keys of other rows: by foreign keys, and in tables without them by their names.
 */
export function referencesOf(matched: MatchedTable): string[] {
  const { table } = matched;
  const key = matched.generatedKey;
  const declared = table.constraints.flatMap(({ kind, columns }) => (kind === "foreign key" ? columns : []));
  const named = table.columns.flatMap(({ name }) => (/(?:_id|[a-z]Id)$/.test(name) && name !== key ? [name] : []));
  return [...new Set(declared.length > 0 ? declared : named)].sort();
}

/**
 * True where these columns are exactly what a new table pairs: all its references, two or more; or, in a table that is
 * nothing but two columns beside an id and times, these two. What they are called is then no matter: the pair is what a row
 * says.
 */
export function isPair(matched: MatchedTable, columns: readonly string[]): boolean {
  if (matched.base !== null || columns.length < 2) return false;
  const references = referencesOf(matched);
  const pair = references.length >= 2 ? references : contentOf(matched);
  return pair.join("\0") === [...columns].sort().join("\0");
}

function contentOf(matched: MatchedTable): string[] {
  const key = matched.generatedKey;
  const held = matched.table.columns.filter(
    ({ name, type }) => name !== key && (!isTimestamp(type) || lifeTime(name) === null),
  );
  return held.length === 2 ? held.map(({ name }) => name).sort() : [];
}
