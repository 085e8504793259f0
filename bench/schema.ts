import { join } from "node:path";
import { execa } from "execa";
import { readOnly } from "../src/capture/read-only.js";
import { readSchema } from "../src/capture/schema/snapshot.js";
import { readFacts } from "../src/facts/facts.js";
import type { SchemaSnapshot } from "../src/model/schema.js";
import type { Secret } from "../src/model/secret.js";
import { isInstalled } from "../test/support/other-postgres.js";
import { run as runWith } from "../test/support/runs.js";
import { withFolder } from "./command.js";
import { type BenchServer, withOtherServer, withServer } from "./database.js";
import { type Dump, dumpSchema, findDumps } from "./dump.js";
import { median, timed } from "./repository.js";

const tables = 500;
const columnsEach = 10;
const rounds = 7;
/** Major version of the embedded server. */
const embedded = 18;

/**
 * The snapshot of 500 tables with 5,000 columns, keys, references and indexes, against `pg_dump --schema-only` of the
 * server's own version (target: ratio ≤ 0.5), and all of a comparison with a changed clone (two snapshots and their
 * facts) against two dumps and a text diff, which is how one compares schemas without a snapshot. Where no version has
 * both a server and a `pg_dump`, against one second.
 */
export async function run(): Promise<Record<string, unknown>> {
  const dumps = await findDumps();
  const dump = dumps.find(({ major }) => major === embedded || isInstalled(major));
  const measured = (server: BenchServer) => measure(server, dump);
  return dump && dump.major !== embedded ? withOtherServer(dump.major, measured) : withServer(measured);
}

async function measure({ url, query }: BenchServer, dump: Dump | undefined): Promise<Record<string, unknown>> {
  await query("postgres", "CREATE DATABASE base");
  await query("base", Array.from({ length: tables }, (_, at) => tableSql(at)).join("\n"));
  await query("postgres", "CREATE DATABASE run TEMPLATE base");
  await query("run", "ALTER TABLE t7 ADD note text; ALTER TABLE t8 DROP c3");
  const [base, changed] = [url("base"), url("run")];
  const { tables: found, postgres } = await read(base);
  if (found.length !== tables) throw new Error(`found ${found.length} tables instead of ${tables}`);

  const times = { ours: [] as number[], dump: [] as number[], both: [] as number[], diff: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(() => read(base)));
    times.both.push(await timed(() => compare(base, changed)));
    if (dump === undefined) continue;
    await withFolder(async (folder) => {
      times.dump.push(await timed(() => dumpSchema(dump, base, join(folder, "alone.sql"))));
      times.diff.push(await timed(() => compareTexts(dump, [base, changed], folder)));
    });
  }
  const [ms, bothMs, dumpMs, diffMs] = [times.ours, times.both, times.dump, times.diff].map(median);
  const ratio = (one = 0, other = 0) => (dump ? Number((one / other).toFixed(2)) : null);
  return {
    name: "schema",
    ratio: ratio(ms, dumpMs),
    comparisonRatio: ratio(bothMs, diffMs),
    ms: Math.round(ms ?? 0),
    dumpMs: dump ? Math.round(dumpMs ?? 0) : null,
    twoSnapshotsAndFactsMs: Math.round(bothMs ?? 0),
    twoDumpsAndDiffMs: dump ? Math.round(diffMs ?? 0) : null,
    postgres,
    tables,
    columns: tables * columnsEach,
    rounds,
  };
}

function read(url: Secret): Promise<SchemaSnapshot> {
  return readOnly(url, { timeoutMs: 60_000, subject: "The schema" }, (client, { beside }) =>
    readSchema(client, beside),
  );
}

/** Both at once, as the dumps are. */
async function compare(base: Secret, changed: Secret): Promise<void> {
  const [before, after] = await Promise.all([read(base), read(changed)]);
  const record = { database: { provider: "embedded", lineage: "clone" as const } };
  const [found] = readFacts([runWith(1, { schema: after, record })], { schema: before, checks: null });
  const subjects = found?.facts.filter(({ dimension }) => dimension === "schema").map(({ subject }) => subject);
  if (!subjects?.includes("`t7.note`") || !subjects.includes("`t8.c3`")) throw new Error("found no changed column");
}

async function compareTexts(dump: Dump, urls: readonly Secret[], folder: string): Promise<void> {
  const files = urls.map((_, at) => join(folder, `${at}.sql`));
  await Promise.all(urls.map((url, at) => dumpSchema(dump, url, files[at] ?? "")));
  const { stdout } = await execa("diff", ["--unified", ...files], { reject: false });
  if (!stdout.includes("+    note text")) throw new Error("found no changed column");
}

function tableSql(at: number): string {
  const columns = Array.from(
    { length: columnsEach - 2 },
    (_, n) => `c${n} ${n % 2 ? "text NOT NULL DEFAULT 'x'" : "int"}`,
  );
  const target = at === 0 ? "" : ` REFERENCES t${at - 1}`;
  return `CREATE TABLE t${at} (id int PRIMARY KEY, other_id int${target}, ${columns.join(", ")}, CHECK (c0 > 0));
    CREATE INDEX ON t${at} (other_id);`;
}
