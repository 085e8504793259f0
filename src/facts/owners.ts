import { objectSlot, routineSlot } from "./definitions.js";
import { type MatchedSchema, ofBase, runSlot, shortName } from "./matching.js";
import { underNewNames } from "./renamed-objects.js";
import { schemaExtractor } from "./schema.js";
import { quote } from "./words.js";

/** Whose things are, where that changes or is not the role that owns the database: an owner may do everything with them. */
export const owners = schemaExtractor((statements, matched) => {
  for (const { slot, parents, name, now, before } of owned(matched)) {
    if (now === before) continue;
    const subject = quote(name);
    statements.add({
      slot,
      parents,
      aspect: "owner",
      value: now ?? "",
      label: labelOf(now),
      absentLabel: labelOf(before),
      title: `Who owns ${subject}?`,
      topic: `owner of ${subject}`,
      subject,
      weight: 2,
    });
  }
});

function labelOf(owner: string | undefined): string {
  return owner === undefined ? "whoever owns the database" : quote(owner);
}

interface Owned {
  slot: string;
  parents: string[];
  name: string;
  now: string | undefined;
  before: string | undefined;
}

function owned(matched: MatchedSchema): Owned[] {
  const known = matched.clone ? underNewNames(matched.base, matched.run) : matched.base;
  const before = new Map(beside(known).map((each) => [each.slot, each.owner]));
  return [
    ...matched.tables.map(({ table, base, slot, name }) => {
      const parents = base === null ? [slot] : ofBase({ slot });
      return { slot, parents, name, now: table.owner, before: base?.owner };
    }),
    ...beside(matched.run).map(({ slot, name, owner }) => {
      return { slot, parents: [before.has(slot) ? runSlot : slot], name, now: owner, before: before.get(slot) };
    }),
  ];
}

function beside({ views, routines }: MatchedSchema["run"]) {
  return [
    ...views.map((each) => ({ slot: objectSlot("view", each), name: shortName(each), owner: each.owner })),
    ...routines.map((each) => ({ slot: routineSlot(each), name: `${shortName(each)}()`, owner: each.owner })),
  ];
}
