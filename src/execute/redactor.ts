import { hide, type Secret, writtenForms } from "../model/secret.js";

/** Removes secrets from bytes that arrive in pieces, also where a piece ends in the middle of one. */
export interface Redactor {
  /** What can be let out so far. The rest, at most one secret's length, waits for the next piece. */
  push(chunk: Uint8Array): Buffer;
  /** Nothing follows: lets out what waited. */
  flush(): Buffer;
  /** Instead of flush where the following bytes are lost: what waited may be the first half of a secret. */
  discard(): number;
}

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const values = secrets.flatMap(byteForms);
  let waiting = "";
  return {
    push(chunk) {
      const text = hide(waiting + toText(chunk), values);
      const keep = overlap(text, values);
      waiting = text.slice(text.length - keep);
      return toBytes(text.slice(0, text.length - keep));
    },
    flush() {
      const rest = toBytes(waiting);
      waiting = "";
      return rest;
    },
    discard() {
      const { length } = waiting;
      waiting = "";
      return length;
    },
  };
}

/** How many bytes at the start of a chunk may be the second half of a secret whose first half is lost. */
export function leftOver(chunk: Uint8Array, secrets: readonly Secret[]): number {
  const mirrored = secrets.flatMap(byteForms).map(mirror);
  const longest = Math.max(0, ...mirrored.map((value) => value.length));
  return overlap(mirror(toText(chunk.subarray(0, longest))), mirrored);
}

/** Length of the longest end of the text that is a beginning, and not the whole, of one of the values. */
function overlap(text: string, values: readonly string[]): number {
  let longest = 0;
  for (const value of values) {
    for (let length = Math.min(value.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(value.slice(0, length))) longest = length;
    }
  }
  return longest;
}

/** Latin-1 gives every byte one character, so that binary output passes unharmed. */
function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** What must not be seen, as `toText` makes it of bytes. */
function byteForms(secret: Secret): string[] {
  return writtenForms(secret).map((form) => toText(Buffer.from(form, "utf8")));
}

function mirror(text: string): string {
  return [...text].reverse().join("");
}
