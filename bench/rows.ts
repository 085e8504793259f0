import { readOnly } from "../src/capture/read-only.js";
import { openReference } from "../src/capture/reference.js";
import { Cursor } from "../src/capture/rows/cursor.js";
import { compareRows } from "../src/capture/rows.js";
import { readSchema } from "../src/capture/schema/snapshot.js";
import type { Secret } from "../src/model/secret.js";
import { withServer } from "./database.js";
import { median, timed } from "./repository.js";

const changes = 100;
const rounds = 3;
const timeoutMs = 30 * 60_000;
const others = Array.from({ length: 9 }, (_, at) => `c${at}`);
const wholeHash = `SELECT count(*), sum(hashtextextended(t::text, 7)) FROM big t`;

/**
 * 100 changed rows in a table of a million (or as many as are asked for) × 10 columns: `rows` against one hash of the whole
 * table on each side, and against pulling a digest of every row. Target: ratio ≤ 2. Then a run that left the table alone,
 * for which base is not hashed again.
 */
export function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const count = Number(args[0] ?? 1_000_000);
  return withServer(async ({ url, query }) => {
    await query("postgres", "CREATE DATABASE base");
    const columns = others.map((name, at) => `${name} ${at % 3 === 0 ? "int" : "text"}`).join(", ");
    const values = others.map((_, at) => (at % 3 === 0 ? `n * ${at + 1}` : `'value ${at} of row ' || n`)).join(", ");
    await query("base", `CREATE TABLE big (id int PRIMARY KEY, ${columns})`);
    await query("base", `INSERT INTO big SELECT n, ${values} FROM generate_series(1, ${count}) n`);
    await query("base", "VACUUM ANALYZE big");
    await query("postgres", "CREATE DATABASE run TEMPLATE base");
    await query("postgres", "CREATE DATABASE idle TEMPLATE base");
    await query("run", `UPDATE big SET c1 = 'other' WHERE id % ${Math.floor(count / changes)} = 0`);

    const ours: number[] = [];
    const theirs: number[] = [];
    const hashed = () =>
      timed(async () => void (await Promise.all([query("base", wholeHash), query("run", wholeHash)])));
    await hashed();
    for (let round = 0; round < rounds; round++) {
      theirs.push(await hashed());
      ours.push(await timed(async () => expectChanges(await compared(url("base"), url("run")))));
    }
    const reference = await openReference(url("base"), { timeoutMs });
    await comparedWith(reference, url("idle"));
    const idleMs = await timed(async () => void (await comparedWith(reference, url("idle"))));
    // Taken before the naive way, which keeps a digest of every row in this very process.
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    const naiveMs = count > 1_000_000 ? null : Math.round(await timed(() => pullDigests([url("base"), url("run")])));
    const ms = Math.round(median(ours));
    const baselineMs = Math.round(median(theirs));
    return {
      name: "rows",
      ratio: Number((ms / baselineMs).toFixed(2)),
      ms,
      baselineMs,
      naiveMs,
      idleMs: Math.round(idleMs),
      peakMb,
      rows: count,
      changes,
      rounds,
    };
  });
}

async function compared(base: Secret, run: Secret): Promise<number> {
  return comparedWith(await openReference(base, { timeoutMs }), run);
}

async function comparedWith(reference: Awaited<ReturnType<typeof openReference>>, run: Secret): Promise<number> {
  const { tables } = await readOnly(run, { timeoutMs, subject: "The database" }, async (client, { again }) =>
    compareRows({ reference, run: client, again, runSchema: await readSchema(client), lineage: "clone" }),
  );
  return tables.reduce((sum, { changed }) => sum + changed.count, 0);
}

function expectChanges(found: number): void {
  if (found !== changes) throw new Error(`found ${found} changed rows instead of ${changes}`);
}

/** What one writes first: a digest of every row of both sides, compared here. */
async function pullDigests(urls: readonly Secret[]): Promise<void> {
  const known = new Map<string, string>();
  let different = 0;
  for (const url of urls) {
    await readOnly(url, { timeoutMs, subject: "The database" }, async (client) => {
      const cursor = await Cursor.open(client, "naive", "SELECT id::text, md5(t::text) FROM public.big t");
      for (let row = await cursor.next(); row; row = await cursor.next()) {
        const [id = "", digest = ""] = row;
        const before = known.get(id);
        if (before !== undefined && before !== digest) different += 1;
        known.set(id, digest);
      }
    });
  }
  expectChanges(different);
}
