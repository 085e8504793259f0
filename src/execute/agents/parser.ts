import { z } from "zod";
import type { TraceEvent } from "../../model/agent.js";

/** Reads what an agent prints, line by line. Never throws: whatever it is given is hostile. */
export interface StreamParser {
  push(line: string): TraceEvent[];
  /** Nothing follows. */
  end(): TraceEvent[];
}

/** Of lines that could not be read only the number is told. */
const linesWithNote = 3;

/**
 * A parser for one JSON object on each line. Lines that are none are skipped, with a note on the first of them:
 * programs print warnings, and a stream may end in the middle of a line.
 * @param read what a document says; may throw, which counts as unreadable
 */
export function jsonLines(read: (value: unknown) => TraceEvent[], finish: () => TraceEvent[] = () => []): StreamParser {
  let unread = 0;
  const unreadable = (line: string): TraceEvent[] => {
    unread += 1;
    return unread <= linesWithNote ? [{ kind: "note", text: `a line that could not be read: ${line}` }] : [];
  };
  return {
    push(line) {
      if (line.trim() === "") return [];
      // Asked first, because an exception for each line of a flood would take seconds.
      if (!line.startsWith("{")) return unreadable(line);
      try {
        return read(JSON.parse(line));
      } catch {
        return unreadable(line);
      }
    },
    end: () => [
      ...finish(),
      ...(unread > linesWithNote ? [{ kind: "note" as const, text: `${unread} lines could not be read` }] : []),
    ],
  };
}

/** Tokens an agent claims. More is no claim: no sum of them must leave the whole numbers. */
export const claimedTokens = z.number().int().nonnegative().max(1e10);
/** US dollars an agent claims. */
export const claimedCost = z.number().nonnegative().max(1e6);

/** What a value is by a schema, or undefined where it is something else. */
export function as<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
}
