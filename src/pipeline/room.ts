import { mkdir, statfs } from "node:fs/promises";
import { removeTree } from "../clients/remove.js";

/** What a capture needs is a part of it: an index, the changed files once more, and the patch. */
const reserveBytes = 256 * 1024 * 1024;

/**
 * Makes room for capture where a run has filled the disk: what it put into its TMPDIR is no work and goes. Call it when its
 * programs have ended.
 * @returns what is to be said of it, if anything was done
 */
export async function makeRoom(temporary: string): Promise<string[]> {
  const before = await freeBytes(temporary);
  if (before >= reserveBytes) return [];
  await removeTree(temporary);
  await mkdir(temporary);
  const freed = (await freeBytes(temporary)) - before;
  if (freed <= 0) return [];
  return [
    `its TMPDIR held ${Math.ceil(freed / 1024 / 1024)} MiB of a disk that was nearly full: it was emptied before its work was captured`,
  ];
}

/** Nothing where the folder is gone: making it anew is all there is to do then. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined);
  return found ? found.bavail * found.bsize : 0;
}
