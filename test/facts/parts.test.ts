import { expect, test } from "vitest";
import { schemaOf } from "../support/capture.js";
import { told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

/** The facts about a schema that was changed in a clone, by slot; each slot once. */
async function slotsOf(before: string, after: string): Promise<string[]> {
  const base = await server.database({ sql: before });
  const run = await server.database({ template: base.name, sql: after });
  const record = { database: { provider: "embedded", lineage: "clone" as const } };
  const facts = told({ schema: await schemaOf(run.url), record }, await schemaOf(base.url));
  return [...new Set(facts.map((fact) => fact.split(" · ")[0] ?? ""))];
}

const trips = `CREATE TABLE trips (id int NOT NULL, day date NOT NULL, boat text) PARTITION BY RANGE (day);
  CREATE TABLE trips_24 PARTITION OF trips FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
  CREATE TABLE "Trips 25" PARTITION OF trips FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';`;

test("what a partitioned table hands on to its parts is told once", async () => {
  const after = `ALTER TABLE trips ADD seats int; CREATE INDEX ON trips (boat); ALTER TABLE trips ADD CHECK (id > 0);
    CREATE TRIGGER noted BEFORE INSERT ON trips FOR EACH ROW EXECUTE FUNCTION note(); ALTER TABLE trips ADD UNIQUE (id, day);`;
  const slots = await slotsOf(trips, after);
  expect(slots.filter((slot) => /trips_24|Trips 25/.test(slot))).toEqual([]);
  expect(slots.filter((slot) => slot.includes("public.trips") && !slot.startsWith("values of"))).toHaveLength(5);
});

test("what a partitioned table takes from its parts is told once", async () => {
  const before = `${trips} CREATE INDEX ON trips (boat);
    CREATE TRIGGER noted BEFORE INSERT ON trips FOR EACH ROW EXECUTE FUNCTION note();`;
  const slots = await slotsOf(before, "ALTER TABLE trips DROP boat; DROP TRIGGER noted ON trips");
  expect(slots.filter((slot) => /trips_24|Trips 25/.test(slot))).toEqual([]);
  expect(slots).toContain("dropped column trips.boat");
});

test("what only one part gets is told of that part", async () => {
  const slots = await slotsOf(trips, "CREATE INDEX ON trips_24 (boat); ALTER TABLE trips_24 ADD CHECK (id < 9)");
  expect(slots).toEqual(["check table public.trips_24 id", 'index table public.trips_24 ["btree",["boat"],[],null]']);
});

test("what a table hands on to those that inherit from it is told once", async () => {
  const before = "CREATE TABLE ship (id int); CREATE TABLE tug (pull int) INHERITS (ship);";
  const slots = await slotsOf(before, "ALTER TABLE ship ADD flag text; ALTER TABLE ship ADD CHECK (id > 0)");
  expect(slots.filter((slot) => slot.includes("tug"))).toEqual([]);
});
