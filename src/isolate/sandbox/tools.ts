import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isIn, systemRoots } from "./system.js";
import { mayShow, type Surroundings } from "./visible.js";

/** Folders of programs, by the name they have in an installation. */
const programFolders = ["bin", "sbin", "shims"];

/**
 * What an installation keeps for its programs beside `bin`: the usual folders, and those of Java, Python, Bun, conda,
 * Homebrew and the managers of versions. Settings, logins and states are not among them.
 */
const parts = [
  ...["bin", "sbin", "shims", "lib", "lib32", "lib64", "libexec", "share", "include", "ssl", "pyvenv.cfg"],
  ...["jre", "jmods", "release", "conf/security", "conf/net.properties", "conf/logging.properties"],
  ...["install", "installs", "candidates", "tools", "versions", "version", "plugins", "hooks", "pyenv.d", "rbenv.d"],
  ...["Cellar", "opt", "toolchains", "settings.toml"],
];

/** More than any folder of programs holds. */
const mostPrograms = 2_000;

/** What the programs of one folder of the search path need. */
export async function toolsOf(folder: string, around: Surroundings): Promise<string[]> {
  if (isIn(folder, systemRoots) || basename(folder) === ".bin" || !mayShow(folder, around)) return [];
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return [];
  const links = await Promise.all(names.slice(0, mostPrograms).map((name) => behindLink(join(folder, name), around)));
  return [folder, ...(await installationOf(folder, around)), ...links.flat(), ...(await toolchains(folder, around))];
}

/** `bin` and what lies beside it for its programs. A home is no installation. */
async function installationOf(folder: string, around: Surroundings): Promise<string[]> {
  const whole = dirname(folder);
  if (!programFolders.includes(basename(folder)) || !mayShow(whole, around)) return [];
  const there = await Promise.all(parts.map((part) => kindOf(join(whole, part))));
  const found = parts.filter((_, at) => there[at] !== undefined).map((part) => join(whole, part));
  // A virtual environment's interpreter is a link to the one it was made with.
  const interpreter = found.includes(join(whole, "pyvenv.cfg"))
    ? await behindLink(join(folder, "python3"), around)
    : [];
  return [...found.filter((path) => mayShow(path, around)), ...interpreter];
}

/** What a link in a folder of programs leads to: the package it is part of, an installation, or the program alone. */
async function behindLink(path: string, around: Surroundings): Promise<string[]> {
  if ((await kindOf(path)) !== "link") return [];
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isIn(target, systemRoots) || !mayShow(target, around)) return [];
  const npm = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(target)?.[1];
  return npm !== undefined && mayShow(npm, around)
    ? [npm]
    : [target, ...(await installationOf(dirname(target), around))];
}

/** What `~/.cargo/bin` starts lies in `~/.rustup`. */
async function toolchains(folder: string, around: Surroundings): Promise<string[]> {
  const rustup = join(dirname(dirname(folder)), ".rustup");
  if (!folder.endsWith("/.cargo/bin") || (await kindOf(rustup)) !== "folder") return [];
  return ["toolchains", "settings.toml"].map((part) => join(rustup, part)).filter((path) => mayShow(path, around));
}

async function kindOf(path: string): Promise<"file" | "folder" | "link" | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "file";
}
