/** A place in a text that goes on line by line and copies nothing: a patch may be of any length, and so may its lines. */
export class LineReader {
  readonly text: string;
  /** Where the line begins. */
  at = 0;
  /** Just behind the line and its newline. */
  next: number;

  constructor(text: string) {
    this.text = text;
    this.next = this.#endFrom(0);
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  starts(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** The line without its end, which may be of two characters. */
  line(): string {
    const { next } = this;
    const end = next > this.at && this.text[next - 1] === "\n" ? next - 1 : next;
    return this.text.slice(this.at, end > this.at && this.text[end - 1] === "\r" ? end - 1 : end);
  }

  skip(): void {
    this.at = this.next;
    this.next = this.#endFrom(this.at);
  }

  #endFrom(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end + 1;
  }
}

/** Where each line begins, and where the last one ends. */
export function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
    starts.push(at);
  }
  return starts;
}
