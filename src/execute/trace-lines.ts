/** What became of a line: its text, or that it was too long to be kept. */
export type Line = { text: string } | { tooLong: number };

const smallestBytes = 64 * 1024;

/** Cuts bytes that come in pieces into lines. Of a line longer than the limit nothing but its length is kept. */
export class LineSplitter {
  readonly #limitBytes: number;
  /** One that grows, not a list of pieces: a line may come byte by byte. */
  #line = Buffer.allocUnsafe(smallestBytes);
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
    const length = this.#length + bytes.length;
    if (length <= this.#limitBytes) {
      if (length > this.#line.length) this.#grow(length);
      this.#line.set(bytes, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#line.length));
    larger.set(this.#line.subarray(0, this.#length));
    this.#line = larger;
  }

  /** Decoded as a whole: a character may lie in two pieces. */
  #take(): Line {
    const length = this.#length;
    this.#length = 0;
    if (length > this.#limitBytes) return { tooLong: length };
    return { text: this.#line.toString("utf8", 0, length) };
  }
}
