import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeText, readPlainBytes } from "../../clients/files.js";
import { badInput, codeOf, MultirunError } from "../../model/error.js";
import { maxRuns } from "../../model/ids.js";
import type { CheckResult } from "../../model/record.js";
import { compareNatural } from "../../model/text.js";
import { readChecks } from "./checks.js";

/** What was read of a file, or why it could not be. */
export type Found<T> = { value: T } | { reason: string };

/** What one run left in the folder; a kind of file it has none of is undefined. */
export interface FolderRun {
  name: string;
  patch: Found<Buffer> | undefined;
  sql: Found<string> | undefined;
  checks: Found<CheckResult[]> | undefined;
}

export interface FolderInputs {
  /** `base.sql` and `base.checks.json`: what the runs started from. */
  base: { sql: string | undefined; checks: CheckResult[] | undefined };
  /** In natural order of their names. */
  runs: FolderRun[];
  /** Newest change of any of these files, milliseconds since the epoch: nothing else tells when the runs were. */
  modifiedMs: number;
  /** Hash of all names and contents. */
  sha256: string;
}

const kinds = /^(?<name>.+)\.(?<kind>patch|sql|checks\.json)$/s;

/**
 * Reads `DIR/<run>.patch`, `.sql` and `.checks.json`; other files are passed over. Nobody vouches for any of them: links are
 * not followed, and a file that cannot be read makes its run unreadable, not the folder.
 * @throws MultirunError `bad_input`: no such folder, no run or too many, or `base.sql` cannot be read
 */
export async function readFolder(folder: string): Promise<FolderInputs> {
  const files = await listFiles(folder);
  const names = [...new Set(files.map(({ name }) => name))].filter((name) => name !== "base").sort(compareNatural);
  if (names.length === 0 || names.length > maxRuns) {
    const found = names.length === 0 ? "holds no run" : `holds ${names.length} runs, the limit is ${maxRuns}`;
    throw badInput(
      `--from: "${folder}" ${found}`,
      "A run is <name>.patch, <name>.sql, <name>.checks.json, or any of these.",
    );
  }
  const hash = createHash("sha256");
  const read = reader(folder, files, hash);
  const base = { sql: await read("base", "sql", readSqlText), checks: await read("base", "checks.json", readChecks) };
  const runs: FolderRun[] = [];
  for (const name of names) {
    const patch = await read(name, "patch", (bytes) => bytes);
    const sql = await read(name, "sql", readSqlText);
    runs.push({ name, patch, sql, checks: await read(name, "checks.json", readChecks) });
  }
  const times = await Promise.all(files.map(({ file }) => stat(join(folder, file)).catch(() => ({ mtimeMs: 0 }))));
  return {
    base: { sql: vouched("base.sql", base.sql), checks: vouched("base.checks.json", base.checks) },
    runs,
    modifiedMs: Math.max(...times.map(({ mtimeMs }) => Math.floor(mtimeMs))),
    sha256: hash.digest("hex"),
  };
}

interface Listed {
  file: string;
  name: string;
  kind: string;
}

async function listFiles(folder: string): Promise<Listed[]> {
  const all = await readdir(folder).catch((error: unknown) => {
    throw badInput(
      `--from: "${folder}" cannot be read: ${codeOf(error)}`,
      "Name a folder with the runs' files.",
      error,
    );
  });
  return all.sort().flatMap((file) => {
    const { name, kind } = kinds.exec(file)?.groups ?? {};
    return name === undefined || kind === undefined ? [] : [{ file, name, kind }];
  });
}

function reader(folder: string, files: readonly Listed[], hash: ReturnType<typeof createHash>) {
  return async <T>(name: string, kind: string, parse: (bytes: Buffer) => T): Promise<Found<T> | undefined> => {
    const file = files.find((each) => each.name === name && each.kind === kind)?.file;
    if (file === undefined) return undefined;
    try {
      const bytes = await readPlainBytes(join(folder, file), file);
      if (bytes === undefined) return undefined;
      hash.update(JSON.stringify([file, bytes.length])).update(bytes);
      return { value: parse(bytes) };
    } catch (error) {
      if (!(error instanceof MultirunError)) throw error;
      return { reason: error.message };
    }
  };
}

/** What all runs stand on must be readable. */
function vouched<T>(name: string, found: Found<T> | undefined): T | undefined {
  if (found === undefined) return undefined;
  if ("value" in found) return found.value;
  throw badInput(`--from: ${name} cannot be read: ${found.reason}`, "Correct it, or remove it.");
}

/** Text for the server; what it could not take over the wire is refused here, with its line. */
function readSqlText(bytes: Buffer): string {
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    const line = bytes.subarray(0, nul).filter((byte) => byte === 0x0a).length + 1;
    throw new MultirunError("bad_artifact", `line ${line} holds a NUL byte, which no SQL text may`);
  }
  return decodeText(bytes, "it");
}
