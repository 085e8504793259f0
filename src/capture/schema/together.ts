import type { QueryResult } from "pg";
import type { Client } from "../../clients/postgres.js";

export type Ask = <T extends object>(sql: string) => Promise<T[]>;

/**
 * Asks queries without parameters. Those asked at the same moment travel as one message, as a round trip costs more than
 * most of them; where one fails, all of its message do.
 */
export function askTogether(client: Client): Ask {
  let asked: string[] = [];
  let answers: Promise<QueryResult[]> | undefined;
  const send = async () => {
    await undefined; // Until everybody of this moment has asked.
    const message = asked.join(";\n");
    asked = [];
    answers = undefined;
    const results: QueryResult | QueryResult[] = await client.query(message);
    return [results].flat();
  };
  return async <T extends object>(sql: string) => {
    const place = asked.push(sql) - 1;
    answers ??= send();
    return ((await answers)[place]?.rows ?? []) as T[];
  };
}

/** Waits for every value of an object. */
export async function allOf<T extends object>(asked: { [Key in keyof T]: Promise<T[Key]> }): Promise<T> {
  const entries = Object.entries<Promise<unknown>>(asked).map(async ([key, value]) => [key, await value]);
  return Object.fromEntries(await Promise.all(entries)) as T;
}
