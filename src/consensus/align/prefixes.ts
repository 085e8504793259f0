import { squashed, wordsOf } from "../../model/names.js";
import type { Shape, ShapeTable } from "../../model/shape.js";
import { singular } from "./names.js";

/** What tables are called without what says nothing about any one of them, by id. */
export type BareNames = ReadonlyMap<string, string>;

/**
 * Table names without their schema, and without the words a run puts before all of its new tables: `todo_list_users` beside
 * `todo_list_tasks`. Words that name a table of its own are no such prefix: those tables belong to it. A run with one table
 * shows no prefix of its own; that of another run is taken off its name too.
 */
export function bareNames(shapes: readonly Shape[]): BareNames {
  const told = shapes.flatMap(({ tables }) => tables);
  const labels = new Set(shapes.flatMap(({ names }) => [...names.values()]));
  const things = new Set([...labels].map((label) => stem(wordsOf(label))));
  const names = new Map(told.map((table) => [table.id, withoutSchema(table)]));
  const lengths = new Map<string, number>();
  const prefixes = new Set<string>();
  const lone: string[] = [];
  for (const { tables } of shapes) {
    const own = tables.filter(({ isNew }) => isNew);
    if (own.length === 1) lone.push(...own.map(({ id }) => id));
    if (own.length < 2) continue;
    const shared = sharedWords(own.map((table) => wordsOf(withoutSchema(table))));
    const length = things.has(stem(shared)) ? 0 : shared.length;
    if (length > 0) prefixes.add(shared.join("_"));
    // Where runs disagree, the less is taken off.
    for (const { id } of own) lengths.set(id, Math.min(length, lengths.get(id) ?? length));
  }
  for (const id of lone.filter((each) => !lengths.has(each))) {
    const words = wordsOf(names.get(id) ?? "");
    const starts = words.slice(1).map((_, at) => words.slice(0, at + 1).join("_"));
    lengths.set(id, 1 + starts.findLastIndex((start) => prefixes.has(start)));
  }
  return new Map([...names].map(([id, name]) => [id, cut(name, lengths.get(id) ?? 0)]));
}

/** A table of another schema is the same by its last name. */
function withoutSchema({ name }: ShapeTable): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function stem(words: readonly string[]): string {
  return squashed(words.map(singular).join(" "));
}

/** The words all begin with, such that each has another word after them. */
function sharedWords(names: readonly string[][]): string[] {
  const [first = []] = names;
  const most = Math.min(...names.map(({ length }) => length)) - 1;
  const end = first.findIndex((word, at) => at >= most || names.some((words) => words[at] !== word));
  return first.slice(0, Math.max(0, end));
}

function cut(name: string, length: number): string {
  return length === 0 ? name : wordsOf(name).slice(length).join("_");
}
