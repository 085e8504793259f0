import type { Pool } from "pg";
import type { Secret } from "../model/secret.js";
import { type Client, type ConnectOptions, clientConfig } from "./postgres.js";

/** Connections to one place as one user, kept for whoever comes next. */
export interface Connections {
  /**
   * Lends one that nobody else has. Where `use` fails it is closed, whatever state it was left in.
   * @param signal aborted, it breaks the connection: a query that runs in it fails
   */
  lend<T>(use: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Closes those that are idle, and the others as soon as they come back; the next `lend` makes new ones. */
  close(): void;
}

/** Idle ones are closed after this time. */
const keptMs = 10_000;

/**
 * A connection costs the server a process: several times what a small query takes. Kept ones do not keep this process
 * from ending. How many are lent at once is for the callers to bound.
 */
export function keepConnections(url: Secret, options: ConnectOptions = {}): Connections {
  let pool: Promise<Pool> | undefined;
  return {
    lend: async (use, signal) => {
      pool ??= openPool(url, options);
      const client = await (await pool).connect();
      const destroy = () => client.release(true);
      signal?.addEventListener("abort", destroy);
      if (signal?.aborted) destroy();
      try {
        signal?.throwIfAborted();
        const result = await use(client);
        if (!signal?.aborted) client.release();
        return result;
      } catch (error) {
        if (!signal?.aborted) client.release(true);
        throw error;
      } finally {
        signal?.removeEventListener("abort", destroy);
      }
    },
    close: () => {
      void pool?.then((closing) => closing.end());
      pool = undefined;
    },
  };
}

async function openPool(url: Secret, options: ConnectOptions): Promise<Pool> {
  const { Pool } = await import("pg"); // Not at the top: `multirun --help` must not pay for it.
  const config = clientConfig(url, options);
  const pool = new Pool({ ...config, max: 1_000, idleTimeoutMillis: keptMs, allowExitOnIdle: true });
  // A connection that breaks says so here as well as in the next query; unheard it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
