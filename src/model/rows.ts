import { z } from "zod";

const count = z.number().int().nonnegative();

/** Names are base's where an object is in base, so that all runs speak of the same thing. Key values as text, in the order of `key`; the first twenty by key order. */
const keyed = z.strictObject({ count, keys: z.array(z.array(z.string())) });

export const tableRows = z.strictObject({
  schema: z.string(),
  name: z.string(),
  /** `matched` tables are in both databases; `new` and `dropped` in one. */
  state: z.enum(["matched", "new", "dropped"]),
  /** The columns rows are told apart by; null where the table has no such key and rows are compared as a multiset. */
  key: z.array(z.string()).nullable(),
  baseRows: count,
  runRows: count,
  added: keyed,
  removed: keyed,
  changed: keyed,
  /** Per column of changed rows (tables with a key): in how many rows it differs. */
  changedColumns: z.array(z.strictObject({ name: z.string(), rows: count })),
  /** Columns the run added to a table of base: in how many rows they hold a value. */
  filledColumns: z.array(z.strictObject({ name: z.string(), rows: count })),
  /**
   * Per foreign key of a new table: to how many different rows of its target the table's rows point, and how many rows
   * the target holds in base (0 where it is new). Tells "one per user" from "twelve rows".
   */
  links: z
    .array(
      z.strictObject({
        columns: z.array(z.string()),
        schema: z.string(),
        table: z.string(),
        distinct: count,
        targetRows: count,
      }),
    )
    .optional(),
  /**
   * What the columns a run added hold in their first rows, told without any row's identity, so that runs can be compared:
   * how many values there are and how many different ones; whether all are one value, the value of another column of the
   * same row or of the row it refers to, a text that holds it, made up by the database, or none of these. Left out where
   * that could not be asked.
   */
  values: z
    .array(
      z.strictObject({
        column: z.string(),
        rows: count,
        distinct: count,
        kind: z.enum(["constant", "copy", "template", "generated", "own"]),
        from: z.strictObject({ table: z.string().nullable(), column: z.string() }).nullable(),
        value: z.string().max(200).nullable(),
      }),
    )
    .optional(),
  /** Rows that lead to nothing, where no valid foreign key sees to it; left out where there are none. */
  orphans: z
    .array(z.strictObject({ column: z.string(), schema: z.string(), table: z.string(), rows: count }))
    .optional(),
});
export type TableRows = z.infer<typeof tableRows>;

/** Row differences of a run's database against base. Tables without a difference are left out. */
export const rowChanges = z.strictObject({
  version: z.literal(1),
  tables: z.array(tableRows),
  unreadable: z.array(z.strictObject({ object: z.string(), reason: z.string() })),
});
export type RowChanges = z.infer<typeof rowChanges>;
