import { stripVTControlCharacters } from "node:util";
import { readPlainFile } from "../clients/files.js";
import { redact, type Secret } from "../model/secret.js";

export const tailLines = 20;
const tailBytes = 4 * 1024;
/** Characters looked at for it: colours and progress bars take many for each that is seen. */
const readLength = 256 * 1024;

/**
 * The last lines of a log, at most 4 KiB, fit to be shown: no escape sequences, no control characters, no secrets.
 * Redacted once more although the log was, because a colour code inside a secret had hidden it there.
 */
export async function tailOf(path: string, secrets: readonly Secret[], lines = tailLines): Promise<string> {
  const log = (await readPlainFile(path, path)) ?? "";
  const text = redact(plainText(log.slice(-readLength)), secrets).trimEnd();
  return lastBytes(text.split("\n").slice(-lines).join("\n"), tailBytes);
}

/** As a terminal would leave it, without anything that moves, colours, overwrites or reorders text. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => lastOverwrite(line).replace(unseen, ""))
    .join("\n");
}

/** Control characters but the tab, and the marks that turn the direction of text. */
const unseen = /(?!\t)\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Progress bars return to the start of their line: what was written last is what one sees. */
function lastOverwrite(line: string): string {
  const written = line.split("\r").filter((part) => part !== "");
  return written.at(-1) ?? "";
}

function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limit) return text;
  // A character cut in half at the front would become a replacement character.
  let from = bytes.length - limit;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from).toString("utf8");
}
