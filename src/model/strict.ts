import type { z } from "zod";
import { badInput, type ErrorCode, MultirunError } from "./error.js";

/** What is being read, for the message: `.github/multirun.yml`, `runs/r01/record.json`, `--parallel`. */
export interface Origin {
  name: string;
  /** `bad_input` for what people wrote (exit 2), `bad_artifact` for files a run left. */
  code?: Extract<ErrorCode, "bad_input" | "bad_artifact">;
  /** Every key that would be right somewhere in this document, for "did you mean". */
  keys?: readonly string[];
}

/**
 * Parses with a zod schema and turns the first failure into one sentence that names the place, the value and the rule.
 * @throws MultirunError with the origin's code
 */
export function parseStrict<T>(schema: z.ZodType<T>, input: unknown, origin: Origin): T {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const message = issue ? describe(issue, schema, origin) : "is not valid";
  const more = result.error.issues.length - 1;
  const text = `${origin.name}: ${message}${more > 0 ? ` (and ${more} more)` : ""}`;
  const hint = "Correct this value and start again.";
  return fail(text, hint, origin.code ?? "bad_input");
}

function fail(message: string, hint: string, code: ErrorCode): never {
  throw code === "bad_input" ? badInput(message, hint) : new MultirunError(code, message, { hint });
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, schema: z.ZodType, origin: Origin): string {
  const place = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const where = place.replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const near = nearest(key, origin.keys ?? keysAt(schema, issue.path));
    return `unknown key "${where ? `${where}.` : ""}${key}"${near ? `; did you mean "${near}"?` : ""}`;
  }
  if (issue.code === "invalid_union") {
    const inner = issue.errors.flat().find((each) => each.code === "unrecognized_keys" || each.code === "custom");
    if (inner) return describe({ ...inner, path: [...issue.path, ...inner.path] } as Issue, schema, origin);
  }
  const value = issue.input === undefined ? "missing" : JSON.stringify(issue.input);
  const shown = value.length > 80 ? `${value.slice(0, 77)}…` : value;
  return `${where || "the document"}: ${issue.code === "custom" ? "" : `${shown}: `}${issue.message}`;
}

interface Inner {
  _zod: {
    def: {
      shape?: Record<string, z.ZodType>;
      innerType?: z.ZodType;
      element?: z.ZodType;
      valueType?: z.ZodType;
      options?: z.ZodType[];
      in?: z.ZodType;
    };
  };
}

/** The keys an object schema knows at a path; empty where the path leads to no plain object. */
function keysAt(schema: z.ZodType, path: PropertyKey[]): string[] {
  const { def } = (schema as unknown as Inner)._zod;
  if (def.innerType) return keysAt(def.innerType, path);
  if (def.in) return keysAt(def.in, path);
  if (def.options) return def.options.flatMap((option) => keysAt(option, path));
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(def.shape ?? {});
  const next = def.shape?.[String(head)] ?? def.element ?? def.valueType;
  return next ? keysAt(next, rest) : [];
}

/** The known word nearest to a mistyped one by edit distance, at most half its length away. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const best = scored[0];
  return best && best.distance <= Math.max(2, Math.floor(word.length / 2)) ? best.candidate : undefined;
}

/** Levenshtein distance, two rows at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
