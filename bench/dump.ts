import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { parseAddress } from "../src/clients/postgres.js";
import type { Secret } from "../src/model/secret.js";

export interface Dump {
  path: string;
  /** Major version: an older one refuses a server, a newer one writes something else. */
  major: number;
}

/** Debian keeps one per version here; its `pg_dump` on the PATH is a script around them, whose time is not pg_dump's. */
const debian = "/usr/lib/postgresql";

/** Every `pg_dump` of this machine, the newest first. */
export async function findDumps(): Promise<Dump[]> {
  const folders = await readdir(debian).catch(() => []);
  const paths = [...folders.map((each) => join(debian, each, "bin", "pg_dump")), "pg_dump"];
  const found = await Promise.all(paths.map(versionOf));
  return found.flat().sort((a, b) => b.major - a.major);
}

async function versionOf(path: string): Promise<Dump[]> {
  const { stdout, failed } = await execa(path, ["--version"], { reject: false });
  const major = failed ? undefined : /\) (\d+)\./.exec(stdout ?? "")?.[1];
  return major === undefined ? [] : [{ path, major: Number(major) }];
}

/** @param file what is written */
export async function dumpSchema({ path }: Dump, url: Secret, file: string): Promise<void> {
  const { host, port, user, password, database } = parseAddress(url);
  // Not as an argument, which everybody on the machine could read.
  const env = { PGHOST: host, PGPORT: `${port}`, PGUSER: user, PGPASSWORD: password, PGDATABASE: database };
  await execa(path, ["--schema-only", "--file", file], { env });
}
