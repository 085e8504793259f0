import PQueue from "p-queue";
import { beforeAll, expect, test } from "vitest";
import type { RunArtifacts } from "../../src/model/fact.js";
import { rowChangesBetween, schemaOf } from "../support/capture.js";
import { useServer } from "../support/postgres.js";
import { reportOf } from "../support/report.js";
import { type RunParts, run } from "../support/runs.js";
import { type Case, sizesOf, sqlOf } from "./cases/case.js";
import { oneRow } from "./cases/one-row.js";
import { moreRows, noRow } from "./cases/other-rows.js";

const server = useServer();
const cases: Case[] = [...oneRow, ...noRow, ...moreRows];
const loaded = new Map<string, Pick<RunParts, "schema" | "rows">>();

/** Every text once, however many runs have it. */
beforeAll(async () => {
  const base = await server.database();
  const queue = new PQueue({ concurrency: 4 });
  const texts = new Set(["", ...cases.flatMap(({ runs }) => runs.flatMap(sqlOf))]);
  const load = async (sql: string) => {
    const { url, name } = await server.database({ sql });
    const schema = await schemaOf(url);
    const filled = sql.includes("INSERT");
    const rows = filled ? await rowChangesBetween({ base: base.url, run: url, lineage: "independent" }) : null;
    loaded.set(sql, { schema, rows });
    await server.query(`DROP DATABASE ${name}`);
  };
  await queue.addAll([...texts].map((sql) => () => load(sql)));
}, 120_000);

function runsOf({ runs }: Case): RunArtifacts[] {
  const record = { database: { provider: "embedded", lineage: "independent" as const } };
  return runs.flatMap(sqlOf).map((sql, at) => run(at + 1, { ...loaded.get(sql), record }));
}

for (const each of cases) {
  test(each.name, () => {
    const report = reportOf(runsOf(each), { schema: loaded.get("")?.schema ?? null, checks: null });
    const told = report.decisions.map(({ title, options }) =>
      [title, ...options.map(({ label }) => label)].join(" / "),
    );
    if (each.sizes) expect(report.decisions.map(sizesOf).sort(), told.join("\n")).toEqual([...each.sizes].sort());
    const names = report.naming.flatMap(({ options }) => options.map(({ label }) => label)).join();
    for (const name of each.named ?? []) expect(names).toContain(`\`${name}\``);
    if (each.odd !== undefined) expect(report.oddOneOut).toHaveLength(each.odd);
    if (each.also) expect(each.also.holds(report), `${each.also.what}:\n${told.join("\n")}`).toBe(true);
  });
}

test("there are as many cases as the engine was designed on", () => {
  expect(cases).toHaveLength(41);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(41);
});
