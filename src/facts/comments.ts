import type { SchemaSnapshot } from "../model/schema.js";
import { objectSlot, routineSlot } from "./definitions.js";
import { ofBase, qualified, runSlot, schemaSlot, shortName } from "./matching.js";
import { underNewNames } from "./renamed-objects.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

/** Comments: each that changes on a thing of base, and of what is new only whether there are any. No two runs write the same. */
export const comments = schemaExtractor((statements, matched) => {
  const added: (string | null)[] = [];
  for (const table of matched.tables) {
    const parents = ofBase(table);
    if (table.base === null) added.push(table.table.comment);
    else changed(statements, { slot: table.slot, parents, name: table.name, now: table.table, before: table.base });
    for (const { column, base, slot, name } of table.columns) {
      if (base === null) added.push(column.comment);
      else changed(statements, { slot, parents, name, now: column, before: base });
    }
  }
  const known = matched.clone ? underNewNames(matched.base, matched.run) : matched.base;
  const before = new Map(others(known).map((each) => [each.slot, each]));
  for (const now of others(matched.run)) {
    const old = before.get(now.slot);
    if (old) changed(statements, { slot: now.slot, parents: [runSlot], name: now.name, now, before: old });
  }
  if (added.every((comment) => comment === null)) return;
  const all = added.every((comment) => comment !== null);
  const topic = "comments on new tables and columns";
  statements.add({
    slot: "comments",
    parents: [schemaSlot],
    aspect: "comments",
    value: all ? "all" : "some",
    label: all ? "on all of them" : "on some of them",
    absentLabel: "on none",
    title: "Are there comments on new tables and columns?",
    topic,
    subject: topic,
    weight: 0.5,
  });
});

interface Commented {
  slot: string;
  parents: string[];
  name: string;
  now: { comment: string | null };
  before: { comment: string | null };
}

function changed(statements: Statements, { slot, parents, name, now, before }: Commented): void {
  if (now.comment === before.comment) return;
  const subject = quote(name);
  statements.add({
    slot,
    parents,
    aspect: "comment",
    value: now.comment ?? "",
    label: now.comment === null ? "none any more" : quote(now.comment),
    absentLabel: "as it was",
    title: `What becomes of the comment on ${subject}?`,
    topic: `comment on ${subject}`,
    subject,
    weight: 0.5,
  });
}

interface Other {
  slot: string;
  name: string;
  comment: string | null;
}

/** Everything that may be commented on, beside tables and their columns. */
function others(schema: SchemaSnapshot): Other[] {
  const of = (word: string, objects: readonly Named[]): Other[] =>
    objects.map((each) => ({ slot: objectSlot(word, each), name: shortName(each), comment: each.comment }));
  return [
    ...schema.schemas.map(({ name, comment }) => ({ slot: `schema ${qualified(name)}`, name, comment })),
    ...of("view", schema.views),
    ...of("enum", schema.enums),
    ...of("domain", schema.domains),
    ...of("type", schema.composites),
    ...of("range", schema.ranges),
    ...of("sequence", schema.sequences),
    ...of("statistics", schema.statistics),
    ...schema.routines.map((each) => ({
      slot: routineSlot(each),
      name: `${shortName(each)}()`,
      comment: each.comment,
    })),
    ...(schema.others ?? []).map(({ kind, name, comment }) => ({ slot: `${kind} ${name}`, name, comment })),
    ...schema.views.flatMap((view) => [...hangers(view), ...viewColumns(view)]),
    ...schema.tables.flatMap(hangers),
  ];
}

interface Named {
  schema: string;
  name: string;
  comment: string | null;
}

type On = SchemaSnapshot["views"][number] | SchemaSnapshot["tables"][number];

/** What hangs on a table or view, by its own name: where that changes, what was said of it is nobody's question. */
function hangers(on: On): Other[] {
  const { indexes, triggers } = on;
  const lists = {
    index: indexes,
    trigger: triggers,
    ...("policies" in on ? { rule: on.constraints, policy: on.policies } : {}),
  };
  return Object.entries<readonly Pick<Named, "name" | "comment">[]>(lists).flatMap(([word, list]) =>
    list.map(({ name, comment }) => ({
      slot: `${word} named ${qualified(on.schema, on.name, name)}`,
      name: `${shortName(on)}.${name}`,
      comment,
    })),
  );
}

function viewColumns(view: SchemaSnapshot["views"][number]): Other[] {
  return (view.columns ?? []).map(({ name, comment }) => ({
    slot: `column ${qualified(view.schema, view.name, name)}`,
    name: `${shortName(view)}.${name}`,
    comment,
  }));
}
