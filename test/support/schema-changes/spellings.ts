import { berth, type Change, crew } from "./change.js";

/** Spellings that are no change. */
export const spellings: Change[] = [
  {
    what: "defaults spelled otherwise",
    before: crew("joined timestamptz DEFAULT now(), rank text DEFAULT 'deck', pay numeric DEFAULT -1"),
    after: crew(
      "joined timestamptz DEFAULT CURRENT_TIMESTAMP, rank text DEFAULT 'deck'::text, pay numeric DEFAULT (-1)",
    ),
    facts: [],
  },
  {
    what: "a sequence that has moved on",
    before: "CREATE TABLE crew (id serial PRIMARY KEY);",
    after: "CREATE TABLE crew (id serial PRIMARY KEY); SELECT nextval('crew_id_seq'), nextval('crew_id_seq');",
    facts: [],
  },
  {
    what: "a list of values, spelled as alternatives",
    before: crew("rank text CHECK (rank IN ('deck', 'engine'))"),
    after: crew("rank text CHECK (rank = ANY (ARRAY['deck'::text, 'engine'::text]))"),
    facts: [],
  },
  {
    what: "an index with its defaults written out",
    before: crew("name text", "CREATE INDEX crew_name ON crew (name);"),
    after: crew("name text", "CREATE INDEX crew_name ON crew USING btree (name ASC NULLS LAST);"),
    facts: [],
  },
  {
    what: "a view laid out otherwise",
    before: crew("name text", "CREATE VIEW names AS SELECT name FROM crew WHERE id > 1;"),
    after: crew("name text", "CREATE VIEW names AS\n  select crew.name\n  from crew\n  where (crew.id > 1);"),
    facts: [],
  },
  {
    what: "privileges that the owner has anyway, written out",
    before: crew("name text"),
    after: crew("name text", "GRANT ALL ON crew TO CURRENT_USER; REVOKE ALL ON crew FROM PUBLIC;"),
    facts: [],
  },
  {
    what: "the gap a dropped column leaves",
    before: crew("name text"),
    after: crew("gone text, name text", "ALTER TABLE crew DROP COLUMN gone;"),
    facts: [],
  },
  {
    what: "NOT NULL as a check that says the same",
    before: crew("name text NOT NULL"),
    after: crew("name text CHECK (name IS NOT NULL)"),
    facts: [],
  },
  {
    what: "a foreign key of two columns, written in another order",
    before: `${berth}CREATE TABLE ship (id int PRIMARY KEY, p int, s int, FOREIGN KEY (p, s) REFERENCES berth (pier, slot));`,
    after: `${berth}CREATE TABLE ship (id int PRIMARY KEY, p int, s int, FOREIGN KEY (s, p) REFERENCES berth (slot, pier));`,
    facts: [],
  },
  {
    what: "a function's body with blanks around it, in other quotes",
    before: "CREATE FUNCTION tell(a text) RETURNS text LANGUAGE sql AS 'SELECT a || ''!''';",
    after: "CREATE FUNCTION tell(a text) RETURNS text LANGUAGE sql AS $x$\n  SELECT a || '!'\n$x$;",
    facts: [],
  },
];
