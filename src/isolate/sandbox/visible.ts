import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { namedBy, pathsIn } from "./named.js";
import { isIn, systemRoots } from "./system.js";
import { toolsOf } from "./tools.js";

export interface Surroundings {
  /** The search path of the agents. */
  path: string;
  /** Whoever starts us keeps credentials there; undefined where nobody says. */
  home: string | undefined;
  /** Never shown, nor anything that holds them: the user's repo, the work folder, the experiment's folder. */
  hidden: readonly string[];
  /** Command lines of the user's, whose absolute paths must be there. */
  commands: readonly string[];
  /** What the user asked to show. */
  expose: readonly string[];
}

/**
 * What must be readable beside the system for the user's tools to run: folders of the search path with the programs and
 * libraries that belong to them, and files that command lines name. Logins that lie beside a tool are not among it.
 * @param agent folders of the agent's own program
 */
export async function toolFolders(around: Surroundings, agent: readonly string[]): Promise<string[]> {
  const programs = [...around.path.split(":").filter(isAbsolute), dirname(process.execPath)];
  const found = await Promise.all([
    ...[...new Set(programs)].map((folder) => toolsOf(folder, around)),
    ...around.commands.flatMap(pathsIn).map((path) => namedBy(path, around)),
  ]);
  const asked = around.expose.map((path) => resolve(path));
  const shown = [...(await showable([...found.flat(), ...agent], around)), ...asked].filter(
    (path) => !isIn(path, systemRoots),
  );
  return outermost(shown);
}

/** By what they are and by what they lead to. */
async function showable(paths: readonly string[], around: Surroundings): Promise<string[]> {
  const unique = [...new Set(paths)].filter((path) => mayShow(path, around));
  const real = await Promise.all(unique.map((path) => realpath(path).catch(() => undefined)));
  return unique.filter((_, at) => real[at] !== undefined && mayShow(real[at], around));
}

/** What lies in a folder that is shown is there with it. */
function outermost(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    if (!isIn(path, kept)) kept.push(path);
  }
  return kept;
}

/** False where a path is hidden, holds what is hidden or a home, or is where a home keeps settings and logins of all tools. */
export function mayShow(path: string, { home, hidden }: Pick<Surroundings, "home" | "hidden">): boolean {
  const closed = [...hidden, ...(home === undefined ? [] : [home, ...settings.map((name) => `${home}/${name}`)])];
  return path !== "/" && !isIn(path, hidden) && !closed.some((each) => isIn(each, [path]));
}

const settings = [
  ".aws",
  ".azure",
  ".cache",
  ".config",
  ".docker",
  ".gnupg",
  ".kube",
  ".local",
  ".local/share",
  ".ssh",
];
