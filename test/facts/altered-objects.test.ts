import { beforeAll, expect, test } from "vitest";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import { schemaOf } from "../support/capture.js";
import { told } from "../support/facts.js";
import { useServer } from "../support/postgres.js";

const server = useServer();
const yard = `CREATE SCHEMA yard; CREATE TYPE state AS ENUM ('wet', 'dry'); CREATE DOMAIN tons AS int; CREATE SEQUENCE berths;
  CREATE TABLE ship (id serial PRIMARY KEY, name text, state state, CONSTRAINT named CHECK (name <> ''));
  CREATE INDEX by_state ON ship (state); CREATE VIEW afloat AS SELECT id, name FROM ship;
  CREATE FUNCTION count_up(a int) RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER kept BEFORE INSERT ON ship FOR EACH ROW EXECUTE FUNCTION keep();
  ALTER TABLE ship ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON ship USING (id = 1);
  CREATE TABLE log (id int, at date) PARTITION BY RANGE (at); CREATE TABLE log_rest PARTITION OF log DEFAULT;
  CREATE STATISTICS pairs (dependencies) ON name, state FROM ship; CREATE EXTENSION citext;`;

let base: { name: string; url: Parameters<typeof schemaOf>[0] };
let before: SchemaSnapshot;

beforeAll(async () => {
  base = await server.database({ sql: yard });
  before = await schemaOf(base.url);
});

async function factsAfter(sql: string): Promise<string[]> {
  const { url } = await server.database({ template: base.name, sql });
  const record = { database: { provider: "embedded", lineage: "clone" as const } };
  return told({ schema: await schemaOf(url), record }, before);
}

test.each<[string, string, string[]]>([
  [
    "a rule",
    "CREATE RULE quiet AS ON DELETE TO ship DO INSTEAD NOTHING",
    ["rule quiet on public.ship · definition: one way", "rule quiet on public.ship · presence: yes"],
  ],
  [
    "privileges of objects to come",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC",
    [
      "default privileges tables in public · definition: `public: SELECT`",
      "default privileges tables in public · presence: yes",
    ],
  ],
  [
    "an operator",
    "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)",
    [
      "operator public.===(integer,integer) · definition: `FUNCTION = int4eq`",
      "operator public.===(integer,integer) · presence: yes",
    ],
  ],
  [
    "a collation",
    'CREATE COLLATION plain FROM "C"',
    ["collation public.plain · definition: `PROVIDER c LOCALE C`", "collation public.plain · presence: yes"],
  ],
  [
    "a dictionary for text search",
    "CREATE TEXT SEARCH DICTIONARY words (TEMPLATE = simple)",
    [
      "text search dictionary public.words · definition: `TEMPLATE simple`",
      "text search dictionary public.words · presence: yes",
    ],
  ],
  [
    "a configuration for text search",
    "CREATE TEXT SEARCH CONFIGURATION search (COPY = simple)",
    [
      "text search configuration public.search · definition: one way",
      "text search configuration public.search · presence: yes",
    ],
  ],
  ["another owner of a table", "ALTER TABLE ship OWNER TO pg_monitor", ["table public.ship · owner: `pg_monitor`"]],
  [
    "another owner of a view and a function",
    "ALTER VIEW afloat OWNER TO pg_monitor; ALTER FUNCTION count_up OWNER TO pg_monitor",
    ["function public.count_up(a integer) · owner: `pg_monitor`", "view public.afloat · owner: `pg_monitor`"],
  ],
  [
    "what is granted on a column of a view",
    "GRANT SELECT (name) ON afloat TO PUBLIC",
    ["grants column public.afloat.name public · privileges: select"],
  ],
  [
    "what is granted on a column's sequence and on a type",
    "GRANT USAGE ON SEQUENCE ship_id_seq TO pg_monitor; REVOKE USAGE ON DOMAIN tons FROM PUBLIC",
    [
      "grants domain public.tons public · privileges: nothing",
      "grants sequence public.ship_id_seq pg_monitor · privileges: usage",
    ],
  ],
  [
    "a sequence that belongs to a column now",
    "ALTER SEQUENCE berths OWNED BY ship.id",
    ["sequence public.berths · end: now goes with its column"],
  ],
  [
    "a sequence that belongs to no column any more",
    "ALTER SEQUENCE ship_id_seq OWNED BY NONE",
    ["sequence public.ship_id_seq · end: now stays without its column"],
  ],
  [
    "a detached partition",
    "ALTER TABLE log DETACH PARTITION log_rest",
    ["storage public.log_rest · whole: nothing, it was detached"],
  ],
  [
    "a label under another name",
    "ALTER TYPE state RENAME VALUE 'wet' TO 'afloat'",
    ["enum public.state · definition: changed"],
  ],
  [
    "an extension in another schema",
    "ALTER EXTENSION citext SET SCHEMA yard",
    ["extension citext · schema: now `yard`"],
  ],
  [
    "another name of the whole, and nothing of its part,",
    "ALTER TABLE log RENAME TO logs",
    ["table public.log · name: renamed to `logs`"],
  ],
])("%s is told", async (_, sql, facts) => {
  expect(await factsAfter(sql)).toEqual(facts);
});

test.each<[string, string]>([
  ["COLUMN afloat.name", "column public.afloat.name"],
  ["FUNCTION count_up(int)", "function public.count_up(a integer)"],
  ["INDEX by_state", "index named public.ship.by_state"],
  ["CONSTRAINT named ON ship", "rule named public.ship.named"],
  ["POLICY own ON ship", "policy named public.ship.own"],
  ["TRIGGER kept ON ship", "trigger named public.ship.kept"],
  ["VIEW afloat", "view public.afloat"],
  ["TYPE state", "enum public.state"],
  ["DOMAIN tons", "domain public.tons"],
  ["SCHEMA yard", "schema yard"],
  ["SEQUENCE berths", "sequence public.berths"],
  ["STATISTICS pairs", "statistics public.pairs"],
])("a comment on %s is told", async (what, slot) => {
  expect(await factsAfter(`COMMENT ON ${what} IS 'as agreed'`)).toEqual([`${slot} · comment: \`as agreed\``]);
});
