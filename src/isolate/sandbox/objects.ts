import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/**
 * Object stores that a git directory reads from, with those they read from in turn.
 * @param gitDir one that no agent has touched
 */
export async function objectStores(gitDir: string): Promise<string[]> {
  const found = new Set<string>();
  const follow = async (objects: string): Promise<void> => {
    const text = await readFile(join(objects, "info", "alternates"), "utf8").catch(() => "");
    for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
      const store = resolve(objects, line.startsWith('"') ? unquoted(line) : line);
      if (found.has(store)) continue;
      found.add(store);
      await follow(store);
    }
  };
  const gitDirs = [gitDir, ...(await modulesIn(join(gitDir, "modules")))];
  for (const each of gitDirs) await follow(join(each, "objects"));
  return [...found];
}

function unquoted(line: string): string {
  return line
    .slice(1, -1)
    .replaceAll("\\n", "\n")
    .replaceAll("\\r", "\r")
    .replace(/\\([\\"])/g, "$1");
}

/** Git directories of submodules, however deep their paths. */
async function modulesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((each) => each.isDirectory()).map((each) => join(folder, each.name));
  if (entries.some(({ name }) => name === "HEAD")) return [folder, ...(await modulesIn(join(folder, "modules")))];
  return (await Promise.all(below.map(modulesIn))).flat();
}
