import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";
import type { SchemaColumn, SchemaConstraint } from "../model/schema.js";
import type { Shape, ShapeColumn, ShapeReference, ShapeRule, ShapeTable } from "../model/shape.js";
import { uniqueSets } from "./constraints.js";
import { isTimestamp, typeOf } from "./families.js";
import { replaceIdentifiers } from "./identifiers.js";
import { Ids, typeId } from "./ids.js";
import { findTable, type MatchedSchema, type MatchedTable, matchSchema, shortName } from "./matching.js";
import { defaultSpelling } from "./spelling.js";
import { quote } from "./words.js";

/** What each run made, for those whose schema could be read. */
export function readShapes(runs: readonly RunArtifacts[], base: BaseArtifacts): Shape[] {
  const ids = new Ids();
  return runs.flatMap((run) => {
    const readable = run.record !== null && run.record.outcome !== "unreadable";
    const matched = readable ? matchSchema(run, base) : undefined;
    return matched ? [{ run: run.id, names: namesOf(matched, ids), tables: tablesOf(matched, ids) }] : [];
  });
}

function namesOf({ run, tables }: MatchedSchema, ids: Ids): Shape["names"] {
  const names = new Map(run.enums.map((each) => [typeId(each), quote(shortName(each))]));
  for (const { table, base, columns } of tables) {
    const identity = base ?? table;
    const told = [
      ids.table(table),
      ids.table(identity),
      ...columns.map(({ column }) => ids.column(identity, column.name)),
    ];
    for (const { id, label } of told) names.set(id, label);
  }
  return names;
}

function tablesOf(matched: MatchedSchema, ids: Ids): ShapeTable[] {
  return matched.tables
    .map((each) => tableOf(each, matched, ids))
    .filter(({ isNew, columns, references }) => isNew || columns.length + references.length > 0);
}

function tableOf(matched: MatchedTable, schema: MatchedSchema, ids: Ids): ShapeTable {
  const { table, base, columns } = matched;
  const added = columns.filter((column) => column.base === null);
  const fresh = new Set(added.map(({ column }) => column.name));
  const concerns = (names: readonly string[]) => names.some((name) => fresh.has(name));
  const references = table.constraints.flatMap((key) => referenceOf(key, matched, { schema, ids }) ?? []);
  return {
    id: ids.table(base ?? table).id,
    name: shortName(base ?? table),
    isNew: base === null,
    nature: JSON.stringify([table.kind, table.partitionKey, table.partitionOf, table.inherits]),
    columns: added.map(({ column }) => columnOf(column, matched, { schema, ids })),
    rules: rulesOf(matched, ids).filter(({ names }) => concerns(names)),
    references: references.filter(({ isNew, names }) => isNew || concerns(names)),
  };
}

function idsOf(matched: MatchedTable, names: readonly string[], ids: Ids): string[] {
  const identity = matched.base ?? matched.table;
  return names.map((name) => {
    const old = matched.columns.find(({ column }) => column.name === name)?.base;
    return ids.column(identity, old?.name ?? name).id;
  });
}

type Found = ShapeReference & { isNew: boolean; names: string[] };

interface Around {
  schema: MatchedSchema;
  ids: Ids;
}

function referenceOf({ references: to, columns }: SchemaConstraint, from: MatchedTable, { schema, ids }: Around) {
  const target = to ? findTable(schema, to.schema, to.table) : undefined;
  if (to === null || target === undefined) return undefined;
  const found: Found = {
    columns: idsOf(from, columns, ids),
    target: ids.table(target.base ?? target.table).id,
    targetColumns: idsOf(target, to.columns, ids),
    isNew: target.base === null,
    names: columns,
  };
  return found;
}

/** Expressions and conditions keep their text, and say which columns they are about. */
function rulesOf(matched: MatchedTable, ids: Ids): (ShapeRule & { names: string[] })[] {
  const { table } = matched;
  const known = new Set(table.columns.map(({ name }) => name));
  const key = table.constraints.find(({ kind }) => kind === "primary key");
  const sets = [...(key ? [{ kind: "key", parts: key.columns }] : [])];
  sets.push(...uniqueSets(table).map((parts) => ({ kind: "unique", parts })));
  return sets.map(({ kind, parts }) => {
    const names: string[] = [];
    const forms = parts.map((part) => {
      if (known.has(part)) names.push(part);
      return known.has(part)
        ? ""
        : replaceIdentifiers(part, (name) => (known.has(name) ? `${names.push(name)}` : undefined));
    });
    return { form: [kind, ...forms.sort()].join("\0"), columns: idsOf(matched, names, ids), names };
  });
}

function columnOf(column: SchemaColumn, matched: MatchedTable, { schema: { run }, ids }: Around): ShapeColumn {
  const { table, base } = matched;
  const { name, type } = column;
  const list = run.enums.find((each) => type === each.name || type === `${each.schema}.${each.name}`);
  const bound = table.constraints.some(
    ({ kind, columns }) => (kind === "primary key" || kind === "foreign key") && columns.includes(name),
  );
  const usual = defaultSpelling(column.default);
  const clock = isTimestamp(type) && usual === "now()";
  const family = list ? `enum ${JSON.stringify([...list.labels].sort())}` : likeness(type);
  return {
    id: ids.column(base ?? table, name).id,
    name,
    family: column.generated === null ? family : `generated ${family}`,
    type: list ? typeId(list) : null,
    payload: !bound && !clock,
    generatedKey: name === matched.generatedKey,
    length: typeOf(type).family === "text" ? lengthOf(type) : null,
    notNull: column.notNull,
    computed: usual?.includes("(") ? usual : null,
  };
}

/** Families as alignment compares them: numbers are one, and so are times. */
function likeness(type: string): string {
  return typeOf(type)
    .family.replace(/(?:exact|floating-point) number$/, "number")
    .replace(/timestamp with(?:out)? time zone$/, "time");
}

function lengthOf(type: string): number | null {
  const [, length] = /\((\d+)\)$/.exec(type) ?? [];
  return length === undefined ? null : Number(length);
}
