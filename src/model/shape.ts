import type { RunId } from "./ids.js";

/**
 * What a run made, told so that it can be compared without its names. Ids name tables, columns and types: opaque here,
 * equal in two runs where both use the same name, and base's where base has the object.
 */
export interface Shape {
  run: RunId;
  /** Everything the run holds under its own names, base's objects too: by id, as lists name it. */
  names: Map<string, string>;
  /** New tables, and tables of base with what is new about them. */
  tables: ShapeTable[];
}

export interface ShapeTable {
  id: string;
  /** As people say it: without the schema where that is `public`. Base's where base has the table. */
  name: string;
  isNew: boolean;
  /** Partitioned, inherited, foreign: what a table is beside its columns. */
  nature: string;
  /** New columns. */
  columns: ShapeColumn[];
  rules: ShapeRule[];
  references: ShapeReference[];
}

export interface ShapeColumn {
  id: string;
  name: string;
  /** Types that are a matter of habit are one family: `text` and `character varying(50)`. */
  family: string;
  /** The enum it is of. */
  type: string | null;
  /** False for keys, references and times that fill themselves in: those say little about what a table is for. */
  payload: boolean;
  /** True for the one key column of a new table whose values the database makes up. */
  generatedKey: boolean;
  /** The most characters it takes, where its type says so. */
  length: number | null;
  notNull: boolean;
  /** The default, where the database works it out: `gen_random_uuid()`. */
  computed: string | null;
}

/** A key or what must be unique; `form` is its kind and any expression, in which columns have no names. */
export interface ShapeRule {
  form: string;
  columns: string[];
}

export interface ShapeReference {
  columns: string[];
  target: string;
  targetColumns: string[];
}

/** Names by which runs are compared, where a run has another: own id → id of the name most runs use. */
export type Renaming = ReadonlyMap<string, string>;
