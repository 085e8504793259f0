import { chmod, lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { codeOf } from "../model/error.js";

/**
 * Removes a file or a folder with all it holds, also folders somebody made read-only. Links are removed, never followed.
 * Tolerates that there is nothing. Call it only when the programs that wrote there have ended.
 */
export async function removeTree(path: string): Promise<void> {
  await remove(Buffer.from(path));
}

/** Paths are bytes: names that are no UTF-8 could not be found again. */
async function remove(path: Buffer): Promise<void> {
  const stats = await unlessGone(lstat(path));
  if (!stats) return;
  if (!stats.isDirectory()) return unlessGone(unlink(path));
  // Entries can be removed from a folder only where its owner may write and search.
  if ((stats.mode & 0o700) !== 0o700) await chmod(path, 0o700);
  const entries = await readdir(path, { encoding: "buffer", withFileTypes: true });
  const ends = await Promise.allSettled(
    entries.map((entry) => {
      const below = Buffer.concat([path, Buffer.from("/"), entry.name]);
      return entry.isDirectory() ? remove(below) : unlessGone(unlink(below));
    }),
  );
  // Only when all have ended: nothing goes on behind the caller's back.
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  await unlessGone(rmdir(path));
}

async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
