import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Folders of a machine's system: no person's files lie there. */
export const systemRoots = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix/store",
];

export interface SystemFolders {
  /** Folders of the system, as they are on this machine. */
  roots: readonly string[];
  /** Files under /etc that not everybody may read: an administrator who starts us may, and an agent must not. */
  secretFiles: readonly string[];
  secretFolders: readonly string[];
  /** Where the name servers are written down, outside the roots; null where it is inside. */
  resolver: string | null;
}

/** The system of this machine. */
export async function systemFolders(): Promise<SystemFolders> {
  const there = await Promise.all(
    systemRoots.map((path) =>
      lstat(path).then(
        () => path,
        () => undefined,
      ),
    ),
  );
  const resolver = await realpath("/etc/resolv.conf").catch(() => "/etc/resolv.conf");
  return {
    roots: there.filter((path) => path !== undefined),
    ...(await secretsIn("/etc")),
    resolver: isIn(resolver, systemRoots) ? null : resolver,
  };
}

const everybodyReads = 0o004;
const everybodyEnters = 0o005;

/** What not everybody may read, the folders not looked into. A link says nothing: what it leads to is judged where it lies. */
async function secretsIn(folder: string): Promise<Pick<SystemFolders, "secretFiles" | "secretFolders">> {
  const names = await readdir(folder).catch(() => []);
  const secretFiles: string[] = [];
  const secretFolders: string[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isDirectory() && (stats.mode & everybodyEnters) === everybodyEnters) {
      const below = await secretsIn(path);
      secretFiles.push(...below.secretFiles);
      secretFolders.push(...below.secretFolders);
    } else if (stats?.isDirectory()) secretFolders.push(path);
    else if (stats?.isFile() && (stats.mode & everybodyReads) === 0) secretFiles.push(path);
  }
  return { secretFiles, secretFolders };
}

export function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
