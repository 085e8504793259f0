import { LineReader } from "./lines.js";

export interface HunkLine {
  sign: " " | "-" | "+";
  /** With its newline, without one where the file ends so. */
  text: string;
}

export interface Hunk {
  /** First line in the old file, from 1; with no old lines, the line after which it inserts. */
  oldStart: number;
  /** The same in the new file. */
  newStart: number;
  /** What stands behind the second `@@`: the nearest line above that looks like a definition, which git cuts at 80 bytes. */
  heading: string;
  lines: HunkLine[];
}

/** The hunks of one file, not taken apart yet. */
export interface Body {
  text: string;
  added: number;
  deleted: number;
  /** The line of the old file at which it ends too early or goes on too long; null where it is whole. */
  broken: number | null;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Longer than any head: what follows the second `@@` is a line of the file and may be of any length. */
const longestHead = 200;

interface Head extends Pick<Hunk, "heading"> {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

function headAt(reader: LineReader): Head | undefined {
  const line = reader.text.slice(reader.at, Math.min(reader.next, reader.at + longestHead));
  const found = head.exec(line);
  if (found === null) return undefined;
  const [, oldStart, oldCount = 1, newStart, newCount = 1] = found;
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
    heading: line.slice(found[0].length).trim(),
  };
}

/**
 * Goes over the hunks that begin here and counts their lines. They are counted off by their heads, so that content which
 * looks like a header stays content.
 */
export function skipHunks(reader: LineReader): Body {
  const from = reader.at;
  const body: Body = { text: "", added: 0, deleted: 0, broken: null };
  while (body.broken === null && reader.starts("@@ ")) {
    const found = headAt(reader);
    const ended = found !== undefined && skipOne(reader, found, body);
    if (!ended || continues(reader)) body.broken = Math.max(found?.oldStart ?? 1, 1);
  }
  body.text = reader.text.slice(from, reader.at);
  return body;
}

/** False where the hunk ends before all its lines have come. */
function skipOne(reader: LineReader, { oldCount, newCount }: Head, body: Body): boolean {
  let [old, now] = [oldCount, newCount];
  for (reader.skip(); old > 0 || now > 0; reader.skip()) {
    const sign = signAt(reader);
    if (sign === undefined) return false;
    if (sign === "\\") continue;
    if (sign !== "+") old -= 1;
    if (sign !== "-") now -= 1;
    if (old < 0 || now < 0) return false;
    // Like git: a patch that ends within a line is cut off, and who knows what stood behind.
    if (reader.text[reader.next - 1] !== "\n") return false;
    if (sign === "+") body.added += 1;
    if (sign === "-") body.deleted += 1;
  }
  while (!reader.done && reader.starts("\\")) reader.skip();
  return true;
}

/** Mail programs and editors drop the blank of an empty context line. */
function signAt(reader: LineReader): HunkLine["sign"] | "\\" | undefined {
  if (reader.done) return undefined;
  const sign = reader.text[reader.at];
  if (sign === " " || sign === "-" || sign === "+" || sign === "\\") return sign;
  return sign === "\n" || reader.starts("\r\n") ? " " : undefined;
}

/** True where more lines follow than the head promised; `-- ` begins the signature of a mail, `--- ` the next file. */
function continues(reader: LineReader): boolean {
  if (reader.starts("+") || reader.starts(" ")) return true;
  return reader.starts("-") && !reader.starts("-- ") && !reader.starts("--- ");
}

/**
 * Takes a body apart, one hunk after the other.
 * @param crlf the patch as a whole has line ends of two characters, which are none of the file's
 */
export function* hunksOf({ text }: Pick<Body, "text">, crlf: boolean): Generator<Hunk> {
  const reader = new LineReader(text);
  for (let found = headAt(reader); found !== undefined; found = headAt(reader)) yield readOne(reader, found, crlf);
}

function readOne(reader: LineReader, { oldCount, newCount, ...named }: Head, crlf: boolean): Hunk {
  const lines: HunkLine[] = [];
  let [old, now] = [oldCount, newCount];
  for (reader.skip(); ; reader.skip()) {
    const sign = signAt(reader);
    if (sign === "\\") unend(lines);
    else if (sign === undefined || (old <= 0 && now <= 0)) break;
    else {
      if (sign !== "+") old -= 1;
      if (sign !== "-") now -= 1;
      lines.push({ sign, text: contentAt(reader, crlf) });
    }
  }
  return { ...named, lines };
}

function contentAt(reader: LineReader, crlf: boolean): string {
  const { text, at, next } = reader;
  const begin = text[at] === "\n" || text[at] === "\r" ? at : at + 1;
  const whole = text[next - 1] === "\n";
  if (whole && !crlf) return text.slice(begin, next);
  const end = whole ? next - 1 : next;
  return `${text.slice(begin, crlf && text[end - 1] === "\r" ? end - 1 : end)}\n`;
}

/** `\ No newline at end of file`, in whatever language. */
function unend(lines: HunkLine[]): void {
  const last = lines.at(-1);
  if (last?.text.endsWith("\n")) last.text = last.text.slice(0, -1);
}
