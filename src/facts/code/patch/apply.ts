import { type Body, type Hunk, hunksOf } from "./hunks.js";
import { BaseLines } from "./search.js";

/** The text a change gives, or the line of the old file at which it does not fit. */
export type Applied = { text: string } | { line: number };

/**
 * Applies the hunks of one file. A hunk may stand elsewhere than its head says when its lines are found once near by; its
 * context is never ignored in part. Linear in text and hunks, whatever they hold.
 * @param base the text before; empty for a file that was not there
 */
export function applyHunks({ body, crlf }: { body: Body; crlf: boolean }, base: string): Applied {
  if (body.broken !== null) return { line: body.broken };
  const source = new BaseLines(base);
  // A patch whose line ends were changed on its way says nothing of those of the file.
  const end = crlf && source.lines[0]?.endsWith("\r\n") ? "\r\n" : undefined;
  const result: string[] = [];
  let [at, moved] = [0, 0];
  for (const hunk of hunksOf(body, crlf)) {
    const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
    const named = (old.length === 0 ? hunk.oldStart : Math.max(hunk.oldStart, 1) - 1) + moved;
    const place = source.find(old, named, at);
    if (place === undefined) return { line: hunk.oldStart };
    moved += place - named;
    for (; at < place; at++) add(result, source.lines[at]);
    at = addHunk(result, hunk, { source, at, end });
  }
  for (; at < source.lines.length; at++) add(result, source.lines[at]);
  return { text: result.join("") };
}

interface From {
  source: BaseLines;
  at: number;
  end: string | undefined;
}

/** Context is taken from base, where it may end in other blanks; where base goes on is returned. */
function addHunk(result: string[], { lines }: Hunk, { source, at: start, end }: From): number {
  let at = start;
  for (const { sign, text } of lines) {
    if (sign === "+") add(result, end === undefined ? text : text.replace(/\r?\n$/, end));
    else {
      if (sign === " ") add(result, source.lines[at]);
      at += 1;
    }
  }
  return at;
}

/** A line that was the last one may have had no newline. */
function add(result: string[], line: string | undefined): void {
  const before = result.at(-1);
  if (before !== undefined && !before.endsWith("\n")) result[result.length - 1] = `${before}\n`;
  if (line !== undefined) result.push(line);
}
