import { type Automaton, buildAutomaton } from "./automaton.js";
import { writtenForms } from "./forms.js";
import { escapeByte, longestGap, Scan, type Span } from "./scan.js";
import type { Secret } from "./secret.js";

/** Removes secrets from bytes that arrive in pieces, also where a piece ends in the middle of one. */
export interface Redactor {
  /** What can be let out so far; may share memory with the piece. The rest, at most one secret's length, waits for the next. */
  push(chunk: Uint8Array): Buffer;
  /** Nothing follows: lets out what waited. */
  flush(): Buffer;
  /** Instead of flush where the following bytes are lost: what waited may be the first half of a secret. */
  discard(): number;
  /** How many secrets there were so far. */
  found(): number;
}

/** `replace`: three stars for each; `mask`: a star for each letter and digit, so that no line and no length changes. */
export type Style = "replace" | "mask";

/** Shorter ones are hidden as they are only: what a text happens to hold between its words spells them out. */
const shortestSplit = 10;
/** Fewer bytes are in every text. */
const shortest = 4;

/**
 * Of what a secret can be written in, letters and digits count and nothing else: between them may stand line ends, blanks,
 * quotes, signs, NUL, escape sequences of a terminal, up to 64 bytes in a row. So base64 is found however it is wrapped, and
 * a secret that is printed letter by letter. Forms of fewer than ten letters and digits are found as they are only.
 */
export function createRedactor(secrets: readonly Secret[], style: Style = "replace"): Redactor {
  const passes = automataFor(secrets).map(({ forwards }) => createPass(forwards, style));
  const through = (bytes: Buffer, from = 0) => passes.slice(from).reduce((rest, pass) => pass.push(rest), bytes);
  return {
    push: (chunk) => through(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
    flush: () => Buffer.concat(passes.map((pass, at) => through(pass.flush(), at + 1))),
    discard: () => passes.reduce((sum, pass) => sum + pass.discard(), 0),
    found: () => passes.reduce((sum, pass) => sum + pass.found(), 0),
  };
}

/** How many bytes at the start of a chunk may be the second half of a secret whose first half is lost. */
export function leftOver(chunk: Uint8Array, secrets: readonly Secret[]): number {
  const cuts = automataFor(secrets).map(({ backwards }) => {
    const mirrored = Uint8Array.from(chunk.subarray(0, backwards.longest * longestGap)).reverse();
    return mirrored.length - new Scan(backwards).read(mirrored, 0, () => undefined);
  });
  return Math.max(0, ...cuts);
}

function createPass(automaton: Automaton, style: Style): Redactor {
  let scan = new Scan(automaton);
  /** Needed from an escape sequence on, until both know the same again. */
  let passingOver: Scan | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  let start = 0;
  let count = 0;
  let spans: Span[] = [];
  const read = (chunk: Buffer): number => {
    const add = (span: Span): void => void spans.push(span);
    const at = start + waiting.length;
    const hasSequence = chunk.includes(escapeByte);
    if (hasSequence) passingOver ??= scan.passingOver();
    const begun = Math.min(scan.read(chunk, at, add), passingOver?.read(chunk, at, add) ?? Number.POSITIVE_INFINITY);
    if (!hasSequence && passingOver?.equals(scan)) passingOver = undefined;
    return begun;
  };
  const letOut = (bytes: Buffer, upTo: number): Buffer => {
    const merged = mergeSpans(spans);
    const crossing = merged.find(([, to]) => to > upTo);
    const end = crossing ? Math.min(crossing[0], upTo) : upTo;
    const done = merged.filter(([, to]) => to <= end);
    const out = hidden(bytes.subarray(0, end - start), { spans: done, start, style });
    count += done.length;
    spans = merged.filter(([, to]) => to > end);
    waiting = end - start === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end - start));
    start = end;
    return out;
  };
  const reset = (): void => {
    scan = new Scan(automaton);
    passingOver = undefined;
  };
  return {
    push(chunk) {
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const begun = read(piece);
      return letOut(waiting.length === 0 ? piece : Buffer.concat([waiting, piece]), begun);
    },
    flush() {
      reset();
      return letOut(waiting, start + waiting.length);
    },
    discard() {
      const { length } = waiting;
      waiting = Buffer.alloc(0);
      start += length;
      spans = [];
      reset();
      return length;
    },
    found: () => count,
  };
}

/** In order, those that overlap as one. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const [from, to] of [...spans].sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function hidden(bytes: Buffer, { spans, start, style }: { spans: Span[]; start: number; style: Style }): Buffer {
  if (spans.length === 0) return bytes;
  const parts: Buffer[] = [];
  let done = 0;
  for (const [from, to] of spans) {
    const found = bytes.subarray(from - start, to - start);
    parts.push(bytes.subarray(done, from - start), style === "mask" ? (found.map(star) as Buffer) : Buffer.from("***"));
    done = to - start;
  }
  return Buffer.concat([...parts, bytes.subarray(done)]);
}

function star(byte: number): number {
  return isLetterOrDigit(byte) || byte >= 0x80 ? 0x2a : byte;
}

interface Automata {
  forwards: Automaton;
  /** For the same words read from their ends. */
  backwards: Automaton;
}

/** The last few lists of secrets: every program's output and every event of a trace asks for the same ones. */
const built: { secrets: readonly Secret[]; automata: Automata[] }[] = [];
const mostBuilt = 8;

function automataFor(secrets: readonly Secret[]): Automata[] {
  const before = built.find((each) => equal(each.secrets, secrets));
  if (before) return before.automata;
  const forms = [...new Set(secrets.flatMap(writtenForms))].map((form) => Buffer.from(form, "utf8"));
  const split = forms.filter(canBeSplit).map((form) => form.filter(isLetterOrDigit));
  const whole = forms.filter((form) => !canBeSplit(form) && form.length >= shortest);
  const automata = [
    ...(split.length === 0 ? [] : [bothWays(split, isLetterOrDigit)]),
    ...(whole.length === 0 ? [] : [bothWays(whole, () => true)]),
  ];
  built.unshift({ secrets: [...secrets], automata });
  built.length = Math.min(built.length, mostBuilt);
  return automata;
}

function bothWays(words: readonly Uint8Array[], counts: (byte: number) => boolean): Automata {
  const backwards = words.map((word) => Uint8Array.from(word).reverse());
  return { forwards: buildAutomaton(words, counts), backwards: buildAutomaton(backwards, counts) };
}

function equal(some: readonly Secret[], others: readonly Secret[]): boolean {
  return some.length === others.length && some.every((secret, at) => secret === others[at]);
}

function canBeSplit(form: Uint8Array): boolean {
  const runs = Buffer.from(form)
    .toString("latin1")
    .split(/[0-9A-Za-z]+/);
  const ordinary = !form.includes(0x1b) && runs.every((run) => run.length < longestGap);
  return ordinary && form.filter(isLetterOrDigit).length >= shortestSplit;
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
