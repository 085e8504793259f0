import type { Role } from "../syntax.js";

/** How one type of node of a grammar reads in the words all languages share. */
export interface Shape {
  role: Role | null;
  /** The grammar's field → the part; "" for none. Fields that are called as the part need no entry. */
  fields: Readonly<Record<string, string>>;
  /** The parts of named children without a field, one after the other; the last stands for all that follow. */
  rest: readonly (string | null)[];
  /** The node is left out: its children stand in its place, each with its part unless its own shape tells another. */
  dissolved: boolean | "alone";
  /** Children that read differently here than elsewhere, by type, or by field and type with a blank between. */
  inside: Readonly<Record<string, Shape>>;
  /** The node reads as another shape where it has a child of this type. */
  holding: Readonly<Record<string, Shape>>;
  /** Which part of its parent it is where the grammar has no field for it; "" for none. */
  part: string | null;
  /**
   * Fields of object and name, where the grammar keeps both in the call itself (`a.b()`): they become a `member` of
   * their own, the call's callee.
   */
  callee: readonly [object: string, name: string] | null;
}

/** One language: its table of node types, and what the table cannot say. */
export interface Grammar {
  shapes: Readonly<Record<string, Shape>>;
  /** Node types that may name a variable, and so a bound local. */
  variables: readonly string[];
  /** True where the first assignment declares a name. */
  assignmentBinds: boolean;
  /** The statement whose names are the whole function's, where others are their block's. */
  hoisting?: string;
  /** True where a function inside a function assigns to the names of the one around it: Ruby's blocks. */
  assignsOutward?: boolean;
  /** The statement that says a name is the function's around this one: Python's `nonlocal`. */
  enclosing?: string;
  /** Statements that take names out of all functions: Python's `global`. */
  outward: readonly string[];
  /** What the source of a string begins with in which a backslash is just that. */
  raw: RegExp;
  /** True where a string that stands alone at the beginning of a body documents it. */
  docstrings: boolean;
  /** True where `;` is part of the program: in Rust it decides what a block is worth. */
  semicolons: boolean;
  /** List types that mean the same with and without parentheses. */
  bareLists: readonly string[];
  /** What is written as a call and leaves the function with an error. */
  raising?: readonly string[];
  /** Functions that are called on a definition to change who may use it: Ruby's `private def`. */
  modifyingCalls?: readonly string[];
  /** Functions that import when they are called by themselves. */
  importCalls?: readonly string[];
  /** The statement that exports what is declared elsewhere in the file. */
  exportList?: string;
  /** Whether other files can use what is declared. */
  exports(declaration: Declaration): boolean;
}

export interface Declaration {
  /** Within its file. */
  name: string;
  /** The keywords before and in it: `export`, `pub`, `private`. */
  words: ReadonlySet<string>;
  /** Whether other files can use the class it is in; undefined where it is in none. */
  owner: boolean | undefined;
}

/** One object for all shapes without: asking for it is cheaper than looking into it, once per node. */
export const none: Readonly<Record<string, never>> = {};

export function is(
  role: Role | null,
  fields: Shape["fields"] = {},
  rest: string | readonly (string | null)[] = [],
  more: Partial<Pick<Shape, "dissolved" | "inside" | "holding" | "callee" | "part">> = {},
): Shape {
  const parts = typeof rest === "string" ? [rest] : rest;
  return {
    role,
    fields,
    rest: parts,
    dissolved: false,
    inside: none,
    holding: none,
    callee: null,
    part: null,
    ...more,
  };
}

/** Not a node of its own: an argument list, the parentheses of a condition. */
export function dissolved(fields: Shape["fields"] = {}, rest: string | readonly (string | null)[] = []): Shape {
  return is(null, fields, rest, { dissolved: true });
}

/** A list where it has several elements, nothing where it has one: `a, b = b, a`. */
export const listUnlessAlone: Shape = is("list", {}, "element", { dissolved: "alone" });

/** Many types of nodes with one shape. */
export function each(types: string, shape: Shape): Record<string, Shape> {
  return Object.fromEntries(types.split(" ").map((type) => [type, shape]));
}
