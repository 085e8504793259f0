import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOnly } from "../../src/capture/read-only.js";
import { openReference } from "../../src/capture/reference.js";
import { compareRows } from "../../src/capture/rows.js";
import { readSchema } from "../../src/capture/schema/snapshot.js";
import { toUrl, withClient } from "../../src/clients/postgres.js";
import { embeddedServer } from "../../src/isolate/database/server.js";
import type { Site } from "../../src/isolate/database/site.js";
import { messageOf } from "../../src/model/error.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { experimentId } from "../../src/model/ids.js";
import type { Report } from "../../src/model/report.js";
import type { Secret } from "../../src/model/secret.js";
import { experimentOf, reportOf } from "../../test/support/report.js";
import { type RunParts, run } from "../../test/support/runs.js";

const suffix = /\.(?:sql|patch|checks\.json)$/;
const patience = { timeoutMs: 60_000 };

/** Starts one server for all sets, and stops it. */
export async function withServer<T>(work: string, use: (site: Site) => Promise<T>): Promise<T> {
  const experiment = { id: experimentId.parse("bench-nway"), work, parallel: 4 };
  const server = embeddedServer(experiment, {
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    environment: process.env,
  });
  try {
    return await use(await server.start());
  } finally {
    await server.stop();
  }
}

/** The report of a folder with one SQL file per run, and `base.sql` where they start from something; `variant` is the file's name. */
export async function loadReport(site: Site, folder: string): Promise<Report> {
  const files = (await readdir(folder)).filter((each) => suffix.test(each));
  const names = [...new Set(files.map((each) => each.replace(suffix, "")))].filter((each) => each !== "base").sort();
  const sql = (name: string) =>
    files.includes(`${name}.sql`) ? readFile(join(folder, `${name}.sql`), "utf8") : undefined;
  const base = await database(site, (await sql("base")) ?? "");
  const runs: RunArtifacts[] = [];
  for (const [at, name] of names.entries()) {
    const text = await sql(name);
    const parts: RunParts = await captured(site, base, text);
    const record = { database: { provider: "embedded", lineage: "independent" as const }, variant: name };
    runs.push(run(at + 1, { ...parts, files: [], outcome: text ? "completed" : "no_change", record }));
  }
  const schema = await readOnly(base, { ...patience, subject: "The base" }, readSchema);
  const { variants } = experimentOf(1);
  const planned = experimentOf(names.length).runs.map((each, at) => ({ ...each, variant: names[at] ?? "" }));
  const named = names.flatMap((name) => variants.map((variant) => ({ ...variant, name })));
  return reportOf(runs, { schema, checks: null }, { experiment: { runs: planned, variants: named } });
}

async function captured(site: Site, base: Secret, sql: string | undefined): Promise<RunParts> {
  try {
    const url = await database(site, sql ?? "");
    const reference = await openReference(base, patience);
    return await readOnly(url, { ...patience, subject: "The database" }, async (client) => {
      const schema = await readSchema(client);
      const rows = await compareRows({ reference, run: client, runSchema: schema, lineage: "independent" });
      return { schema, rows };
    });
  } catch (error) {
    return { schema: null, unreadable: [{ what: "database", reason: messageOf(error) }] };
  }
}

let made = 0;

async function database(site: Site, sql: string): Promise<Secret> {
  const name = `nway_${++made}`;
  await withClient(toUrl(site.admin), {}, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = toUrl({ ...site.admin, database: name });
  if (sql !== "") await withClient(url, {}, (client) => client.query(sql));
  return url;
}
