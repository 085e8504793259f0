import { join } from "node:path";
import { execa } from "execa";
import { readOnly } from "../src/capture/read-only.js";
import { readSchema } from "../src/capture/schema/snapshot.js";
import { parseAddress } from "../src/clients/postgres.js";
import type { Secret } from "../src/model/secret.js";
import { withServer } from "./database.js";
import { median, timed } from "./repository.js";

const tables = 500;
const columnsEach = 10;
const rounds = 5;

/**
 * The snapshot of 500 tables with 5,000 columns, keys, references and indexes, against `pg_dump --schema-only` where one of
 * this version is installed (target: ratio ≤ 0.5), else against one second; and against two dumps and a text diff, which
 * is how one compares schemas without a snapshot.
 */
export function run(): Promise<Record<string, unknown>> {
  return withServer(async ({ url, query }) => {
    await query("postgres", "CREATE DATABASE base");
    const statements = Array.from({ length: tables }, (_, at) => tableSql(at)).join("\n");
    await query("base", statements);
    const read = () => readOnly(url("base"), { timeoutMs: 60_000, subject: "The schema" }, readSchema);
    const { tables: found, postgres } = await read();
    if (found.length !== tables) throw new Error(`found ${found.length} tables instead of ${tables}`);
    const dump = await findDump(postgres);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await timed(async () => void (await read())));
      if (dump)
        theirs.push(
          await timed(async () => void (await execa(dump, ["--schema-only"], { env: environmentOf(url("base")) }))),
        );
    }
    const ms = Math.round(median(ours));
    const dumpMs = dump ? Math.round(median(theirs)) : null;
    return {
      name: "schema",
      ratio: dumpMs === null ? null : Number((ms / dumpMs).toFixed(2)),
      ms,
      dumpMs,
      twoDumpsMs: dumpMs === null ? null : 2 * dumpMs,
      tables,
      columns: tables * columnsEach,
      rounds,
    };
  });
}

/** Not as an argument, which everybody on the machine could read. */
function environmentOf(url: Secret): Record<string, string> {
  const { host, port, user, password, database } = parseAddress(url);
  return { PGHOST: host, PGPORT: `${port}`, PGUSER: user, PGPASSWORD: password, PGDATABASE: database };
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

/** One of the same major version: an older one refuses the server, a newer one writes something else. */
async function findDump(major: number): Promise<string | undefined> {
  for (const path of ["pg_dump", join("/usr/lib/postgresql", `${major}`, "bin/pg_dump")]) {
    const { stdout, failed } = await execa(path, ["--version"], { reject: false });
    if (!failed && stdout?.includes(`) ${major}.`)) return path;
  }
  return undefined;
}
