import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";
import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaConstraint, SchemaIndex, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import type { Renaming } from "../model/shape.js";
import { replaceIdentifiers } from "./identifiers.js";
import { columnSlot, type MatchedSchema, type MatchedTable, matchSchema } from "./matching.js";
import { columnId, tableId, typeId } from "./shapes.js";

/**
 * The same runs with what they made under the names most runs use, so that facts about one thing are equal whatever a run
 * calls it. Objects of base keep their names, and so do constraints, indexes and policies, which nobody compares by name.
 */
export function rename(runs: readonly RunArtifacts[], base: BaseArtifacts, renaming: Renaming): RunArtifacts[] {
  return runs.map((run) => {
    const matched = matchSchema(run, base);
    if (matched === undefined || renaming.size === 0) return run;
    const names = new Names(matched, renaming);
    return names.changeNothing
      ? run
      : {
          ...run,
          renamed: true,
          ownNames: names.own,
          ownWords: names.ownWords,
          omitted: matched.omitted,
          schema: renameSchema(matched.run, names),
          rows: run.rows && renameRows(run.rows, names),
        };
  });
}

interface ObjectName {
  schema: string;
  name: string;
}

/** One run's names of what it made, and what to say instead. */
class Names {
  readonly #tables = new Map<string, ObjectName>();
  readonly #columns = new Map<string, Map<string, string>>();
  readonly #types = new Map<string, ObjectName>();
  /** What the run calls its new columns, by the slot they are compared in, where that is another name. */
  readonly own = new Map<string, string>();
  /** Names by themselves, for texts that are about several tables: only those that mean one thing in this run. */
  readonly #words = new Map<string, string | undefined>();

  constructor({ run, tables }: MatchedSchema, renaming: Renaming) {
    const other = (id: string): ObjectName => objectOf(renaming.get(id) ?? id);
    for (const matched of tables) {
      const { table } = matched;
      if (matched.base === null) this.#tables.set(key(table), this.#learn(table, other(tableId(table))));
      const columns = new Map(this.#columnsOf(matched, other));
      // Row changes speak of base's tables by base's names.
      for (const each of [table, matched.base ?? table]) this.#columns.set(key(each), columns);
    }
    for (const each of run.enums) this.#types.set(key(each), this.#learn(each, other(typeId(each))));
  }

  #columnsOf({ table, base, columns }: MatchedTable, other: (id: string) => ObjectName): [string, string][] {
    return columns.map((each) => {
      const { name } = each.column;
      const now = each.base === null ? other(columnId(base ?? table, name)) : { schema: "", name };
      const home = base ?? this.table(table);
      if (now.name !== name) this.own.set(columnSlot(home, now.name), name);
      return [name, this.#learn({ schema: "", name }, now).name];
    });
  }

  #learn(from: ObjectName, to: ObjectName): ObjectName {
    const known = this.#words.has(from.name) ? this.#words.get(from.name) : to.name;
    this.#words.set(from.name, known === to.name ? known : undefined);
    return to;
  }

