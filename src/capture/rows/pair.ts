import type { TableRows } from "../../model/rows.js";
import { tellOrphans, tellValues } from "./added.js";
import { readAs } from "./common-type.js";
import { afresh, blank, both, type Context, one, type Summary } from "./context.js";
import { Cursor } from "./cursor.js";
import type { TablePair } from "./match.js";
import { mergeContents, mergeKeyed } from "./merge.js";
import { contents, differing, type KeyColumn, keyedRows, orderOf, summary } from "./query.js";

/** Undefined where both hold the same and nothing was filled in. */
export async function comparePair(context: Context, pair: TablePair): Promise<TableRows | undefined> {
  const { base, run, columns, key, added } = pair;
  const { reference } = context;
  const { seed } = reference;
  const summed = (side: "base" | "run") => {
    return {
      table: pair[side],
      columns: columns.map((each) => readAs(each, side)),
      key: key && keyColumns(key, side),
      seed,
    };
  };
  const [before, after] = await both(
    reference.first<Summary>(summary(summed("base"))),
    one<Summary>(context.run, afresh + summary({ ...summed("run"), counted: added })),
  );
  context.baseRows.set(run.oid, Number(before.rows));
  const filledColumns = added
    .map(({ name }, index) => ({ name, rows: Number(after.filled[index] ?? 0) }))
    .filter(({ rows }) => rows > 0);
  const same = before.rows === after.rows && before.hash === after.hash;
  const orphans = await tellOrphans(context, run, added);
  if (same && filledColumns.length === 0 && orphans.orphans === undefined) return undefined;
  const difference = same
    ? {}
    : await (key
        ? differByKey(context, pair, { key, within: differing(before.buckets, after.buckets) })
        : differByContent(context, pair));
  const filled = added.filter(({ name }) => filledColumns.some((each) => each.name === name));
  return {
    ...blank(base, "matched", key?.map((each) => each.base.name) ?? null),
    baseRows: Number(before.rows),
    runRows: Number(after.rows),
    ...difference,
    filledColumns,
    ...orphans,
    ...(await tellValues(context.run, {
      table: run,
      rows: Number(after.rows),
      columns: filled,
      source: { columns: columns.map((each) => each.run) },
    })),
  };
}

/** Compared the same way on both sides. */
function keyColumns(key: TablePair["columns"], side: "base" | "run"): KeyColumn[] {
  return key.map((each) => ({ column: readAs(each, side), order: orderOf([each.base, each.run]) }));
}

interface Apart {
  key: TablePair["columns"];
  within: readonly number[] | undefined;
}

async function differByKey({ reference, run }: Context, pair: TablePair, { key, within }: Apart) {
  const { seed } = reference;
  const cells = pair.columns.filter((each) => !key.includes(each));
  const rowsOf = (side: "base" | "run") => {
    const others = cells.map((each) => readAs(each, side));
    return keyedRows({ table: pair[side], key: keyColumns(key, side), cells: others, seed, within });
  };
  return reference.read(async (base) => {
    const [left, right] = await both(
      Cursor.open(base, "rows", rowsOf("base")),
      Cursor.open(run, "rows", rowsOf("run")),
    );
    return mergeKeyed(
      left,
      right,
      keyColumns(key, "base").map(({ order }) => order),
      cells.map((each) => each.base.name),
    );
  });
}

async function differByContent({ reference, run }: Context, pair: TablePair) {
  const rowsOf = (side: "base" | "run") => {
    const columns = pair.columns.map((each) => readAs(each, side));
    return contents(pair[side], columns, reference.seed);
  };
  return reference.read(async (base) =>
    mergeContents(...(await both(Cursor.open(base, "rows", rowsOf("base")), Cursor.open(run, "rows", rowsOf("run"))))),
  );
}
