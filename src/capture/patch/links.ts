import { lstat } from "node:fs/promises";
import { codeOf } from "../../model/error.js";
import { type BytePath, toBytes } from "./bytes.js";

/** True for a path below a symbolic link, which may lead anywhere. Remembers the folders it has seen. */
export function createLinkCheck(root: BytePath): (path: BytePath) => Promise<boolean> {
  const seen = new Map<BytePath, Promise<boolean>>();
  const isBehind = (path: BytePath): Promise<boolean> => {
    const slash = path.lastIndexOf("/");
    if (slash < 0) return Promise.resolve(false);
    const folder = path.slice(0, slash);
    const known = seen.get(folder) ?? isBehind(folder).then(async (yes) => yes || isLink(`${root}/${folder}`));
    seen.set(folder, known);
    return known;
  };
  return isBehind;
}

async function isLink(path: BytePath): Promise<boolean> {
  return (await lstatIfThere(path))?.isSymbolicLink() === true;
}

/** Undefined also where a folder on the way is none or may not be searched. */
export async function lstatIfThere(path: BytePath) {
  try {
    return await lstat(toBytes(path));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
