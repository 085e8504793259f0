import type { Automaton } from "./automaton.js";

/** Bytes that do not count, in a row, after which what was begun is given up: so much can wait at most for each byte. */
export const longestGap = 64;
const escapeByte = 0x1b;

/** A place in a text, counted from its very beginning: from, and up to but without. */
export type Span = [from: number, to: number];

/**
 * Reads a text that comes in pieces and says where words are, and from where on a word may have begun that has not ended.
 * A terminal's escape sequence inside a word is passed over: the word goes on behind it.
 */
export class Scan {
  readonly #automaton: Automaton;
  /** Where the last bytes that count stood. */
  readonly #places: Float64Array;
  #state = 0;
  #kept = 0;
  #last = 0;
  /** An escape sequence that has begun, and what was known before it. */
  #sequence: { from: number; state: number; kept: number; text: string } | undefined;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
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
      if (byte === escapeByte) this.#sequence = { from: start + at, state, kept, text: "" };
      else if (this.#sequence) {
        const before = this.#within(byte, start + at);
        if (before && this.#depth(before.state) > this.#depth(state)) {
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
