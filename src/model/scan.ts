import type { Automaton } from "./automaton.js";

/** Bytes that do not count, in a row, after which what was begun is given up: so much can wait at most for each byte. */
export const longestGap = 64;
/** A place in a text, counted from its very beginning: from, and up to but without. */
export type Span = [from: number, to: number];

/** What a terminal's escape sequences begin with. */
export const escapeByte = 0x1b;

/**
 * Reads a text that comes in pieces and says where words are, and from where on a word may have begun that has not ended.
 * Of a text with escape sequences of a terminal two are needed: one that takes them for text like any other, as a word may
 * begin in what looks like one, and one that passes over them, so that a word goes on behind.
 */
export class Scan {
  readonly #automaton: Automaton;
  readonly #passesOver: boolean;
  /** Where the last bytes that count stood. */
  readonly #places: Float64Array;
  #state = 0;
  #kept = 0;
  #last = 0;
  /** An escape sequence that has begun, and what was known before it. */
  #sequence: { from: number; state: number; kept: number; text: string } | undefined;

  constructor(automaton: Automaton, passesOver = false) {
    this.#automaton = automaton;
    this.#passesOver = passesOver;
    this.#places = new Float64Array(2 ** Math.ceil(Math.log2(automaton.longest + 2 * longestGap)));
  }

  /**
   * @param start where the bytes stand in the whole text
   * @returns from where on what was read may be the beginning of a word
   */
  read(bytes: Uint8Array, start: number, onFound: (span: Span) => void): number {
    const { columns, next, ends, shift } = this.#automaton;
    const places = this.#places;
    const mask = places.length - 1;
    const passesOver = this.#passesOver;
    let state = this.#state;
    let kept = this.#kept;
    let last = this.#last;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const column = columns[byte] as number;
      if (column !== 0) {
        const place = start + at;
        if (place - last > longestGap) state = 0;
        last = place;
        places[kept++ & mask] = place;
        state = next[state + column] as number;
        const length = ends[state >> shift] as number;
        if (length > 0) onFound([places[(kept - length) & mask] as number, place + 1]);
      }
      if (!passesOver) continue;
      if (byte === escapeByte) this.#sequence = { from: start + at, state, kept, text: "" };
      else if (this.#sequence) {
        const before = this.#within(byte, start + at);
        if (before) {
          ({ state, kept } = before);
          last = start + at;
        }
      }
    }
    const end = start + bytes.length;
    this.#state = end - last > longestGap ? 0 : state;
    this.#kept = kept;
    this.#last = last;
    return Math.min(
      end,
      this.#begun(this.#state, kept),
      this.#begun(this.#sequence?.state ?? 0, this.#sequence?.kept ?? 0),
    );
  }

  /** One that goes on from here and passes over escape sequences. */
  passingOver(): Scan {
    const other = new Scan(this.#automaton, true);
    other.#places.set(this.#places);
    other.#state = this.#state;
    other.#kept = this.#kept;
    other.#last = this.#last;
    return other;
  }

  /** True where another one will find the same from here on. */
  equals(other: Scan): boolean {
    return this.#state === other.#state && !this.#sequence && !other.#sequence && this.#depth(this.#state) === 0;
  }

  /** Where the word began that is being read; past every end where there is none. */
  #begun(state: number, kept: number): number {
    const depth = this.#depth(state);
    return depth === 0
      ? Number.POSITIVE_INFINITY
      : (this.#places[(kept - depth) & (this.#places.length - 1)] as number);
  }

  #depth(state: number): number {
    return this.#automaton.depths[state >> this.#automaton.shift] as number;
  }

  /** One more byte of an escape sequence; what was known before it, once it has ended (ECMA-48, 5.4). */
  #within(byte: number, place: number): { state: number; kept: number } | undefined {
    const sequence = this.#sequence;
    if (!sequence) return undefined;
    sequence.text += String.fromCharCode(byte);
    const goesOn = /^(?:\[[ -?]*|[ -/]+)$/.test(sequence.text);
    if (goesOn && place - sequence.from < longestGap) return undefined;
    this.#sequence = undefined;
    return goesOn || !/^(?:\[[ -?]*[@-~]|[ -/]*[0-Z\\^-~])$/.test(sequence.text) ? undefined : sequence;
  }
}
