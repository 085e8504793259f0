import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Shape, ShapeColumn, ShapeTable } from "../../model/shape.js";
import { ownWords, tokensOf } from "./names.js";
import type { Slots } from "./slots.js";

/** A new column as one run has it. */
export interface Field {
  run: RunId;
  column: ShapeColumn;
  /** The slot of the table it refers to. */
  target: string | undefined;
  /**
   * Its name without what its table, in any run, and the table it refers to are called: of `member_id` in `team_members`
   * nothing. Of two that refer to one table and have nothing else, as `user_id` and `friend_id` in `friends`, all of it.
   */
  own: string;
  /** True for columns of keys: what is left over is never one of them. */
  inKey: boolean;
  /** True where its values are unique by themselves. */
  isUnique: boolean;
}

/** One table under all its names, with what runs put into it. */
export interface Home {
  /** The table's slot. */
  id: string;
  isNew: boolean;
  /** The runs that have the table. */
  runs: ReadonlySet<RunId>;
  fields: Field[];
}

/** Every table that holds anything new, in the order of their slots. */
export function homesOf(shapes: readonly Shape[], slots: Slots): Home[] {
  const tables = shapes.flatMap(({ run, names, tables }) => tables.map((table) => ({ run, names, table })));
  const homes = [...groupBy(tables, ({ table }) => slots.key(table.id))].map(([id, each]): Home => {
    const isNew = each.some(({ table }) => table.isNew);
    const ownOf = ownNames(each.map(({ table }) => table.name));
    return {
      id,
      isNew,
      runs: new Set(isNew ? each.map(({ run }) => run) : shapes.map(({ run }) => run)),
      fields: each.flatMap((part) => fieldsOf(part, ownOf, slots)),
    };
  });
  return homes.sort((a, b) => (a.id < b.id ? -1 : 1));
}

type OwnName = (name: string, targets: readonly string[]) => string;

/** Names without what their table and the tables they refer to are called; most runs use the same, so each is cut once. */
function ownNames(tables: readonly string[]): OwnName {
  const here = [...new Set(tables)].flatMap(tokensOf);
  const known = new Map<string, string>();
  return (name, targets) => {
    const key = [name, ...targets].join("\0");
    const own = known.get(key) ?? ownWords(name, new Set([...here, ...targets.flatMap(tokensOf)])).join("_");
    known.set(key, own);
    return own;
  };
}

interface Part {
  run: RunId;
  names: Shape["names"];
  table: ShapeTable;
}

function fieldsOf({ run, names, table: { columns, references, rules } }: Part, ownOf: OwnName, slots: Slots): Field[] {
  const targets = new Map<string, string>();
  const said = new Map<string, string[]>();
  for (const { columns: from, target } of references) {
    const slot = slots.key(target);
    for (const id of from) {
      if (slot < (targets.get(id) ?? "~")) targets.set(id, slot);
      said.set(id, [...(said.get(id) ?? []), names.get(target) ?? ""]);
    }
  }
  const key = new Set(rules.find(({ form }) => form.startsWith("key\0"))?.columns);
  const owns = columns.map(({ id, name }) => ownOf(name, said.get(id) ?? []));
  const leads = columns.map(({ id }, at) => `${owns[at]}\0${targets.get(id)}`);
  const isShared = (at: number) => leads.indexOf(leads[at] ?? "") !== leads.lastIndexOf(leads[at] ?? "");
  return columns.map((column, at) => ({
    run,
    column,
    target: targets.get(column.id),
    // Where what a name has of its own does not tell it from its neighbour, only the whole of it does.
    own: targets.has(column.id) && isShared(at) ? ownWords(column.name, new Set()).join("_") : (owns[at] ?? ""),
    inKey: key.has(column.id),
    isUnique: rules.some(({ columns: together }) => together.length === 1 && together[0] === column.id),
  }));
}
