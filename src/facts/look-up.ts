import type { RunArtifacts } from "../model/fact.js";
import { stemsOf, wordsOf } from "../model/names.js";
import { familyOf } from "./families.js";
import { type MatchedTable, tableSlot } from "./matching.js";

/** What tables of coded values hold beside a name for each. */
const usual = new Set(
  "active code created description id key kind label name order position rank role slug sort state status title type updated value category".split(
    " ",
  ),
);
const naming = new Set(["code", "key", "label", "name", "slug", "title", "value"]);
const mostColumns = 5;

/**
 * True for a new table that only lists the values of a column elsewhere: few columns, a name or code among them, nothing
 * it refers to, and either rows from the start or a key of text.
 */
export function isLookUp(matched: MatchedTable, { rows }: RunArtifacts): boolean {
  const { table, base } = matched;
  const key = table.constraints.find(({ kind }) => kind === "primary key")?.columns ?? [];
  const refers = table.constraints.some(({ kind }) => kind === "foreign key");
  if (base !== null || refers || key.length !== 1 || table.columns.length > mostColumns) return false;
  const own = stemsOf(table.name);
  const isUsual = ({ name }: { name: string }) => [...stemsOf(name)].every((stem) => usual.has(stem) || own.has(stem));
  const isNaming = ({ name, type }: { name: string; type: string }) =>
    familyOf(type) === "text" && wordsOf(name).some((word) => naming.has(word));
  if (!table.columns.every(isUsual) || !table.columns.some(isNaming)) return false;
  const byText = familyOf(table.columns.find(({ name }) => name === key[0])?.type ?? "") === "text";
  const count = rows?.tables.find((each) => tableSlot(each) === tableSlot(table))?.runRows ?? 0;
  return byText || count >= 2;
}
