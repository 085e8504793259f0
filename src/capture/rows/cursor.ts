import type { Client } from "../../clients/postgres.js";

const batch = 5_000;

/** Rows of one query, a batch at a time, so that a table's size is never in memory. Lives in the open transaction. */
export class Cursor {
  readonly #client: Client;
  readonly #name: string;
  #rows: string[][] = [];
  #next = 0;
  #ended = false;

  private constructor(client: Client, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** @param name of its own within the transaction */
  static async open(client: Client, name: string, sql: string): Promise<Cursor> {
    await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`);
    return new Cursor(client, name);
  }

  /** Undefined after the last row. */
  async next(): Promise<string[] | undefined> {
    if (this.#next === this.#rows.length && !this.#ended) await this.#fetch();
    return this.#rows[this.#next++];
  }

  async #fetch(): Promise<void> {
    const query = { text: `FETCH ${batch} FROM ${this.#name}`, rowMode: "array" as const };
    this.#rows = (await this.#client.query<string[]>(query)).rows;
    this.#next = 0;
    this.#ended = this.#rows.length < batch;
  }
}
