import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { codeOf } from "../../model/error.js";
import { type BytePath, fromText, toBytes } from "./bytes.js";

/** Something in a work tree that git passes over in silence. */
export interface Oddity {
  path: BytePath;
  reason: string;
}

/** Folders read in one go. Reading them one by one without waiting costs half of what promises do. */
const foldersInOneGo = 50;

/**
 * Finds what git does not tell of: named pipes, sockets, devices and folders that cannot be read. Links are not
 * followed, git directories not entered.
 */
export async function findOddities(repo: string): Promise<Oddity[]> {
  const root = fromText(repo);
  const found: Oddity[] = [];
  const waiting: BytePath[] = [""];
  for (let read = 1; waiting.length > 0; read++) {
    const path = waiting.pop() ?? "";
    for (const entry of readFolder(root, { path, found })) {
      if (entry.isFile() || entry.isSymbolicLink()) continue;
      if (!entry.isDirectory()) found.push({ path: path + entry.name, reason: `is ${kindOf(entry)}` });
      else if (entry.name !== ".git") waiting.push(`${path}${entry.name}/`);
    }
    if (read % foldersInOneGo === 0) await setImmediate();
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readFolder(root: BytePath, { path, found }: { path: BytePath; found: Oddity[] }): Dirent[] {
  try {
    return readdirSync(toBytes(`${root}/${path}`), { encoding: "latin1", withFileTypes: true });
  } catch (error) {
    const reason = codeOf(error) === "EACCES" ? "permission denied" : (codeOf(error) ?? "unknown reason");
    found.push({ path, reason: `cannot be read (${reason})` });
    return [];
  }
}

export function kindOf(entry: Pick<Dirent, "isFIFO" | "isSocket">): string {
  if (entry.isFIFO()) return "a named pipe";
  return entry.isSocket() ? "a socket" : "a device";
}
