import type { Client } from "pg";
import { connect } from "../clients/postgres.js";
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
export async function readOnly<T>(url: Secret, options: ReadOptions, read: (client: Client) => Promise<T>): Promise<T> {
  const limits = { statement_timeout: `${options.timeoutMs}ms`, lock_timeout: `${Math.ceil(options.timeoutMs / 4)}ms` };
  const client = await connect(url, {
    timeoutMs: options.timeoutMs,
    settings: { ...settings, ...limits },
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void client.end(); // While a query runs this breaks the connection, and the query fails.
  }, options.timeoutMs);
  try {
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return await read(client);
  } catch (error) {
    if (!late && !waitedTooLong.includes(codeOf(error) ?? "")) throw error;
    throw new MultirunError("timed_out", `${options.subject} could not be read within ${options.timeoutMs} ms`, {
      hint: "Look for locks that a program still holds in that database.",
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    if (!late) await client.end();
  }
}
