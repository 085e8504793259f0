import type { Shape } from "../../model/shape.js";
import type { Pair } from "./pairing.js";
import type { Slots } from "./slots.js";

/** Names as people write them, `teams` or `team_members.user_id`: each list is one thing, or so many. */
export interface Overrides {
  aliases?: readonly (readonly string[])[] | undefined;
  distinct?: readonly (readonly string[])[] | undefined;
}

/** The lists by the ids of what runs made. Names of nothing new say nothing. */
export function idsNamed(lists: readonly (readonly string[])[], shapes: readonly Shape[]): string[][] {
  if (lists.length === 0) return [];
  const ids = new Map<string, string>();
  for (const { tables, names } of shapes) {
    for (const table of tables) {
      if (table.isNew) ids.set(table.name, table.id);
      for (const column of table.columns) {
        ids.set(`${table.name}.${column.name}`, column.id);
        if (column.type !== null) ids.set(unquoted(names.get(column.type) ?? ""), column.type);
      }
    }
  }
  return lists.map((list) => [...new Set(list.flatMap((name) => ids.get(name.replace(/^public\./, "")) ?? []))]);
}

function unquoted(label: string): string {
  return label.replace(/^`|`$/g, "");
}

/** Merges what a person calls one thing, columns together with their tables; two things of one run stay two. */
export function mergeAliases(
  aliases: readonly (readonly string[])[],
  shapes: readonly Shape[],
  slots: Slots,
): Pair[][] {
  if (aliases.length === 0) return [];
  const homes = new Map(
    shapes.flatMap(({ tables }) => tables.flatMap(({ id, columns }) => columns.map((column) => [column.id, id]))),
  );
  return idsNamed(aliases, shapes).flatMap(([other, ...rest]) =>
    rest.flatMap((one) => {
      if (other === undefined) return [];
      const [here, there] = [homes.get(one), homes.get(other)];
      const pairs: Pair[] = [{ one, other, follows: false }];
      if (here !== undefined && there !== undefined && here !== there) {
        pairs.unshift({ one: here, other: there, follows: false });
      }
      return slots.merge(pairs, { despiteNames: true }) ? [pairs] : [];
    }),
  );
}
