import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type SystemFolders, secretFiles } from "./bubblewrap.js";

const systemRoots = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store"];

/** The folders of the system that this machine has. */
export async function systemFolders(): Promise<SystemFolders> {
  const [roots, secrets] = await Promise.all([systemRoots, secretFiles].map((paths) => existing(paths)));
  const resolver = await realpath("/etc/resolv.conf").catch(() => "/etc/resolv.conf");
  return { roots: roots ?? [], secrets: secrets ?? [], resolver: isIn(resolver, systemRoots) ? null : resolver };
}

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
 * What must be readable beside the system for the user's tools to run: folders of the search path with the packages their
 * links lead to, and files that command lines name. Of a home folder only ever a tool's own folder, never the whole.
 */
export async function toolFolders(around: Surroundings): Promise<string[]> {
  const programs = [...around.path.split(":").filter(isAbsolute), dirname(process.execPath)];
  const found = await Promise.all([
    ...[...new Set(programs)].map((folder) => toolsOf(folder, around)),
    ...around.commands.flatMap(pathsIn).map((path) => namedBy(path, around)),
    ...around.expose.map(async (path) => [resolve(path)]),
  ]);
  return [...new Set(found.flat())].filter((path) => !isIn(path, systemRoots)).sort();
}

/** True where a path may be shown without showing what must not be seen. */
function mayShow(path: string, { home, hidden }: Surroundings): boolean {
  const closed = [...hidden, ...(home === undefined ? [] : [home])];
  if (path === "/" || closed.some((each) => each === path || each.startsWith(`${path}/`))) return false;
  return !isIn(path, hidden) && !(home !== undefined && dirname(path) === home && holdsCredentials(basename(path)));
}

/** Folders right in a home that hold more than a tool. */
function holdsCredentials(name: string): boolean {
  return [".local", ".config", ".cargo", ".cache", ".npm", ".docker", "bin", "lib", "share"].includes(name);
}

async function toolsOf(folder: string, around: Surroundings): Promise<string[]> {
  if (isIn(folder, systemRoots) || isIn(folder, around.hidden) || basename(folder) === ".bin") return [];
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return [];
  // …/node-22/bin belongs to …/node-22, and ~/.pyenv/shims to ~/.pyenv: one tool with all it needs.
  const whole = dirname(folder);
  if (["bin", "sbin", "shims"].includes(basename(folder)) && mayShow(whole, around)) return [whole];
  if (!mayShow(folder, around)) return [];
  const targets = await Promise.all(names.slice(0, mostPrograms).map((name) => packageOf(join(folder, name), around)));
  return [folder, ...targets.flat()];
}

const mostPrograms = 2_000;

/** What a link leads to: the package it is part of, or the program alone. */
async function packageOf(path: string, around: Surroundings): Promise<string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return [];
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isIn(target, [...systemRoots, ...around.hidden])) return [];
  const npm = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(target)?.[1];
  const home = basename(dirname(target)) === "bin" ? dirname(dirname(target)) : undefined;
  const candidates = [npm, home, target].filter((each) => each !== undefined);
  return candidates.filter((each) => mayShow(each, around)).slice(0, 1);
}

/** What the machine says of itself and of its processes: a sandbox has its own. */
const machine = ["/proc", "/sys", "/dev", "/run"];

/** A program or a script that a command line names, with what lies beside it, where that shows nothing else. */
async function namedBy(path: string, around: Surroundings): Promise<string[]> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isIn(path, machine) || isIn(target, [...machine, ...around.hidden])) return [];
  // A folder may be anything: it is shown where the user asks for it.
  if (!(await lstat(target)).isFile()) return [];
  const beside = dirname(target);
  return mayShow(beside, around) ? [dirname(path), beside] : [path, target];
}

/** Absolute paths among the words of a command line. */
function pathsIn(line: string): string[] {
  return (line.match(/'[^']*'|"[^"]*"|[^\s'";&|<>()=]+/g) ?? [])
    .map((word) => word.replace(/^['"]|['"]$/g, ""))
    .filter((word) => word.startsWith("/") && word !== "/");
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, at) => there[at]);
}

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
