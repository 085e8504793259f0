import { open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { isIn } from "./system.js";
import { mayShow, type Surroundings } from "./visible.js";

/** What the machine says of itself and of its processes: a sandbox has its own. */
const machine = ["/proc", "/sys", "/dev", "/run"];
const scripts = [".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".lua"];

/** A folder with more in it is not one program's. */
const mostBeside = 500;

/** Absolute paths among the words of a command line. */
export function pathsIn(line: string): string[] {
  return (line.match(/'[^']*'|"[^"]*"|[^\s'";&|<>()=]+/g) ?? [])
    .map((word) => word.replace(/^['"]|['"]$/g, ""))
    .filter((word) => word.startsWith("/") && word !== "/");
}

/**
 * A file that a command line names; beside a program or script also what lies in its folder, but for what begins with a dot.
 * A folder may be anything: it is shown where the user asks for it.
 */
export async function namedBy(path: string, around: Surroundings): Promise<string[]> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isIn(path, machine) || isIn(target, [...machine, ...around.hidden])) return [];
  const stats = await stat(target);
  if (!stats.isFile()) return [];
  const isProgram = (stats.mode & 0o111) !== 0 || scripts.includes(extname(target)) || (await startsAsScript(target));
  const folders = isProgram ? [...new Set([dirname(path), dirname(target)])] : [];
  return [path, target, ...(await Promise.all(folders.map((each) => beside(each, around)))).flat()];
}

async function beside(folder: string, around: Surroundings): Promise<string[]> {
  if (!mayShow(folder, around) || isSettings(folder, around.home)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.length > mostBeside) return [];
  return entries
    .filter((each) => !each.name.startsWith(".") && (each.isFile() || each.isDirectory()))
    .map((each) => join(folder, each.name))
    .filter((each) => mayShow(each, around));
}

/** A home's folders that begin with a dot hold a tool's logins along with its scripts. */
function isSettings(folder: string, home: string | undefined): boolean {
  return home !== undefined && folder.startsWith(`${home}/.`);
}

async function startsAsScript(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "#!";
  } finally {
    await file.close();
  }
}
