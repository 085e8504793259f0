import { type Kind, kinds, type Listed } from "./definitions.js";
import { runSlot, schemaSlot } from "./matching.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

/** Objects beside tables: that they are there, and what they are made of. */
export const objects = schemaExtractor((statements, matched) => {
  for (const kind of kinds) {
    const before = new Map(kind.list(matched.base).map((each) => [each.slot, each]));
    const now = new Map(kind.list(matched.run).map((each) => [each.slot, each]));
    for (const [slot, each] of now) {
      const old = before.get(slot);
      if (old !== undefined) changed(statements, kind, { now: each, old });
      else if (!each.told) added(statements, kind, each);
    }
    for (const [slot, each] of before) {
      if (!now.has(slot) && !(each.told && kind.word === "sequence")) dropped(statements, kind, each);
    }
  }
});

function added(statements: Statements, { word, weight }: Kind, { slot, name, traits, links = [] }: Listed): void {
  const subject = quote(name);
  const title = `Is there ${anA(word)} ${subject}?`;
  statements.object({ slot, parents: [schemaSlot], title, subject, weight, links });
  for (const trait of traits) statements.add({ ...trait, slot, parents: [slot], subject });
}

function changed(statements: Statements, { word, weight }: Kind, { now, old }: { now: Listed; old: Listed }): void {
  const subject = quote(now.name);
  for (const trait of now.traits) {
    if (old.traits.find(({ aspect }) => aspect === trait.aspect)?.value === trait.value) continue;
    const own = trait.aspect !== "definition";
    statements.add({
      slot: now.slot,
      parents: [runSlot],
      aspect: trait.aspect,
      value: trait.value,
      label: own ? `now ${trait.label}` : "changed",
      absentLabel: "as it was",
      title: own ? trait.title : `What happens to the ${word} ${subject}?`,
      topic: own ? trait.topic : `${word} ${subject}`,
      subject,
      weight: own ? trait.weight : weight,
    });
  }
}

function dropped(statements: Statements, { word }: Kind, { slot, name }: Listed): void {
  const subject = quote(name);
  statements.present({
    slot: `dropped ${slot}`,
    parents: [runSlot],
    title: `What becomes of the ${word} ${subject}?`,
    topic: `${word} ${subject}`,
    subject,
    label: "dropped",
    absentLabel: "kept",
    weight: 3,
    risk: { kind: "damage", text: `drops ${word} ${subject}` },
  });
}

function anA(word: string): string {
  return `${/^[aeio]/.test(word) ? "an" : "a"} ${word}`;
}
