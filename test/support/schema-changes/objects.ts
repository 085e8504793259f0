import { type Change, crew } from "./change.js";

const log = "CREATE TABLE log (line text);";

/** What stands beside tables, or is a part of them. */
export const objects: Change[] = [
  {
    what: "a label in the middle of an enum",
    before: `CREATE TYPE rank AS ENUM ('deck', 'bridge'); ${crew("rank rank")}`,
    after: `CREATE TYPE rank AS ENUM ('deck', 'engine', 'bridge'); ${crew("rank rank")}`,
    facts: ["enum public.rank · definition: changed"],
  },
  {
    what: "composite and range types, the multirange told with its range",
    before: "CREATE TYPE spot AS (lat float8);",
    after: "CREATE TYPE spot AS (lat float8, lon float8); CREATE TYPE depth AS RANGE (subtype = float8);",
    facts: [
      "range public.depth · definition: one way",
      "range public.depth · presence: yes",
      "type public.spot · definition: changed",
    ],
  },
  {
    what: "an index on a materialised view, filled or not",
    before: crew("pay int", "CREATE MATERIALIZED VIEW pays AS SELECT pay, count(*) FROM crew GROUP BY pay;"),
    after: crew(
      "pay int",
      "CREATE MATERIALIZED VIEW pays AS SELECT pay, count(*) FROM crew GROUP BY pay WITH NO DATA; CREATE UNIQUE INDEX ON pays (pay);",
    ),
    facts: ["view public.pays · indexes: now `unique pay`"],
  },
  {
    what: "procedures and aggregates",
    before: `${log}CREATE PROCEDURE write(m text) LANGUAGE sql AS 'INSERT INTO log VALUES (m)';`,
    after: `${log}CREATE PROCEDURE write(m text DEFAULT '-') LANGUAGE sql AS 'INSERT INTO log VALUES (m)';
      CREATE AGGREGATE widest(int) (SFUNC = int4larger, STYPE = int);`,
    facts: [
      "function public.widest(integer) · definition: one way",
      "function public.widest(integer) · presence: yes",
      "function public.widest(integer) · rights: its caller's",
      "function public.write(IN m text) · definition: changed",
    ],
  },
  {
    what: "a table in partitions, which are no tables of their own",
    before: "CREATE TABLE watch (at date NOT NULL, who text);",
    after: `CREATE TABLE watch (at date NOT NULL, who text) PARTITION BY RANGE (at);
      CREATE TABLE watch_old PARTITION OF watch FOR VALUES FROM (MINVALUE) TO ('2025-01-01');
      CREATE TABLE watch_rest PARTITION OF watch DEFAULT; CREATE INDEX ON watch (who);`,
    facts: [
      'index table public.watch ["btree",["who"],[],null] · presence: yes',
      "storage public.watch · partitions: `DEFAULT`, `FOR VALUES FROM (MINVALUE…('2025-01-01')`",
      "storage public.watch · storage: in partitions, `RANGE (at)`",
    ],
  },
  {
    what: "policies and privileges of a partition, which the whole does not have",
    before: "CREATE TABLE watch (at date NOT NULL, who text) PARTITION BY RANGE (at);",
    after: `CREATE TABLE watch (at date NOT NULL, who text) PARTITION BY RANGE (at);
      CREATE TABLE watch_rest PARTITION OF watch DEFAULT; GRANT SELECT ON watch_rest TO PUBLIC;
      ALTER TABLE watch_rest ENABLE ROW LEVEL SECURITY; CREATE POLICY all_of_it ON watch_rest USING (true);`,
    facts: [
      "grants table public.watch_rest public · privileges: select",
      "row security public.watch_rest · policies: all any row",
      "row security public.watch_rest · row security: yes",
      "storage public.watch · partitions: `DEFAULT`",
    ],
  },
  {
    what: "an extension, and nothing of what it brings",
    before: crew("email text"),
    after: `CREATE EXTENSION pg_trgm; ${crew("email text", "CREATE INDEX ON crew USING gin (email gin_trgm_ops);")}`,
    facts: [
      "extension pg_trgm · presence: yes",
      'index table public.crew ["gin",["email public.gin_trgm_ops"],[],null] · presence: yes',
    ],
  },
  {
    what: "event triggers, publications and replica identities, which are in no schema",
    before: crew("name text"),
    after: crew(
      "name text",
      `CREATE FUNCTION seen() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
       CREATE EVENT TRIGGER watched ON ddl_command_end EXECUTE FUNCTION seen();
       CREATE PUBLICATION hands FOR TABLE crew; ALTER TABLE crew REPLICA IDENTITY FULL;`,
    ),
    facts: [
      "event trigger watched · definition: one way",
      "event trigger watched · presence: yes",
      "function public.seen() · definition: `BEGIN END`",
      "function public.seen() · presence: yes",
      "function public.seen() · rights: its caller's",
      "publication hands · definition: one way",
      "publication hands · presence: yes",
      "storage public.crew · replica identity: `full`",
    ],
  },
  {
    what: "extended statistics",
    before: crew("name text, rank text"),
    after: crew("name text, rank text", "CREATE STATISTICS pairs (dependencies) ON name, rank FROM crew;"),
    facts: ["statistics public.pairs · definition: one way", "statistics public.pairs · presence: yes"],
  },
];
