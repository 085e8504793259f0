import { splitLines } from "./lines.js";

/** Lines a hunk may stand before or after the place its head names. */
const reach = 2_000;
/** Searches in one file: each costs as much as the reach, and those that follow a moved hunk mostly need none. */
const mostSearches = 1_000;

/** The lines of a base text, and where others stand among them. */
export class BaseLines {
  readonly lines: readonly string[];
  readonly #exact = new Numbered((line) => line);
  readonly #loose = new Numbered(withoutTrailingBlanks);
  #searches = 0;

  constructor(text: string) {
    this.lines = splitLines(text);
  }

  /**
   * Where `wanted` stands: at `at`, or at the only place near it that is not before `from`. Lines are the same where they
   * are equal, and if that leads nowhere, where they are equal but for blanks at their ends.
   */
  find(wanted: readonly string[], at: number, from: number): number | undefined {
    for (const numbered of [this.#exact, this.#loose]) {
      const found = this.#findBy(numbered, wanted, at, from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findBy(numbered: Numbered, wanted: readonly string[], at: number, from: number): number | undefined {
    const { lines } = this;
    const fits = at >= from && at + wanted.length <= lines.length;
    if (fits && wanted.every((line, k) => numbered.same(lines[at + k], line))) return at;
    if (wanted.length === 0) return undefined;
    const pattern = numbered.numbersOf(lines, wanted);
    if (pattern === undefined || this.#searches >= mostSearches) return undefined;
    this.#searches += 1;
    const [first, last] = [Math.max(from, at - reach), Math.min(lines.length, at + reach + wanted.length)];
    const places = occurrences(numbered.of(lines).subarray(first, last), pattern);
    return places.length === 1 && places[0] !== undefined ? first + places[0] : undefined;
  }
}

/** Blanks before the newline; whether there is one always counts. */
function withoutTrailingBlanks(line: string): string {
  const end = line.endsWith("\n") ? "\n" : "";
  return `${line.trimEnd()}${end}`;
}

/** Lines as numbers, equal ones by equal numbers: comparing a long line costs its length but once. */
class Numbered {
  readonly #form: (line: string) => string;
  readonly #numbers = new Map<string, number>();
  #base: Int32Array | undefined;

  constructor(form: (line: string) => string) {
    this.#form = form;
  }

  same(one: string | undefined, other: string): boolean {
    return one !== undefined && (one === other || this.#form(one) === this.#form(other));
  }

  of(lines: readonly string[]): Int32Array {
    this.#base ??= Int32Array.from(lines, (line) => {
      const form = this.#form(line);
      const number = this.#numbers.get(form) ?? this.#numbers.size;
      this.#numbers.set(form, number);
      return number;
    });
    return this.#base;
  }

  /** Undefined where one of them stands nowhere in base. */
  numbersOf(lines: readonly string[], wanted: readonly string[]): number[] | undefined {
    this.of(lines);
    const numbers: number[] = [];
    for (const line of wanted) {
      const number = this.#numbers.get(this.#form(line));
      if (number === undefined) return undefined;
      numbers.push(number);
    }
    return numbers;
  }
}

/** Where a pattern begins, at most twice: more than one is too many. Linear (Knuth, Morris and Pratt 1977). */
function occurrences(text: Int32Array, pattern: readonly number[]): number[] {
  const borders = bordersOf(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && found.length < 2; at++) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === pattern[matched]) matched += 1;
    if (matched < pattern.length) continue;
    found.push(at - pattern.length + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** For each beginning of the pattern, the length of the longest end of it that is a beginning, too. */
function bordersOf(pattern: readonly number[]): number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
