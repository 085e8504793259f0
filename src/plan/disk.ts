import { statfs } from "node:fs/promises";
import { badInput } from "../model/error.js";
import type { Experiment } from "../model/experiment.js";

/** A fresh cluster with its base, and one clone of an empty database, measured; seeds come on top. */
const serverBytes = 120 * 1024 * 1024;
const databaseBytes = 10 * 1024 * 1024;

/** What the work folder will hold at most at one time, in bytes; what agents themselves write is not known. */
export function neededBytes(experiment: Experiment, checkoutBytes: number): number {
  const atOnce = experiment.keep ? experiment.runs.length : experiment.parallel;
  const seeds = experiment.database.seeds.reduce((sum, seed) => sum + seed.sql.length, 0);
  const embedded = experiment.database.provider === "embedded";
  const databases = embedded ? serverBytes + (atOnce + 2) * (databaseBytes + 2 * seeds) : 0;
  return Math.ceil(checkoutBytes * 1.1 * (atOnce + 1)) + databases;
}

/**
 * Compares the free space of the work folder's file system with what the plan needs.
 * @throws MultirunError `bad_input`
 */
export async function requireDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw badInput(
    `${folder} has ${mebibytes(free)} MiB free, the plan needs ${mebibytes(bytes)} MiB`,
    "Lower --parallel, free some space, or set TMPDIR to a folder on a larger disk.",
  );
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
