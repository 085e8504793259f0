/**
 * A path as git and the file system have it: bytes, one character each. Decoded as UTF-8, names that are none would
 * become names that do not exist.
 */
export type BytePath = string;

export function toBytes(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

export function fromBytes(bytes: Uint8Array): BytePath {
  return Buffer.from(bytes).toString("latin1");
}

export function fromText(text: string): BytePath {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** For people and for JSON: bytes that are no UTF-8 become U+FFFD. */
export function toText(path: BytePath): string {
  return toBytes(path).toString("utf8");
}

/** For messages: quoted, so that a newline in a name cannot forge a line. */
export function shown(path: BytePath): string {
  return JSON.stringify(toText(path));
}

/** Splits what git wrote with `-z`. */
export function splitBytes(stdout: Uint8Array): BytePath[] {
  return fromBytes(stdout)
    .split("\0")
    .filter((part) => part !== "");
}

/** Input for git's `-z --stdin`. */
export function joinBytes(paths: readonly BytePath[]): Buffer {
  return toBytes(paths.map((path) => `${path}\0`).join(""));
}
