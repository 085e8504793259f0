import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { badInput } from "../../model/error.js";

/** Postgres refuses to run as root: this is who it runs as then. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * An existing user for the server, if we are root; undefined where it can run as ourselves.
 * @throws MultirunError `bad_input` where root finds no other user
 */
export async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = users.find(([each]) => each === wanted) ?? [];
    if (name && Number(uid) > 0 && Number(gid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw badInput(
    "Postgres does not run as root, and this system has neither a user postgres nor nobody",
    "Run as an ordinary user, or use --database postgres with a server of your own.",
  );
}

/** Whether a user can enter a folder, by the mode bits of all folders above it. */
export async function canReach(path: string, user: ServerUser | undefined): Promise<boolean> {
  if (!user) return true;
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
