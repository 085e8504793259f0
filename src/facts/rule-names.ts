import { sameRule } from "./constraints.js";
import { ofBase } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import { quote } from "./words.js";

/** Rules of base that stay what they are under another name: programs meet the name in the error they catch. */
export const ruleNames = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    const names = new Set(table.table.constraints.map(({ name }) => name));
    for (const old of table.base?.constraints ?? []) {
      if (names.has(old.name)) continue;
      const now = table.table.constraints.find(
        (each) => (matched.clone && each.oid === old.oid) || (!(each.autoName && old.autoName) && sameRule(each, old)),
      );
      if (now === undefined) continue;
      const subject = `${quote(old.name)} of ${quote(table.name)}`;
      statements.add({
        slot: `${old.kind} ${table.slot} ${old.name}`,
        parents: ofBase(table),
        aspect: "name",
        value: now.name,
        label: `renamed to ${quote(now.name)}`,
        absentLabel: "it stays",
        title: `What happens to the name of the ${old.kind} ${subject}?`,
        topic: `name of the ${old.kind} ${subject}`,
        subject,
        weight: 0.5,
      });
    }
  }
});
