import type { Weight } from "../model/fact.js";
import type { SchemaSnapshot } from "../model/schema.js";
import { qualified, shortName } from "./matching.js";
import { oneLine } from "./spelling.js";
import { quote, quoteList } from "./words.js";

/** Something about an object that can be chosen differently while the object stays the same. */
export interface Trait {
  aspect: string;
  value: string;
  label: string;
  title: string;
  topic: string;
  weight: Weight;
  lack?: boolean;
  /** Told only where it changes: of a new object it says nothing. */
  changeOnly?: true;
}

/** An object that is told by its presence, with what it is made of. */
export interface Listed {
  slot: string;
  name: string;
  traits: Trait[];
  /** Slots of what it works with: the function a trigger runs. */
  links?: string[];
  /** True where another fact already tells that it is there, or is no more. */
  told?: boolean;
}

export interface Kind {
  word: string;
  weight: Weight;
  list(schema: SchemaSnapshot): Listed[];
}

type OtherKind = NonNullable<SchemaSnapshot["others"]>[number]["kind"];

/** Objects that are known by what the server calls them, whole. */
const other = (word: OtherKind, weight: Weight): Kind => ({
  word,
  weight,
  list: ({ others = [] }) =>
    others
      .filter(({ kind }) => kind === word)
      .map(({ name, definition: text }) => {
        const called = name.replace(/^public\./, "");
        return { slot: `${word} ${name}`, name: called, traits: [definition({ word, name: called, text })] };
      }),
});

export const kinds: Kind[] = [
  { word: "schema", weight: 1, list: ({ schemas }) => schemas.map(({ name }) => global("schema", name)) },
  { word: "enum", weight: 1, list: enums },
  { word: "view", weight: 2, list: ({ views }) => views.map(view) },
  { word: "domain", weight: 1, list: ({ domains }) => domains.map((each) => named("domain", each, each.definition)) },
  { word: "type", weight: 1, list: ({ composites }) => composites.map((each) => named("type", each, each.definition)) },
  { word: "range", weight: 1, list: ({ ranges }) => ranges.map((each) => named("range", each, each.definition)) },
  { word: "sequence", weight: 0.5, list: sequences },
  { word: "function", weight: 2, list: ({ routines }) => routines.map(routine) },
  { word: "trigger", weight: 2, list: triggers },
  {
    word: "statistics",
    weight: 0.5,
    list: ({ statistics }) => statistics.map((each) => named("statistics", each, each.definition)),
  },
  { word: "extension", weight: 2, list: ({ extensions }) => extensions.map(extension) },
  {
    word: "event trigger",
    weight: 2,
    list: ({ eventTriggers }) => eventTriggers.map((each) => global("event trigger", each.name, each.definition)),
  },
  {
    word: "publication",
    weight: 2,
    list: ({ publications }) => publications.map((each) => global("publication", each.name, each.definition)),
  },
  other("rule", 2),
  other("default privileges", 2),
  other("operator", 1),
  other("cast", 1),
  other("collation", 1),
  other("text search configuration", 1),
  other("text search dictionary", 0.5),
];

export function objectSlot(word: string, object: { schema: string; name: string }): string {
  return `${word} ${qualified(object.schema, object.name)}`;
}

export function routineSlot(each: SchemaSnapshot["routines"][number]): string {
  return `${objectSlot("function", each)}(${each.arguments})`;
}

function named(word: string, object: { schema: string; name: string }, text: string): Listed {
  const name = shortName(object);
  return { slot: objectSlot(word, object), name, traits: [definition({ word, name, text })] };
}

function global(word: string, name: string, text?: string): Listed {
  const traits = text === undefined ? [] : [definition({ word, name, text })];
  return { slot: `${word} ${qualified(name)}`, name, traits };
}

/** Which version there is, is the server's choice. */
function extension({ name, schema }: SchemaSnapshot["extensions"][number]): Listed {
  const place: Trait = {
    aspect: "schema",
    value: schema,
    label: quote(schema),
    title: `In which schema is extension ${quote(name)}?`,
    topic: `schema of extension ${quote(name)}`,
    weight: 1,
    changeOnly: true,
  };
  return { ...global("extension", name), traits: [place] };
}

interface Defined {
  word: string;
  name: string;
  text: string;
  label?: string;
}

const questions: Record<string, string> = { function: "do", trigger: "do", "event trigger": "do", view: "show" };

/** Short definitions are their own label; of long ones the reader is told that they differ, and where to look. */
function definition({ word, name, text, label }: Defined): Trait {
  const value = oneLine(text);
  const object = `${word} ${quote(name)}`;
  const verb = questions[word];
  return {
    aspect: "definition",
    value,
    label: label ?? (value.length <= 40 ? quote(value) : "one way"),
    title: verb ? `What does ${object} ${verb}?` : `How is ${object} defined?`,
    topic: `definition of ${object}`,
    weight: word === "enum" || word === "sequence" ? 0.5 : 2,
  };
}

/** The enum of a column is told as that column's type. */
function enums({ enums: all, tables }: SchemaSnapshot): Listed[] {
  if (all.length === 0) return [];
  const types = new Set(tables.flatMap((table) => table.columns.map(({ type }) => type)));
  return all.map((each) => {
    const { labels } = each;
    const name = shortName(each);
    const text = JSON.stringify(labels);
    const traits = [definition({ word: "enum", name, text, label: quoteList(labels, 6) })];
    return {
      slot: objectSlot("enum", each),
      name,
      traits,
      told: types.has(each.name) || types.has(`${each.schema}.${each.name}`),
    };
  });
}

