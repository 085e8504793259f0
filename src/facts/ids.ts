import { shortName } from "./matching.js";
import { quote } from "./words.js";

export interface Named {
  schema: string;
  name: string;
}

export function tableId({ schema, name }: Named): string {
  return JSON.stringify(["table", schema, name]);
}

/** By the name of a column's table in base, where it has one. */
export function columnId({ schema, name }: Named, column: string): string {
  return JSON.stringify(["column", schema, name, column]);
}

export function typeId({ schema, name }: Named): string {
  return JSON.stringify(["type", schema, name]);
}

/** Values by the two parts of a name. */
export class ByName<T> {
  readonly #schemas = new Map<string, Map<string, T>>();

  get({ schema, name }: Named): T | undefined {
    return this.#schemas.get(schema)?.get(name);
  }

  set({ schema, name }: Named, value: T): T {
    const names = this.#schemas.get(schema) ?? new Map<string, T>();
    this.#schemas.set(schema, names.set(name, value));
    return value;
  }
}

/** A thing's id, and how lists name it. */
export interface Identity {
  id: string;
  label: string;
}

/** The ids of the tables and columns of many runs, which mostly use the same names: each is written out once. */
export class Ids {
  readonly #tables = new ByName<Identity & { columns: Map<string, Identity> }>();

  table(table: Named): Identity & { columns: Map<string, Identity> } {
    const known = this.#tables.get(table);
    if (known) return known;
    return this.#tables.set(table, { id: tableId(table), label: quote(shortName(table)), columns: new Map() });
  }

  column(table: Named, name: string): Identity {
    const { columns } = this.table(table);
    const known = columns.get(name);
    if (known) return known;
    const made = { id: columnId(table, name), label: quote(`${shortName(table)}.${name}`) };
    columns.set(name, made);
    return made;
  }
}
