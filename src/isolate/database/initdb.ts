import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeOf, MultirunError, messageOf } from "../../model/error.js";
import type { ServerUser } from "./server-user.js";

export interface InitOptions {
  program: string;
  /** Data folder to be; nothing is there. */
  data: string;
  superuser: string;
  password: string;
  user: ServerUser | undefined;
  /** All the program gets to know of the caller's. */
  environment: Record<string, string>;
}

/** Sorts by code point, knows upper and lower case of every script, and is the same on every system. */
const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/**
 * Makes a data folder: in a folder of its own, which gets the name when it is complete. Where we are killed meanwhile,
 * initdb goes on, and must not write into what the next one makes.
 * @throws MultirunError `infra`
 */
export async function initialise(options: InitOptions): Promise<void> {
  const { data, user, environment } = options;
  const folder = `${unfinished(data)}${randomBytes(6).toString("hex")}`;
  const secret = `${folder}.secret`;
  await mkdir(folder, { mode: 0o700 });
  await writeFile(secret, `${options.password}\n`, { mode: 0o600 });
  const access = ["-U", options.superuser, "-A", "scram-sha-256", `--pwfile=${secret}`];
  try {
    if (user) for (const path of [folder, secret]) await chown(path, user.uid, user.gid);
    await promisify(execFile)(options.program, ["-D", folder, ...access, "--no-sync", "--no-instructions", ...locale], {
      cwd: "/",
      env: environment,
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    await rename(folder, data);
  } catch (error) {
    throw new MultirunError("infra", `initdb failed: ${messageOf(error)}`, {
      hint: `Check that ${dirname(data)} has space left and can be reached.`,
      cause: error,
    });
  } finally {
    await rm(secret, { force: true });
  }
}

/** What initialisations that were killed have left beside a data folder. */
export async function findUnfinished(data: string): Promise<string[]> {
  const folder = dirname(data);
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.startsWith(basename(unfinished(data)))).map((name) => join(folder, name));
}

function unfinished(data: string): string {
  return `${data}.init-`;
}
