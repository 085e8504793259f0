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
  const result = new Result(new BaseLines(base), crlf);
  let [at, moved] = [0, 0];
  for (const hunk of hunksOf(body, crlf)) {
    const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
    const named = (old.length === 0 ? hunk.oldStart : Math.max(hunk.oldStart, 1) - 1) + moved;
    const place = result.base.find(old, named, at);
    if (place === undefined) return { line: hunk.oldStart };
    moved += place - named;
    at = result.add(hunk, place);
  }
  return { text: result.finish() };
}

/** What comes out, as long pieces of base with the new lines between them. */
class Result {
  readonly base: BaseLines;
  /** For a patch whose line ends were changed on its way and say nothing of those of the file. */
  readonly #end: string | undefined;
  readonly #pieces: string[] = [];
  /** Up to where base is taken or left out. */
  #taken = 0;

  constructor(base: BaseLines, crlf: boolean) {
    this.base = base;
    this.#end = crlf && base.line(0).endsWith("\r\n") ? "\r\n" : undefined;
  }

  /** Context stays as base has it, where it may end in other blanks. Returns the line of base behind the hunk. */
  add({ lines }: Hunk, place: number): number {
    let at = place;
    for (const { sign, text } of lines) {
      if (sign !== " ") this.#take(this.base.startOf(at));
      if (sign === "+") this.#push(this.#end === undefined ? text : text.replace(/\r?\n$/, this.#end));
      else at += 1;
      if (sign === "-") this.#taken = this.base.startOf(at);
    }
    return at;
  }

  finish(): string {
    this.#take(this.base.text.length);
    return this.#pieces.join("");
  }

  #take(end: number): void {
    if (end > this.#taken) this.#push(this.base.text.slice(this.#taken, end));
    this.#taken = end;
  }

  /** A line that was the last one may have had no newline. */
  #push(piece: string): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && !last.endsWith("\n")) this.#pieces.push("\n");
    this.#pieces.push(piece);
  }
}
