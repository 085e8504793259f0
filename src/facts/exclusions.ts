import type { SchemaConstraint } from "../model/schema.js";
import { columnsNamed, type MatchedTable, parentsOf, qualified } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { checkSpelling, waitingOf } from "./spelling.js";
import type { Statements } from "./statement.js";
import { quote, quoteList } from "./words.js";

/** What no two rows may have in common, beyond being equal: bookings that overlap. One question per set of columns. */
export const exclusions = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) excluded(statements, table);
});

function excluded(statements: Statements, matched: MatchedTable): void {
  const { table, base, slot: at, name } = matched;
  const known = new Set(base?.constraints.map(({ definition }) => checkSpelling(definition)));
  const sets = new Map<string, { columns: string[]; rules: SchemaConstraint[] }>();
  for (const each of table.constraints) {
    if (each.kind !== "exclusion" || known.has(checkSpelling(each.definition))) continue;
    const columns = [...each.columns].sort();
    const set = sets.get(columns.join("\0")) ?? { columns, rules: [] };
    set.rules.push(each);
    sets.set(columns.join("\0"), set);
  }
  for (const { columns, rules } of sets.values()) {
    const subject = columns.length > 0 ? `${quoteList(columns)} of ${quote(name)}` : quote(name);
    const slot = `exclusion ${at} ${qualified(...columns)}`;
    const parents = parentsOf(matched, columnsNamed(matched, columns));
    const rule = rules.map(ruleOf).sort().join(" and ");
    const about = { slot, subject, links: ["theme exclusion"] };
    statements.add({
      ...about,
      parents,
      aspect: "rule",
      value: rule,
      label: quote(rule),
      absentLabel: "nothing",
      title: `Which two rows does ${subject} keep apart?`,
      topic: `exclusion on ${subject}`,
      weight: 2,
    });
    const late = rules.find(({ deferrable }) => deferrable);
    if (!late) continue;
    statements.add({
      ...about,
      parents: [slot],
      aspect: "time of checking",
      ...waitingOf(late),
      absentLabel: "no",
      title: `Is the exclusion on ${subject} checked late?`,
      topic: `late check of the exclusion on ${subject}`,
      weight: 0.5,
    });
  }
}

/** When it is checked is told by itself. */
function ruleOf({ definition }: SchemaConstraint): string {
  return definition.replace(/^EXCLUDE USING /, "").replace(/ (?:NOT )?DEFERRABLE.*$/, "");
}
