import { keepConnections } from "../clients/connections.js";
import { type Client, type ConnectOptions, withClient } from "../clients/postgres.js";
import { codeOf, MultirunError } from "../model/error.js";
import type { Secret } from "../model/secret.js";

export interface ReadOptions {
  /** For all of it, milliseconds. */
  timeoutMs: number;
  /** What is being read, for the message: `The schema`. */
  subject: string;
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

/**
 * Reads a database at one moment: one repeatable-read, read-only transaction. The deadline holds even where the server
 * does not keep it.
 * @throws MultirunError `timed_out`
 */
export function readOnly<T>(url: Secret, options: ReadOptions, read: (client: Client) => Promise<T>): Promise<T> {
  return inTime(options, (late) =>
    withClient(url, connectOptions(options), (client) => inTransaction(client, read), late),
  );
}

export type Reader = <T>(read: (client: Client) => Promise<T>) => Promise<T>;

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
  await client.query("ROLLBACK");
  return result;
}

async function inTime<T>({ timeoutMs, subject }: ReadOptions, use: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await use(late);
  } catch (error) {
    if (!late.aborted && !waitedTooLong.includes(codeOf(error) ?? "")) throw error;
    throw new MultirunError("timed_out", `${subject} could not be read within ${timeoutMs} ms`, {
      hint: "Look for locks that a program still holds in that database.",
      cause: error,
    });
  }
}
