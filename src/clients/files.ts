import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import { codeOf, MultirunError, messageOf } from "../model/error.js";
import { parseStrict } from "../model/strict.js";

/** Writes a file so that readers see the old text or the new one, never a part, and so that it survives a crash. */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes renames and new names in a folder survive a crash. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** JSON as this project writes it: two spaces, newline at the end. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text of a file, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Artifacts larger than this are refused unread: nothing honest comes near it. */
export const artifactLimitBytes = 256 * 1024 * 1024;

/**
 * Reads a JSON file nobody vouches for. It must be a plain file of bounded size; links are not followed.
 * @returns undefined where there is no such file
 * @throws MultirunError `bad_artifact`
 */
export async function readArtifact<T>(path: string, schema: z.ZodType<T>, name: string): Promise<T | undefined> {
  const bytes = await readPlainBytes(path, name);
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes, name);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new MultirunError("bad_artifact", `${name} is no JSON: ${messageOf(error)}`, { hint: `Remove ${path}.` });
  }
  return parseStrict(schema, data, { name, code: "bad_artifact" });
}

/**
 * UTF-8 without a byte order mark.
 * @throws MultirunError `bad_artifact`: with another encoding guessed, the file would say something else
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MultirunError("bad_artifact", `${name} is not UTF-8`, { cause: error });
  }
}

/** The text of a plain file of bounded size; undefined where there is none. */
export async function readPlainFile(path: string, name: string, limitBytes?: number): Promise<string | undefined> {
  return (await readPlainBytes(path, name, limitBytes))?.toString("utf8");
}

/**
 * The content of a plain file of bounded size; undefined where there is none. Links are not followed.
 * @throws MultirunError `bad_artifact`
 */
export async function readPlainBytes(
  path: string,
  name: string,
  limitBytes: number = artifactLimitBytes,
): Promise<Buffer | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new MultirunError("bad_artifact", `${name} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new MultirunError("bad_artifact", `${name} is no plain file`);
    if (stats.size > limitBytes) {
      throw new MultirunError("bad_artifact", `${name} has ${stats.size} bytes, the limit is ${limitBytes}`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
