import { setTimeout as pause } from "node:timers/promises";
import { keepConnections } from "../clients/connections.js";
import { type Client, type ConnectOptions, literal, withClient } from "../clients/postgres.js";
import { codeOf, MultirunError } from "../model/error.js";
import type { Secret } from "../model/secret.js";

export interface ReadOptions {
  /** For all of it, milliseconds. */
  timeoutMs: number;
  /** What is being read, for the message: `The schema`. */
  subject: string;
  /** Puts the server right before another connection is made for one that was lost. */
  revive?: () => Promise<void>;
}

/**
 * A run owns its database, so its settings, operators and functions are hostile. These settings are given with the
 * connection, where nothing the run has set for its database comes before them: only the system's own operators are
 * found, values look the same in every database, and rows that a policy would hide are an error instead of missing.
 */
const settings = {
  search_path: "pg_catalog",
  row_security: "off",
  role: "none",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  extra_float_digits: "1",
  bytea_output: "hex",
  xmlbinary: "base64",
  lc_monetary: "C",
  idle_in_transaction_session_timeout: "0",
  jit: "off",
};

/** query_canceled (by statement_timeout) and lock_not_available. */
const waitedTooLong = ["57014", "55P03"];

export type Reader = <T>(read: (client: Client) => Promise<T>) => Promise<T>;

/** Further connections to the database that is read, within the same deadline. */
export interface Further {
  /** Reads at a later moment: for when the first connection was lost. */
  again: Reader;
  /** Reads what the first connection reads: the moment it has exported a snapshot of. */
  beside: <T>(snapshot: string, read: (client: Client) => Promise<T>) => Promise<T>;
}

/**
 * Reads a database at one moment: one repeatable-read, read-only transaction. The deadline holds even where the server
 * does not keep it.
 * @throws MultirunError `timed_out`
 */
export function readOnly<T>(
  url: Secret,
  options: ReadOptions,
  read: (client: Client, further: Further) => Promise<T>,
): Promise<T> {
  return inTime(options, (late) => {
    const connection = connectOptions(options);
    const again: Reader = async (next) => {
      if (late.aborted) throw tookTooLong(options, late.reason);
      await options.revive?.();
      await answering(url, connection, late);
      return withClient(url, connection, (client) => inTransaction(client, next), late);
    };
    const beside: Further["beside"] = (snapshot, next) =>
      withClient(
        url,
        connection,
        (client) =>
          inTransaction(client, async () => {
            await client.query(`SET TRANSACTION SNAPSHOT ${literal(snapshot)}`);
            return next(client);
          }),
        late,
      );
    return withClient(url, connection, (client) => inTransaction(client, (own) => read(own, { again, beside })), late);
  });
}

/** A server that one of its processes has died of takes a while to come back: it refuses, breaks off, says it starts up. */
const comeBackMs = 15_000;

async function answering(url: Secret, connection: ConnectOptions, late: AbortSignal): Promise<void> {
  const givenUp = performance.now() + comeBackMs;
  for (;;) {
    try {
      return await withClient(url, connection, async () => undefined, late);
    } catch (error) {
      if (!isLost(error) || late.aborted || performance.now() > givenUp) throw error;
      await pause(100, undefined, { signal: late });
    }
  }
}

/** True where an error says that the connection is gone, and not only that one statement failed. */
export function isLost(error: unknown): boolean {
  if (error instanceof MultirunError) return false;
  const code = codeOf(error);
  // What the server says of a statement has a digit in its code; what the system says of a connection has none.
  return code === undefined || !/\d/.test(code) || /^(?:08|57P)/.test(code);
}

/**
 * Reads as `readOnly` does, again and again: each on a connection that nobody else has, kept for the next. Only for a
 * database that nobody works in, as a run's own may leave things in a connection.
 */
export function openReader(url: Secret, options: ReadOptions): Reader {
  const connections = keepConnections(url, connectOptions(options));
  return (read) => inTime(options, (late) => connections.lend((client) => inTransaction(client, read), late));
}

/** One statement may not use up the time of all others: what waits for ever is then one table's trouble. */
function connectOptions({ timeoutMs }: ReadOptions): ConnectOptions {
  const part = (share: number) => `${Math.ceil(timeoutMs * share)}ms`;
  const limits = { statement_timeout: part(0.5), lock_timeout: part(0.25) };
  return { timeoutMs, settings: { ...settings, ...limits } };
}

async function inTransaction<T>(client: Client, read: (client: Client) => Promise<T>): Promise<T> {
  await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  const result = await read(client);
  // Nothing was written: where the connection is gone there is nothing to end either.
  await client.query("ROLLBACK").catch(() => undefined);
  return result;
}

async function inTime<T>(options: ReadOptions, use: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(options.timeoutMs);
  try {
    return await use(late);
  } catch (error) {
    if (!late.aborted && !waitedTooLong.includes(codeOf(error) ?? "")) throw error;
    throw tookTooLong(options, error);
  }
}

function tookTooLong({ timeoutMs, subject }: ReadOptions, cause: unknown): MultirunError {
  return new MultirunError("timed_out", `${subject} could not be read within ${timeoutMs} ms`, {
    hint: "Look for locks that a program still holds in that database.",
    cause,
  });
}
