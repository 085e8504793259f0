import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaIndex, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import { visible } from "../model/text.js";
import { pad, widthOf } from "./width.js";

/** A schema for people: what there is, one line each. The whole of it is in the JSON. */
export function describeSchema(schema: SchemaSnapshot): string {
  const { views, routines, extensions } = schema;
  const head = [
    `Postgres ${schema.postgres}`,
    counted(schema.tables.length, "table"),
    counted(views.length, "view"),
    counted(routines.length, "routine"),
  ].join(" · ");
  const others: [string, readonly { schema?: string; name: string }[]][] = [
    ["enum", schema.enums],
    ["domain", schema.domains],
    ["type", schema.composites],
    ["range", schema.ranges],
    ["sequence", schema.sequences],
    ["view", views],
    ["routine", routines],
    ["statistics", schema.statistics],
    ["event trigger", schema.eventTriggers],
    ["publication", schema.publications],
    ["extension", extensions.map(({ name, version }) => ({ name: `${name} ${version}` }))],
  ];
  const lines = [
    ...others.flatMap(([kind, all]) => all.map((each) => `${kind} ${nameOf(each)}`)),
    ...(schema.others ?? []).map((each) => `${each.kind} ${visible(each.name)}`),
  ];
  return text([head, "", ...schema.tables.flatMap(describeTable), ...lines]);
}

function describeTable(table: SchemaTable): string[] {
  const { columns, constraints, indexes, triggers, policies } = table;
  const width = Math.max(0, ...columns.map(({ name }) => widthOf(visible(name))));
  const security = table.rowSecurity === "off" ? "" : `, row security ${table.rowSecurity}`;
  return [
    `${table.persistence === "unlogged" ? "unlogged " : ""}${table.kind} ${nameOf(table)}${security}`,
    ...columns.map(({ name, type, notNull, default: start, identity, generated }) => {
      const filled = identity
        ? ` identity ${identity}`
        : start === null
          ? ""
          : ` ${generated ? "always" : "default"} ${start}`;
      return `  ${pad(visible(name), width)}  ${type}${notNull ? " not null" : ""}${filled}`;
    }),
    ...constraints.map(({ definition }) => `  ${definition}`),
    ...indexes.map((index) => `  ${indexText(index)}`),
    ...policies.map(({ name, command }) => `  policy ${name} for ${command}`),
    ...triggers.map(({ definition }) => `  ${definition}`),
    "",
  ];
}

function indexText({ unique, method, keys, predicate }: SchemaIndex): string {
  return `${unique ? "unique " : ""}index ${method} (${keys.join(", ")})${predicate === null ? "" : ` where ${predicate}`}`;
}

/** Row differences for people, one table each. */
export function describeRows({ tables, unreadable }: RowChanges): string {
  const lines = tables.flatMap(describeChanges);
  const lost = unreadable.map(({ object, reason }) => `${object}: unreadable, ${reason}`);
  return text(lines.length + lost.length === 0 ? ["the same rows"] : [...lines, ...lost]);
}

function describeChanges(table: TableRows): string[] {
  const { state, baseRows, runRows, key, changedColumns } = table;
  if (state === "new") return [`${nameOf(table)}: new, ${counted(runRows, "row")}`];
  if (state === "dropped") return [`${nameOf(table)}: dropped, ${counted(baseRows, "row")} lost`];
  const kinds = ["added", "removed", "changed"] as const;
  const changes = kinds.flatMap((kind) => {
    const { count, keys } = table[kind];
    if (count === 0) return [];
    const named = keys.map((each) => each.join(", ")).join(" · ");
    const more = count > keys.length ? " …" : "";
    return [`  ${count} ${kind}${named === "" ? "" : `: ${named}${more}`}`];
  });
  const columns = changedColumns.map(({ name, rows }) => `${name} (${rows})`).join(", ");
  return [
    `${nameOf(table)}: ${baseRows} → ${counted(runRows, "row")}${key === null ? ", without a key" : `, by ${key.join(", ")}`}`,
    ...changes,
    ...(columns === "" ? [] : [`  columns: ${columns}`]),
  ];
}

function nameOf({ schema, name }: { schema?: string; name: string }): string {
  return schema === undefined || schema === "public" ? name : `${schema}.${name}`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Names and values are a database's own: nothing of them may move a cursor. Blanks are layout, and stay. */
function text(lines: readonly string[]): string {
  const shown = (line: string) => line.replace(/[^ ]+/g, visible);
  return lines.map((line) => `${shown(line)}\n`).join("");
}
