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
  /** Its name without what its table, in any run, and the table it refers to are called: of `member_id` in `team_members` nothing. */
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
    const words = new Set(each.flatMap(({ table }) => tokensOf(table.name)));
    return {
      id,
      isNew,
      runs: new Set(isNew ? each.map(({ run }) => run) : shapes.map(({ run }) => run)),
      fields: each.flatMap((part) => fieldsOf(part, words, slots)),
    };
  });
  return homes.sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface Part {
  run: RunId;
  names: Shape["names"];
  table: ShapeTable;
}

function fieldsOf(
  { run, names, table: { columns, references, rules } }: Part,
  words: ReadonlySet<string>,
  slots: Slots,
): Field[] {
  const targets = new Map<string, string>();
  const said = new Map<string, string[]>();
  for (const { columns: from, target } of references) {
    const slot = slots.key(target);
    for (const id of from) {
      if (slot < (targets.get(id) ?? "~")) targets.set(id, slot);
      said.set(id, [...(said.get(id) ?? []), ...tokensOf(names.get(target) ?? "")]);
    }
  }
  const key = new Set(rules.find(({ form }) => form.startsWith("key\0"))?.columns);
  return columns.map((column) => ({
    run,
    column,
    target: targets.get(column.id),
    own: ownWords(column.name, new Set([...words, ...(said.get(column.id) ?? [])])).join("_"),
    inKey: key.has(column.id),
    isUnique: rules.some(({ columns: together }) => together.length === 1 && together[0] === column.id),
  }));
}
