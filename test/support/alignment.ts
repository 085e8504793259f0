import { align } from "../../src/consensus/align/align.js";
import type { Overrides } from "../../src/consensus/align/overrides.js";
import { readShapes } from "../../src/facts/shapes.js";
import type { BaseArtifacts, RunArtifacts } from "../../src/model/fact.js";
import type { SchemaTable } from "../../src/model/schema.js";
import { column, id, key, refers, run, snapshot, table } from "./runs.js";

/** `user_id>users` refers, `email` is text, `size:integer` says its type, `id` is a generated key. */
export function built(name: string, columns: string, keyColumns = "id"): SchemaTable {
  const parts = columns.split(" ").map((part) => {
    const [, own = "", type, target] = /^(\w+)(?::([\w ]+))?(?:>(\w+))?$/.exec(part) ?? [];
    return { own, type: type ?? (target ? "integer" : "text"), target };
  });
  return table(name, {
    columns: parts.map(({ own, type }) => {
      if (own === "id") return id();
      const time = /_at$/.test(own) && type === "text";
      return time ? column(own, "timestamp with time zone", { default: clock(own) }) : column(own, type);
    }),
    constraints: [
      ...(parts.some(({ own }) => keyColumns.split(" ").includes(own)) ? [key(...keyColumns.split(" "))] : []),
      ...parts.flatMap(({ own, target }) => (target ? [refers(own, target)] : [])),
    ],
  });
}

const clock = (name: string) => (/^(?:created|updated|joined)/.test(name) ? "now()" : null);

export const base: BaseArtifacts = {
  schema: snapshot([
    built("users", "id email"),
    built("profiles", "id user_id>users display_name"),
    built("assets", "id user_id>users title"),
  ]),
  checks: null,
};

/** Runs that hold base and what is told of each; a table of base's name stands in for base's. */
export function runsWith(...all: SchemaTable[][]): RunArtifacts[] {
  return all.map((made, at) => {
    const names = new Set(made.map(({ name }) => name));
    const kept = base.schema?.tables.filter(({ name }) => !names.has(name)) ?? [];
    return run(at + 1, { schema: snapshot([...kept, ...made]) });
  });
}

/** The same list of tables so many times. */
export const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** What was found to be one: the names of each thing that has several, as `a = b`, sorted. */
export function oneThing(runs: readonly RunArtifacts[], overrides: Overrides = {}): string[] {
  const { renaming } = align(readShapes(runs, base), overrides);
  const things = new Map<string, Set<string>>();
  for (const [from, to] of renaming) things.set(to, (things.get(to) ?? new Set([said(to)])).add(said(from)));
  return [...things.values()].map((names) => [...names].sort().join(" = ")).sort();
}

function said(name: string): string {
  const [, , ...names]: string[] = JSON.parse(name);
  return names.join(".");
}

/** True where two tables were found to be one. */
export function areOne(runs: readonly RunArtifacts[], one: string, other: string): boolean {
  return oneThing(runs).some((names) => [one, other].every((name) => names.split(" = ").includes(name)));
}
