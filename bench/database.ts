import { join } from "node:path";
import { toUrl, withClient } from "../src/clients/postgres.js";
import { embeddedServer } from "../src/isolate/database/server.js";
import { experimentId } from "../src/model/ids.js";
import type { Secret } from "../src/model/secret.js";
import { testDeps } from "../test/support/experiment.js";
import { startOther } from "../test/support/other-postgres.js";
import { withFolder } from "./command.js";

export interface BenchServer {
  url(database: string): Secret;
  query(database: string, sql: string): Promise<void>;
}

/** The embedded server users get, for the length of one measurement. */
export function withServer<T>(use: (server: BenchServer) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const experiment = { id: experimentId.parse("bench"), work: join(folder, "work"), parallel: 4 };
    const server = embeddedServer(experiment, testDeps());
    const { admin } = await server.start();
    try {
      return await use(asking((database) => toUrl({ ...admin, database })));
    } finally {
      await server.stop();
    }
  });
}

/** A server of another major version, which must be installed, for the length of one measurement. */
export async function withOtherServer<T>(major: number, use: (server: BenchServer) => Promise<T>): Promise<T> {
  const server = await startOther(major);
  try {
    return await use(asking(server.url));
  } finally {
    await server.stop();
  }
}

function asking(url: BenchServer["url"]): BenchServer {
  return {
    url,
    query: (database, sql) => withClient(url(database), {}, async (client) => void (await client.query(sql))),
  };
}
