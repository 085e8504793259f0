import { randomBytes } from "node:crypto";
import type { SchemaSnapshot } from "../model/schema.js";
import type { Secret } from "../model/secret.js";
import { openReader, type Reader } from "./read-only.js";
import { readSchema } from "./schema/snapshot.js";

/** The untouched project's database, which every run is compared with: a copy that nobody works in. */
export interface Reference {
  schema: SchemaSnapshot;
  /** Of all hashes of rows, as SQL: random, so that nobody can prepare rows that look alike. */
  seed: string;
  read: Reader;
  /** The first row of a query. Asked again it is remembered: ten runs need not hash the same table ten times. */
  first<T extends object>(sql: string): Promise<T>;
}

/** @throws MultirunError `timed_out` where one reading takes longer than `timeoutMs` */
export async function openReference(url: Secret, { timeoutMs }: { timeoutMs: number }): Promise<Reference> {
  const read = openReader(url, { timeoutMs, subject: "The untouched database" });
  const known = new Map<string, Promise<object>>();
  return {
    schema: await read(readSchema),
    seed: `(${randomBytes(8).readBigInt64BE()})::int8`,
    read,
    first: async <T extends object>(sql: string) => {
      const first = known.get(sql) ?? read(async (client) => (await client.query<T>(sql)).rows[0] ?? {});
      known.set(sql, first);
      // A failure may pass: the next one asks anew.
      first.catch(() => known.delete(sql));
      return (await first) as T;
    },
  };
}