  /** Own names by what is said instead. */
  get ownWords(): Map<string, string> {
    return new Map([...this.#words].flatMap(([own, said = own]) => (said === own ? [] : [[said, own] as const])));
  }

  get changeNothing(): boolean {
    return [...this.#words].every(([from, to]) => from === to);
  }

  table<T extends ObjectName>(table: T): ObjectName {
    return this.#tables.get(key(table)) ?? { schema: table.schema, name: table.name };
  }

  type(each: ObjectName): ObjectName {
    return this.#types.get(key(each)) ?? { schema: each.schema, name: each.name };
  }

  column(table: ObjectName, name: string): string {
    return this.#columns.get(key(table))?.get(name) ?? name;
  }

  /** A table that is told as `schema.name`. */
  dotted(text: string): string {
    const own = [...this.#tables.keys()].find((each) => JSON.parse(each).join(".") === text);
    const other = own === undefined ? undefined : this.#tables.get(own);
    return other ? `${other.schema}.${other.name}` : text;
  }

  /** SQL about one table: its columns first. */
  sql(text: string, table?: ObjectName): string {
    const columns = table ? this.#columns.get(key(table)) : undefined;
    return replaceIdentifiers(text, (name) => columns?.get(name) ?? this.#words.get(name));
  }
}

function key({ schema, name }: ObjectName): string {
  return JSON.stringify([schema, name]);
}

/** Schema and last name of an id. */
function objectOf(id: string): ObjectName {
  const [, schema = "", ...names]: string[] = JSON.parse(id);
  return { schema, name: names.at(-1) ?? "" };
}

function renameSchema(schema: SchemaSnapshot, names: Names): SchemaSnapshot {
  const defined = <T extends { definition: string }>(each: T): T => ({
    ...each,
    definition: names.sql(each.definition),
  });
  return {
    ...schema,
    tables: schema.tables.map((table) => renameTable(table, names, schema)),
    enums: schema.enums.map((each) => ({ ...each, ...names.type(each) })),
    domains: schema.domains.map(defined),
    composites: schema.composites.map(defined),
    views: schema.views.map((view) => ({ ...defined(view), triggers: view.triggers.map(defined) })),
    routines: schema.routines.map(defined),
    publications: schema.publications.map(defined),
  };
}

function renameTable(table: SchemaTable, names: Names, { enums }: SchemaSnapshot): SchemaTable {
  const typeOf = (type: string) => {
    const list = enums.find(({ schema, name }) => type === name || type === `${schema}.${name}`);
    const other = list && names.type(list);
    return other ? (type === list.name ? other.name : `${other.schema}.${other.name}`) : type;
  };
  return {
    ...table,
    ...names.table(table),
    columns: table.columns.map((column) => ({
      ...column,
      name: names.column(table, column.name),
      type: typeOf(column.type),
      default: column.default && names.sql(column.default, table),
    })),
    constraints: table.constraints.map((each) => renameConstraint(each, table, names)),
    indexes: table.indexes.map((each) => renameIndex(each, table, names)),
    triggers: table.triggers.map((each) => ({ ...each, definition: names.sql(each.definition, table) })),
    policies: table.policies.map((each) => ({
      ...each,
      using: each.using && names.sql(each.using, table),
      check: each.check && names.sql(each.check, table),
    })),
  };
}

function renameConstraint(each: SchemaConstraint, table: SchemaTable, names: Names): SchemaConstraint {
  const to = each.references;
  const target = to && { schema: to.schema, name: to.table };
  return {
    ...each,
    columns: each.columns.map((name) => names.column(table, name)),
    definition: names.sql(each.definition, table),
    references: to &&
      target && {
        ...to,
        schema: names.table(target).schema,
        table: names.table(target).name,
        columns: to.columns.map((name) => names.column(target, name)),
      },
  };
}

function renameIndex(each: SchemaIndex, table: SchemaTable, names: Names): SchemaIndex {
  return {
    ...each,
    keys: each.keys.map((text) => names.sql(text, table)),
    include: each.include.map((name) => names.column(table, name)),
    predicate: each.predicate && names.sql(each.predicate, table),
  };
}

function renameRows(rows: RowChanges, names: Names): RowChanges {
  const unreadable = rows.unreadable.map((each) => ({ ...each, object: names.dotted(each.object) }));
  return { ...rows, tables: rows.tables.map((each) => renameTableRows(each, names)), unreadable };
}

function renameTableRows(each: TableRows, names: Names): TableRows {
  const column = (name: string) => names.column(each, name);
  return {
    ...each,
    ...names.table(each),
    key: each.key?.map(column) ?? null,
    filledColumns: each.filledColumns.map(({ name, rows }) => ({ name: column(name), rows })),
    ...(each.orphans && {
      orphans: each.orphans.map((orphan) => {
        const { schema, name } = names.table({ schema: orphan.schema, name: orphan.table });
        return { ...orphan, column: column(orphan.column), schema, table: name };
      }),
    }),
    ...(each.values && { values: each.values.map((values) => renameValues(values, each, names)) }),
    ...(each.links && {
      links: each.links.map((link) => {
        const { schema, name } = names.table({ schema: link.schema, name: link.table });
        return { ...link, columns: link.columns.map(column), schema, table: name };
      }),
    }),
  };
}

type Values = NonNullable<TableRows["values"]>[number];

/** Where they come from another row, that is one of base's, which keep their names. */
function renameValues(values: Values, table: TableRows, names: Names): Values {
  const from = values.from;
  const own = from !== null && from.table === null;
  return {
    ...values,
    column: names.column(table, values.column),
    from: own ? { table: null, column: names.column(table, from.column) } : from,
  };
}
