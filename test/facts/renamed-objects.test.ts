import { expect, test } from "vitest";
import { schemaOf } from "../support/capture.js";
import { damage, told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

const yard = `CREATE SCHEMA yard; CREATE TYPE yard.state AS ENUM ('wet', 'dry'); CREATE SEQUENCE yard.berths;
  CREATE TABLE yard.dock (id serial PRIMARY KEY, state yard.state);
  CREATE FUNCTION yard.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER noted BEFORE INSERT ON yard.dock FOR EACH ROW EXECUTE FUNCTION yard.note();`;

async function after(sql: string) {
  const base = await server.database({ sql: yard });
  const run = await server.database({ template: base.name, sql });
  const record = { database: { provider: "embedded", lineage: "clone" as const } };
  const [parts, before] = [{ schema: await schemaOf(run.url), record }, await schemaOf(base.url)];
  return { facts: told(parts, before), damage: damage(parts, before) };
}

test("what gets another name in a clone is not dropped", async () => {
  const sql = `ALTER TYPE yard.state RENAME TO condition; ALTER TABLE yard.dock RENAME TO docks;
    ALTER FUNCTION yard.note() RENAME TO noted; ALTER SEQUENCE yard.berths RENAME TO places;`;
  const { facts, damage: lost } = await after(sql);
  expect(lost).toEqual([]);
  expect(facts.filter((fact) => fact.includes("presence"))).toEqual([]);
  expect(facts).toContain("table yard.dock · name: renamed to `yard.docks`");
  expect(facts).toContain("function yard.noted() · name: renamed from `yard.note()`");
});

test("a schema under another name loses nothing", async () => {
  const { facts, damage: lost } = await after("ALTER SCHEMA yard RENAME TO dockyard");
  expect(lost).toEqual([]);
  expect(facts).toContain("schema dockyard · name: renamed from `yard`");
});

test("what is really dropped is damage still", async () => {
  expect((await after("DROP SEQUENCE yard.berths")).damage).toEqual(["drops sequence `yard.berths`"]);
});
