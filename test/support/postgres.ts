import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Address, identifier, parseAddress, toUrl, withClient } from "../../src/clients/postgres.js";
import { type EmbeddedServer, embeddedServer } from "../../src/isolate/database/server.js";
import type { Site } from "../../src/isolate/database/site.js";
import { experimentId } from "../../src/model/ids.js";
import type { Secret } from "../../src/model/secret.js";
import { testDeps } from "./experiment.js";

/** A folder that the embedded server's user can enter, whoever we are. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-test-"));
  await chmod(folder, 0o711);
  return folder;
}

export interface TestServer {
  /** Superuser, database `postgres`. */
  readonly url: Secret;
  readonly site: Site;
  /** A fresh database, made with `sql` where given, or as a copy. */
  database(options?: { sql?: string; template?: string }): Promise<{ url: Secret; name: string }>;
  /** One query as superuser; in `name` where given. */
  query<T extends object>(sql: string, name?: string): Promise<T[]>;
}

/** Starts one embedded server for the test file that calls this, and stops it after its last test. */
export function useServer(): TestServer {
  let folder: string;
  let server: EmbeddedServer;
  let site: Site | undefined;
  beforeAll(async () => {
    folder = await openFolder();
    const experiment = { id: experimentId.parse("test"), work: join(folder, "work"), parallel: 4 };
    server = embeddedServer(experiment, testDeps());
    site = await server.start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);
  const started = () => site ?? raise();
  const at = (database: string) => toUrl({ ...started().admin, database });
  return {
    get url() {
      return at("postgres");
    },
    get site() {
      return started();
    },
    query: (sql, name) => queryAt(at(name ?? "postgres"), sql),
    database: async ({ sql, template } = {}) => {
      const name = `t_${randomUUID().replaceAll("-", "")}`;
      const from = template ? `TEMPLATE ${identifier(template)}` : "";
      await queryAt(at("postgres"), `CREATE DATABASE ${name} ${from} STRATEGY FILE_COPY`);
      if (sql) await queryAt(at(name), sql);
      return { url: at(name), name };
    },
  };
}

/** Names of the databases and roles on a server that look like ours. */
export async function marked(server: TestServer): Promise<string[]> {
  const rows = await server.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'multirun\\_%'
     UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'multirun\\_%' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** One query on a connection of its own. */
export function queryAt<T extends object>(url: Secret, sql: string): Promise<T[]> {
  return withClient(url, {}, async (client) => {
    const result = await client.query<T>(sql);
    // Several statements give several results; the last one is asked for.
    return (Array.isArray(result) ? result.at(-1) : result).rows;
  });
}

/** The same URL with something else in it. */
export function withAddress(url: Secret, change: Partial<Address>): Secret {
  return toUrl({ ...parseAddress(url), ...change });
}

function raise(): never {
  throw new Error("the server is there inside of tests only");
}
