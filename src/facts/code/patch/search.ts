import { startsOf } from "./lines.js";

/** Lines a hunk may stand before or after the place its head names. */
const reach = 2_000;
/** Searches in one file: each costs as much as the reach, and those that follow a moved hunk mostly need none. */
const mostSearches = 1_000;

/** The lines of a base text, and where others stand among them. Lines are cut out only where somebody must look at them. */
export class BaseLines {
  readonly text: string;
  /** Where each line begins, and where the text ends. */
  readonly starts: readonly number[];
  readonly #exact = new Numbered((line) => line);
  readonly #loose = new Numbered(withoutTrailingBlanks);
  #searches = 0;

  constructor(text: string) {
    this.text = text;
    this.starts = startsOf(text);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  startOf(line: number): number {
    return this.starts[line] ?? this.text.length;
  }

  line(at: number): string {
    return this.text.slice(this.startOf(at), this.startOf(at + 1));
  }

  /**
   * Where `wanted` stands: at `at`, or at the only place near it that is not before `from`. Lines are the same where they
   * are equal, and if that leads nowhere, where they are equal but for blanks at their ends.
   */
  find(wanted: readonly string[], at: number, from: number): number | undefined {
    const fits = at >= from && at + wanted.length <= this.count;
    if (fits && wanted.every((line, k) => this.#isAt(at + k, line))) return at;
    if (wanted.length === 0) return undefined;
    const near = this.#findNear(this.#exact, wanted, { at, from });
    if (near !== undefined) return near;
    const loosely = (line: string, k: number) =>
      withoutTrailingBlanks(this.line(at + k)) === withoutTrailingBlanks(line);
    if (fits && wanted.every(loosely)) return at;
    return this.#findNear(this.#loose, wanted, { at, from });
  }

  #isAt(at: number, line: string): boolean {
    const start = this.startOf(at);
    return this.startOf(at + 1) - start === line.length && this.text.startsWith(line, start);
  }

  #findNear(
    numbered: Numbered,
    wanted: readonly string[],
    { at, from }: { at: number; from: number },
  ): number | undefined {
    const pattern = numbered.numbersOf(this, wanted);
    if (pattern === undefined || this.#searches >= mostSearches) return undefined;
    this.#searches += 1;
    const [first, last] = [Math.max(from, at - reach), Math.min(this.count, at + reach + wanted.length)];
    const places = occurrences(numbered.of(this).subarray(first, Math.max(first, last)), pattern);
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

  of(base: BaseLines): Int32Array {
    this.#base ??= Int32Array.from({ length: base.count }, (_, at) => {
      const form = this.#form(base.line(at));
      const number = this.#numbers.get(form) ?? this.#numbers.size;
      this.#numbers.set(form, number);
      return number;
    });
    return this.#base;
  }

  /** Undefined where one of them stands nowhere in base. */
  numbersOf(base: BaseLines, wanted: readonly string[]): number[] | undefined {
    this.of(base);
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
