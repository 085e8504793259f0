/** What became of a line: its text, or that it was too long to be kept. */
export type Line = { text: string } | { tooLong: number };

/** Cuts bytes that come in pieces into lines. Of a line longer than the limit nothing but its length is kept. */
export class LineSplitter {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The lines that a piece completes. The piece may be reused by the caller afterwards. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** What is left without an end of line, if anything is. */
  end(): Line[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#limitBytes) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }

  #take(): Line {
    const line = this.#length > this.#limitBytes ? { tooLong: this.#length } : { text: joined(this.#parts) };
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

/** Decoded as a whole: a character may lie in two pieces. */
function joined(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString("utf8");
}