/** Those of columns come and go with them; how they count may change all the same. */
function sequences({ sequences: all }: SchemaSnapshot): Listed[] {
  return all.map((each) => {
    const listed = named("sequence", each, each.definition);
    const owned = each.ownedBy !== null;
    const goes: Trait = {
      aspect: "end",
      // Which column it is, is no matter here: it may have got another name.
      value: owned ? "with a column" : "alone",
      label: owned ? "goes with its column" : "stays without its column",
      title: `What ends the sequence ${quote(listed.name)}?`,
      topic: `end of the sequence ${quote(listed.name)}`,
      weight: 0.5,
      changeOnly: true,
    };
    return { ...listed, traits: [...listed.traits, goes], told: owned };
  });
}

function view(each: SchemaSnapshot["views"][number]): Listed {
  const options = [...each.options].sort();
  const text = `${each.materialised ? "materialised " : ""}${each.definition}`;
  const rights = options.length > 0 ? quoteList(options) : "none";
  const name = shortName(each);
  return {
    slot: objectSlot("view", each),
    name,
    traits: [
      definition({ word: "view", name, text }),
      {
        aspect: "options",
        value: options.join(),
        label: rights,
        title: `Which options does view ${quote(name)} have?`,
        topic: `options of view ${quote(name)}`,
        weight: 3,
        lack: options.length === 0,
      },
      ...(each.materialised ? [viewIndexes(each, name)] : []),
    ],
  };
}

function viewIndexes({ indexes }: SchemaSnapshot["views"][number], name: string): Trait {
  const texts = indexes.map(({ unique, keys, method }) =>
    [...(unique ? ["unique"] : []), keys.join(", "), ...(method === "btree" ? [] : [method])].join(" "),
  );
  return {
    aspect: "indexes",
    value: JSON.stringify(texts.sort()),
    label: texts.length > 0 ? quoteList(texts) : "none",
    title: `Which indexes does view ${quote(name)} have?`,
    topic: `indexes of view ${quote(name)}`,
    weight: 0.5,
    lack: texts.length === 0,
  };
}

/** With its owner's rights a function does what its caller may not: a choice of its own, beside what it does. */
function routine(each: SchemaSnapshot["routines"][number]): Listed {
  const name = `${shortName(each)}()`;
  const [, head = each.definition, rest = ""] =
    /^(.*?)(\n(?:AS |BEGIN ATOMIC|RETURN ).*)?$/s.exec(each.definition) ?? [];
  const definer = /^ .*\bSECURITY DEFINER\b/m.test(head);
  const body = /^\nAS (\$\w*\$)(.*)\1/s.exec(rest)?.[2];
  const label = body !== undefined && oneLine(body).length <= 40 ? { label: quote(oneLine(body)) } : {};
  const text = `${head.replace(/ SECURITY DEFINER\b/, "")}${unquoted(rest)}`;
  return {
    slot: routineSlot(each),
    name,
    traits: [
      definition({ word: "function", name, text, ...label }),
      {
        aspect: "rights",
        value: definer ? "definer" : "invoker",
        label: definer ? "its owner's (security definer)" : "its caller's",
        title: `With whose rights does ${quote(name)} run?`,
        topic: `rights of ${quote(name)}`,
        weight: 3,
      },
    ],
  };
}

/** How a body is quoted, and the blanks between it and its quotes, say nothing of what it does. */
function unquoted(definition: string): string {
  return definition.replace(/(\nAS )(\$\w*\$)(.*)\2/s, (_, as: string, __, body: string) => `${as}${body.trim()}`);
}

/** By table, moment and event: names of triggers are nobody's choice, nor are those of the functions they call. */
function triggers({ tables, views, routines }: SchemaSnapshot): Listed[] {
  const functions = new Map(
    routines.flatMap((each) => {
      const made = { slot: routineSlot(each), body: unquoted(each.definition.replace(/^[^(]*/, "")) };
      const called = qualified(each.schema, each.name);
      return [[called, made] as const, ...(each.schema === "public" ? [[qualified(each.name), made] as const] : [])];
    }),
  );
  const found = new Map<string, { name: string; texts: string[]; calls: string[]; links: Set<string> }>();
  for (const table of [...tables, ...views]) {
    for (const each of table.triggers) {
      const moment = /\b(BEFORE|AFTER|INSTEAD OF) (.+?) ON /.exec(each.definition);
      const when = moment ? `${moment[1]} ${moment[2]}`.toLowerCase() : "trigger";
      const slot = `${objectSlot("trigger", table)} ${when}`;
      const entry = found.get(slot) ?? { name: `${shortName(table)}: ${when}`, texts: [], calls: [], links: new Set() };
      found.set(slot, entry);
      const [, rule = each.definition, called = ""] =
        /^CREATE .*?TRIGGER (?:"(?:[^"]|"")*"|\S+) (.*) EXECUTE (?:FUNCTION|PROCEDURE) (.*)$/s.exec(each.definition) ??
        [];
      const run = functions.get(called.replace(/\(.*$/s, ""));
      if (run) entry.links.add(run.slot);
      const state = each.enabled === "enabled" ? "" : ` (${each.enabled})`;
      entry.texts.push(`${rule}${state} ${run?.body ?? called}`);
      entry.calls.push(`${called === "" ? "something" : quote(called)}${state}`);
    }
  }
  return [...found].map(([slot, { name, texts, calls, links }]) => {
    const label = `runs ${[...new Set(calls)].sort().slice(0, 3).join(", ")}`;
    const traits = [definition({ word: "trigger", name, text: texts.sort().join("\n"), label })];
    return { slot, name, traits, links: [...links].sort() };
  });
}
