import type { TableRows } from "../../model/rows.js";
import type { Cursor } from "./cursor.js";
import type { Order } from "./query.js";

export const shownKeys = 20;

export type Difference = Pick<TableRows, "added" | "removed" | "changed" | "changedColumns">;

/**
 * Walks two tables in the order of their key, side by side.
 * @param orders how each key column compares
 * @param cells names of the columns whose hashes follow the key
 */
export async function mergeKeyed(
  base: Cursor,
  run: Cursor,
  orders: readonly Order[],
  cells: readonly string[],
): Promise<Difference> {
  const [added, removed, changed] = [new Tally(), new Tally(), new Tally()];
  const perColumn = cells.map(() => 0);
  const width = orders.length;
  let [left, right] = [await base.next(), await run.next()];
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : compareKeys(left, right, orders);
    if (left && right && order === 0 && left[width] !== right[width]) {
      changed.add(left.slice(0, width));
      countDifferences(left[width], right[width], perColumn);
    }
    if (left && order < 0) removed.add(left.slice(0, width));
    if (right && order > 0) added.add(right.slice(0, width));
    if (order <= 0) left = await base.next();
    if (order >= 0) right = await run.next();
  }
  const changedColumns = cells
    .map((name, index) => ({ name, rows: perColumn[index] ?? 0 }))
    .filter(({ rows }) => rows > 0);
  return { added: added.result, removed: removed.result, changed: changed.result, changedColumns };
}

/** Without a key there is no "changed": a content that is there more or less often was added or removed. */
export async function mergeContents(base: Cursor, run: Cursor): Promise<Difference> {
  let [added, removed] = [0, 0];
  let [left, right] = [await base.next(), await run.next()];
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : compareKeys(left, right, ["number"]);
    const more = (order >= 0 ? Number(right?.[1]) : 0) - (order <= 0 ? Number(left?.[1]) : 0);
    if (more > 0) added += more;
    else removed -= more;
    if (order <= 0) left = await base.next();
    if (order >= 0) right = await run.next();
  }
  const nothing = { count: 0, keys: [] };
  return {
    added: { count: added, keys: [] },
    removed: { count: removed, keys: [] },
    changed: nothing,
    changedColumns: [],
  };
}

function compareKeys(a: readonly string[], b: readonly string[], orders: readonly Order[]): number {
  for (const [index, order] of orders.entries()) {
    const [left = "", right = ""] = [a[index], b[index]];
    if (left === right) continue;
    if (order === "text") return Buffer.compare(Buffer.from(left), Buffer.from(right));
    return BigInt(left) < BigInt(right) ? -1 : 1;
  }
  return 0;
}

function countDifferences(left: string | undefined, right: string | undefined, perColumn: number[]): void {
  const [ours, theirs] = [left?.split(",") ?? [], right?.split(",") ?? []];
  for (const [index, seen] of perColumn.entries()) if (ours[index] !== theirs[index]) perColumn[index] = seen + 1;
}

/** Counts all, keeps the first few. */
class Tally {
  readonly result: { count: number; keys: string[][] } = { count: 0, keys: [] };

  add(key: string[]): void {
    this.result.count += 1;
    if (this.result.keys.length < shownKeys) this.result.keys.push(key);
  }
}
