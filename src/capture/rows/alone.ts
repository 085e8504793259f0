import type { Client } from "../../clients/postgres.js";
import type { TableRows } from "../../model/rows.js";
import type { SchemaConstraint, SchemaTable } from "../../model/schema.js";
import { type Asked, tellOrphans, tellValues } from "./added.js";
import { afresh, blank, type Context, one, type Summary } from "./context.js";
import { keysOf } from "./match.js";
import { shownKeys } from "./merge.js";
import { distinctValues, firstKeys, orderOf, type ReadTable, summary } from "./query.js";

/** A table the run made; undefined where it is empty. */
export async function readNew(context: Context, table: ReadTable): Promise<TableRows | undefined> {
  await context.run.query(afresh);
  const { rows, keyed, key } = await readAlone(context.run, table);
  if (rows === 0) return undefined;
  const links: NonNullable<TableRows["links"]> = [];
  for (const constraint of table.constraints) {
    if (constraint.references) links.push(await readLink(context, table, constraint, constraint.references));
  }
  const orphans = await tellOrphans(context, table, table.columns);
  const found = { ...blank(table, "new", key), runRows: rows, added: { count: rows, keys: keyed }, links, ...orphans };
  return { ...found, ...(await tellValues(context.run, { table, rows, ...askedOf(table, context) })) };
}

/** Columns of a new table that hold neither keys nor references, and the one row of base each row refers to. */
function askedOf(table: SchemaTable, { runSchema, baseRows }: Context): Pick<Asked, "columns" | "source"> {
  const bound = new Set(
    table.constraints.flatMap(({ kind, columns }) => (kind === "primary key" || kind === "foreign key" ? columns : [])),
  );
  const columns = table.columns.filter(({ name, generated }) => !bound.has(name) && generated === null);
  for (const { references, columns: own } of table.constraints) {
    const target = runSchema.tables.find(({ oid }) => oid === references?.oid);
    const [from, to] = [own[0], references?.columns[0]];
    if (!target || !baseRows.has(target.oid) || own.length !== 1 || from === undefined || to === undefined) continue;
    return { columns, source: { table: target, on: { own: from, target: to }, columns: target.columns } };
  }
  return { columns, source: { columns: [] } };
}

type Target = NonNullable<SchemaConstraint["references"]>;

async function readLink(context: Context, table: SchemaTable, { columns }: SchemaConstraint, target: Target) {
  const { rows } = await one<{ rows: string }>(context.run, distinctValues(table, columns));
  const targetRows = context.baseRows.get(target.oid) ?? 0;
  return { columns, schema: target.schema, table: target.table, distinct: Number(rows), targetRows };
}

/** A table of base that the run has no more. */
export async function readDropped(context: Context, table: ReadTable): Promise<TableRows | undefined> {
  const { rows, keyed, key } = await context.reference.read((base) => readAlone(base, table));
  if (rows === 0) return undefined;
  return { ...blank(table, "dropped", key), baseRows: rows, removed: { count: rows, keys: keyed } };
}

/** A table that only one side has. */
async function readAlone(client: Client, table: ReadTable) {
  const { rows } = await one<Summary>(client, summary({ table, columns: [], seed: "0" }));
  const key = keysOf(table)[0] ?? null;
  const columns = key?.flatMap((wanted) => table.columns.filter(({ name }) => name === wanted)) ?? [];
  const keyColumns = columns.map((column) => ({ column, order: orderOf([column]) }));
  const query = {
    text: key ? firstKeys(table, keyColumns, shownKeys) : "SELECT WHERE false",
    rowMode: "array" as const,
  };
  return { rows: Number(rows), key, keyed: (await client.query<string[]>(query)).rows };
}
