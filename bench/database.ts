import { join } from "node:path";
import { toUrl, withClient } from "../src/clients/postgres.js";
import { embeddedServer } from "../src/isolate/database/server.js";
import { experimentId } from "../src/model/ids.js";
import type { Secret } from "../src/model/secret.js";
import { testDeps } from "../test/support/experiment.js";
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
    const url = (database: string) => toUrl({ ...admin, database });
    const query = (database: string, sql: string) =>
      withClient(url(database), {}, async (client) => void (await client.query(sql)));
    try {
      return await use({ url, query });
    } finally {
      await server.stop();
    }
  });
}
