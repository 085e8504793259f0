import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { codeOf } from "../model/error.js";

/** Entries removed in one go. One by one without waiting takes half the time and memory of a promise for each. */
const entriesInOneGo = 200;

/**
 * Removes a file or a folder with all it holds, also folders somebody made read-only. Links are removed, never followed.
 * Tolerates that there is nothing. Call it only when the programs that wrote there have ended.
 * @throws what the first entry that stays says; everything else is gone by then
 */
export async function removeTree(path: string): Promise<void> {
  // Paths are bytes: names that are no UTF-8 could not be found again.
  const root = Buffer.from(path);
  const stats = unlessGone(() => lstatSync(root));
  if (!stats?.isDirectory()) return unlessGone(() => unlinkSync(root));
  const failures: unknown[] = [];
  await removeFolder(root, { removed: 0, failures });
  if (failures.length > 0) throw failures[0];
  unlessGone(() => rmdirSync(root));
}

interface Progress {
  removed: number;
  failures: unknown[];
}

async function removeFolder(path: Buffer, progress: Progress): Promise<void> {
  const entries = inFolder(path, () => readdirSync(path, { encoding: "buffer", withFileTypes: true }), progress) ?? [];
  for (const entry of entries) {
    const below = Buffer.concat([path, Buffer.from("/"), entry.name]);
    if (entry.isDirectory()) await removeFolder(below, progress);
    inFolder(path, () => (entry.isDirectory() ? rmdirSync(below) : unlinkSync(below)), progress);
    progress.removed++;
    if (progress.removed % entriesInOneGo === 0) await setImmediate();
  }
}

/** Entries can be read and removed only where the owner may: the folder is opened to its owner when that is found wanting. */
function inFolder<T>(folder: Buffer, use: () => T, { failures }: Progress): T | undefined {
  try {
    return unlessGone(() => {
      try {
        return use();
      } catch (error) {
        if (codeOf(error) !== "EACCES") throw error;
        chmodSync(folder, 0o700);
        return use();
      }
    });
  } catch (error) {
    failures.push(error);
    return undefined;
  }
}

function unlessGone<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
