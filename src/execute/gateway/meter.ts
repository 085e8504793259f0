import { nothingCounted } from "./counted.js";
import type { Dialect, Tally } from "./dialect.js";

/** Reads what an answer says of its cost while it passes by. */
export interface Meter {
  push(chunk: Buffer): void;
  /** What was read, once the answer has ended, whole or cut. */
  end(): Tally;
}

/** A line of a stream, or an answer that is no stream, is not read beyond this: whole answers are smaller. */
const longestBytes = 32 * 1024 * 1024;
const newline = 0x0a;

/** Where no event says anything of cost: Gemini calls it `usageMetadata`, all others `usage`. */
const word = Buffer.from('"usage');

/** The meter of an answer in JSON, or of a stream of server-sent events. */
export function meterOf(dialect: Dialect, { stream }: { stream: boolean }): Meter {
  let tally: Tally = { counted: nothingCounted, complete: false };
  const take = (text: Buffer) => {
    const message = parsed(text);
    if (message !== undefined) tally = dialect.read(message, tally);
  };
  const pieces = stream ? lines((line) => takeEvent(line, take)) : lines(take, { whole: true });
  return {
    push: pieces.push,
    end() {
      pieces.end();
      return tally;
    },
  };
}

/** `data: {…}`, the one field of an event that makers use. */
function takeEvent(line: Buffer, take: (text: Buffer) => void): void {
  if (line.subarray(0, 5).toString("latin1") === "data:" && line.includes(word)) take(line.subarray(5));
}

/** Puts chunks together to lines, or to one text. What grows too long is passed over. */
function lines(onLine: (line: Buffer) => void, { whole = false } = {}): { push(chunk: Buffer): void; end(): void } {
  let waiting: Buffer[] = [];
  let length = 0;
  const flush = () => {
    if (length > 0 && length <= longestBytes) onLine(Buffer.concat(waiting));
    waiting = [];
    length = 0;
  };
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length > longestBytes) waiting = [];
    else if (piece.length > 0) waiting.push(piece);
  };
  return {
    push(chunk) {
      if (whole) return keep(chunk);
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, at));
        flush();
        from = at + 1;
      }
      keep(chunk.subarray(from));
    },
    end: flush,
  };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return undefined; // Cut, or no JSON: it says nothing.
  }
}
