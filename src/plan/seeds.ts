import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { globSync } from "tinyglobby";
import { badInput, messageOf } from "../model/error.js";
import type { SeedFile } from "../model/experiment.js";

/**
 * Reads seed files in the order they are named, those of one pattern by code point. A name or pattern is looked for in
 * each folder in turn.
 * @throws MultirunError `bad_input` where nothing fits, or a file cannot be read or is not UTF-8
 */
export function readSeeds(patterns: readonly string[], folders: readonly string[]): SeedFile[] {
  return patterns.flatMap((pattern) => {
    const found = folders.map((folder) => expand(pattern, folder)).find((paths) => paths.length > 0);
    if (!found) {
      throw badInput(
        `seed: "${pattern}" matches no file in ${[...new Set(folders)].join(" or ")}`,
        "Name SQL files relative to the repo.",
      );
    }
    return found.map((path) => readSeed(pattern, path));
  });
}

function expand(pattern: string, folder: string): string[] {
  const literal = resolve(folder, pattern);
  if (existsSync(literal)) return [literal];
  const paths = globSync(pattern, { cwd: folder, absolute: true, onlyFiles: true, expandDirectories: false });
  return paths.sort((a, b) => (a < b ? -1 : 1));
}

function readSeed(pattern: string, path: string): SeedFile {
  const bytes = readBytes(pattern, path);
  const sql = decode(bytes);
  if (sql !== undefined) return { path, sha256: createHash("sha256").update(bytes).digest("hex"), sql };
  const offset = firstWrong(bytes);
  const line = bytes.subarray(0, offset).filter((byte) => byte === 0x0a).length + 1;
  throw badInput(
    `seed: ${path} is not UTF-8 at byte ${offset} (line ${line})`,
    "Save it as UTF-8; pg_dump writes that with --encoding=UTF8.",
  );
}

function readBytes(pattern: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw badInput(`seed: "${pattern}" cannot be read: ${messageOf(error)}`, "Name readable SQL files.", error);
  }
}

/**
 * Without a byte order mark. Undefined: not UTF-8, and guessing would change what the seed says.
 * @param options `cut`: the last character may be incomplete
 */
function decode(bytes: Buffer, { cut = false } = {}): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

/** Offset of the first character that is none: the longest beginning that can be decoded ends before it. */
function firstWrong(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decode(bytes.subarray(0, middle), { cut: true }) !== undefined) good = middle;
    else bad = middle;
  }
  while (good > 0 && decode(bytes.subarray(0, good)) === undefined) good -= 1;
  return good;
}
