/**
 * The one error class. `code` is machine readable and decides the exit code, `message` names the value and the rule,
 * `hint` is the next action.
 */
export type ErrorCode =
  | "bad_input"
  | "bad_artifact"
  | "not_found"
  | "infra"
  | "lease_lost"
  | "cancelled"
  | "timed_out"
  | "failed";

export interface ErrorDetails {
  hint?: string;
  cause?: unknown;
}

export class MultirunError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "MultirunError";
    this.code = code;
    this.hint = details.hint;
  }
}

/** Wrong use: the message says value and rule, the hint what to do; exit code 2. */
export function badInput(message: string, hint: string, cause?: unknown): MultirunError {
  return new MultirunError("bad_input", message, { hint, cause });
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Node's `ENOENT`, Postgres' SQLSTATE and the like; undefined where the error carries none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
