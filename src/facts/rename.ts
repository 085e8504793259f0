import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";
import type { RowChanges, TableRows } from "../model/rows.js";
import type { SchemaConstraint, SchemaIndex, SchemaSnapshot, SchemaTable } from "../model/schema.js";
import type { Renaming } from "../model/shape.js";
import { replaceIdentifiers } from "./identifiers.js";
import { ByName, type Named } from "./ids.js";
import { columnSlot, type MatchedSchema, type MatchedTable, matchSchema } from "./matching.js";

/**
 * The same runs with what they made under the names most runs use, so that facts about one thing are equal whatever a run
 * calls it. Objects of base keep their names, and so do constraints, indexes and policies, which nobody compares by name.
 */
export function rename(runs: readonly RunArtifacts[], base: BaseArtifacts, renaming: Renaming): RunArtifacts[] {
  const others = othersOf(renaming);
  return runs.map((run) => {
    const matched = matchSchema(run, base);
    if (matched === undefined || renaming.size === 0) return run;
    const names = new Names(matched, others);
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

/** The other names there are, by the names they stand for; a column's is a name alone. */
interface Others {
  tables: ByName<Named>;
  types: ByName<Named>;
  columns: ByName<Map<string, string>>;
}

function othersOf(renaming: Renaming): Others {
  const others: Others = { tables: new ByName(), types: new ByName(), columns: new ByName() };
  for (const [from, to] of renaming) {
    const [kind, schema = "", name = "", column = ""]: string[] = JSON.parse(from);
    const [, otherSchema = "", ...names]: string[] = JSON.parse(to);
    const other = { schema: otherSchema, name: names.at(-1) ?? "" };
    const own = { schema, name };
    if (kind === "table") others.tables.set(own, other);
    else if (kind === "type") others.types.set(own, other);
    else (others.columns.get(own) ?? others.columns.set(own, new Map())).set(column, other.name);
  }
  return others;
}

/** One run's names of what it made, and what to say instead. */
class Names {
  readonly #tables = new ByName<Named>();
  readonly #columns = new ByName<Map<string, string>>();
  readonly #types = new ByName<Named>();
  /** The run's own names of its new tables, by the way they are told in one text. */
  readonly #dotted = new Map<string, Named>();
  /** What the run calls its new columns, by the slot they are compared in, where that is another name. */
  readonly own = new Map<string, string>();
  /** Names by themselves, for texts that are about several tables: only those that mean one thing in this run. */
  readonly #words = new Map<string, string | undefined>();

  constructor({ run, tables }: MatchedSchema, others: Others) {
    for (const matched of tables) {
      const { table } = matched;
      if (matched.base === null) {
        const now = this.#tables.set(table, this.#learn(table, others.tables.get(table) ?? nameOf(table)));
        const told = `${table.schema}.${table.name}`;
        if (!this.#dotted.has(told)) this.#dotted.set(told, now);
      }
      const columns = new Map(this.#columnsOf(matched, others));
      // Row changes speak of base's tables by base's names.
      for (const each of [table, matched.base ?? table]) this.#columns.set(each, columns);
    }
    for (const each of run.enums) this.#types.set(each, this.#learn(each, others.types.get(each) ?? nameOf(each)));
  }

  #columnsOf({ table, base, columns }: MatchedTable, others: Others): [string, string][] {
    const home = base ?? this.table(table);
    const otherNames = others.columns.get(base ?? table);
    return columns.map((each) => {
      const { name } = each.column;
      const now = each.base === null ? (otherNames?.get(name) ?? name) : name;
      if (now !== name) this.own.set(columnSlot(home, now), name);
      this.#learn({ name }, { name: now });
      return [name, now];
    });
  }

  #learn<T extends Pick<Named, "name">>(from: Pick<Named, "name">, to: T): T {
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

  table(table: Named): Named {
    return this.#tables.get(table) ?? nameOf(table);
  }

  type(each: Named): Named {
    return this.#types.get(each) ?? nameOf(each);
  }

  column(table: Named, name: string): string {
    return this.#columns.get(table)?.get(name) ?? name;
  }

  /** A table that is told as `schema.name`. */
  dotted(text: string): string {
    const other = this.#dotted.get(text);
    return other ? `${other.schema}.${other.name}` : text;
  }

  /** SQL about one table: its columns first. */
  sql(text: string, table?: Named): string {
    const columns = table ? this.#columns.get(table) : undefined;
    return replaceIdentifiers(text, (name) => columns?.get(name) ?? this.#words.get(name));
  }
}

/** Without what else the thing is. */
function nameOf({ schema, name }: Named): Named {
  return { schema, name };
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
