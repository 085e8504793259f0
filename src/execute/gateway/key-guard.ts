const shown = Buffer.from("***");

/**
 * Takes a key out of bytes that pass by, also where it comes in pieces. `createRedactor` finds it in other forms, too, but
 * holds back what could become one, a letter at the end of nearly every chunk: a stream must pass as it comes.
 */
export interface KeyGuard {
  push(chunk: Buffer): Buffer;
  /** Nothing follows: what waited. */
  end(): Buffer;
}

export function guardKey(key: string): KeyGuard {
  const secret = Buffer.from(key);
  let waiting: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      let bytes = waiting.length > 0 ? Buffer.concat([waiting, chunk]) : chunk;
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret)) {
        bytes = Buffer.concat([bytes.subarray(0, at), shown, bytes.subarray(at + secret.length)]);
      }
      const keep = beginningAtEnd(bytes, secret);
      waiting = bytes.subarray(bytes.length - keep);
      return bytes.subarray(0, bytes.length - keep);
    },
    end: () => waiting,
  };
}

/** How many bytes at the end may be the beginning of the secret. */
function beginningAtEnd(bytes: Buffer, secret: Buffer): number {
  for (let length = Math.min(secret.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(secret.subarray(0, length))) return length;
  }
  return 0;
}
