import { expect, test } from "vitest";
import { schemaOf } from "../support/capture.js";
import { told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

const crew = `CREATE TABLE ship (id serial PRIMARY KEY);
  CREATE TABLE crew (id serial PRIMARY KEY, rank int CHECK (rank > 0), "Badge No" text UNIQUE, ship int REFERENCES ship);
  CREATE INDEX ON crew (rank) WHERE rank < 9; CREATE UNIQUE INDEX ON crew (lower("Badge No"), rank);
  ALTER TABLE crew ENABLE ROW LEVEL SECURITY; CREATE POLICY low ON crew USING (rank < 5);`;

async function factsOf(after: string): Promise<string[]> {
  const base = await server.database({ sql: crew });
  const run = await server.database({ template: base.name, sql: after });
  const record = { database: { provider: "embedded", lineage: "clone" as const } };
  return told({ schema: await schemaOf(run.url), record }, await schemaOf(base.url));
}

test("a column under another name takes its keys, rules and indexes along", async () => {
  const after = `ALTER TABLE crew RENAME id TO crew_id; ALTER TABLE crew RENAME rank TO grade;
    ALTER TABLE crew RENAME "Badge No" TO badge; ALTER TABLE crew RENAME ship TO vessel; ALTER TABLE ship RENAME id TO "Hull"`;
  expect(await factsOf(after)).toEqual([
    'column public.crew."Badge No" · name: renamed to `badge`',
    "column public.crew.id · name: renamed to `crew_id`",
    "column public.crew.rank · name: renamed to `grade`",
    "column public.crew.ship · name: renamed to `vessel`",
    "column public.ship.id · name: renamed to `Hull`",
  ]);
});

test("an index that is dropped while its column gets another name is told", async () => {
  const facts = await factsOf("ALTER TABLE crew RENAME rank TO grade; DROP INDEX crew_rank_idx");
  expect(facts).toHaveLength(2);
  expect(facts).toContainEqual(expect.stringMatching(/^dropped index table public\.crew .* dropped$/));
});
