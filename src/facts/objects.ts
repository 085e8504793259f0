import { type Kind, kinds, type Listed } from "./definitions.js";
import { runSlot, schemaSlot } from "./matching.js";
import { underNewNames } from "./renamed-objects.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

/** Objects beside tables: that they are there, and what they are made of. */
export const objects = schemaExtractor((statements, matched) => {
  const base = matched.clone ? underNewNames(matched.base, matched.run) : matched.base;
  for (const kind of kinds) {
    if (base !== matched.base) renamedOf(statements, kind, { base: kind.list(base), own: kind.list(matched.base) });
    const before = new Map(kind.list(base).map((each) => [each.slot, each]));
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
  for (const { changeOnly, ...trait } of traits) {
    if (!changeOnly) statements.add({ ...trait, slot, parents: [slot], subject });
  }
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

/** Both lists are of the same objects in the same order. A trigger is called after its table, which tells its own name. */
function renamedOf(statements: Statements, kind: Kind, { base, own }: { base: Listed[]; own: Listed[] }): void {
  if (kind.word === "trigger") return;
  for (const [at, { slot, name, told }] of base.entries()) {
    const old = own[at]?.name ?? name;
    if (old !== name && !told) renamed(statements, kind, { slot, name, old });
  }
}

function renamed(
  statements: Statements,
  { word }: Kind,
  { slot, name, old }: { slot: string; name: string; old: string },
) {
  statements.add({
    slot,
    parents: [runSlot],
    aspect: "name",
    value: `was ${old}`,
    label: `renamed from ${quote(old)}`,
    absentLabel: "as it was",
    title: `What happens to the name of the ${word} ${quote(old)}?`,
    topic: `name of the ${word} ${quote(old)}`,
    subject: quote(name),
    weight: 2,
    risk: { kind: "consequence", text: "code that uses the old name breaks" },
  });
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
