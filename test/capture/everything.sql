CREATE EXTENSION citext;
CREATE SCHEMA "Odd ""Schema""";
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN email AS citext COLLATE "C" DEFAULT 'a@b' NOT NULL CHECK (VALUE ~ '@');
CREATE TYPE point3 AS (x int, y numeric(10,2), label text COLLATE "C");
CREATE TYPE floatrange AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name varchar(50) NOT NULL,
  email email UNIQUE,
  mood mood DEFAULT 'ok',
  born date,
  full_name text GENERATED ALWAYS AS (name || '!') STORED,
  CONSTRAINT positive CHECK (id > 0),
  CHECK (name <> ''),
  CHECK (born > '1900-01-01' AND name <> 'x')
);
COMMENT ON TABLE users IS 'people';
COMMENT ON COLUMN users.name IS 'as they write it';
CREATE TABLE "Odd ""Schema"""."Tä ""b""" (
  "Ü" serial,
  a int,
  b int,
  during tstzrange,
  PRIMARY KEY ("Ü", a),
  UNIQUE (a, b) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (a) REFERENCES public.users ON DELETE CASCADE ON UPDATE SET NULL,
  EXCLUDE USING gist (during WITH &&)
);
ALTER TABLE "Odd ""Schema"""."Tä ""b""" ADD CONSTRAINT later CHECK (b > 0) NOT VALID;
CREATE TABLE parts (id int, at date NOT NULL, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE parts_2024 PARTITION OF parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
CREATE TABLE pointing (id int, at date, note text COLLATE "C", FOREIGN KEY (id, at) REFERENCES parts);
CREATE UNLOGGED TABLE child (extra int) INHERITS (users) WITH (fillfactor = 70);
CREATE INDEX ON users (lower(name) DESC, born DESC NULLS LAST) INCLUDE (id) WHERE born IS NOT NULL;
CREATE INDEX by_hand ON users (name text_pattern_ops, email COLLATE "de-x-icu" NULLS FIRST);
CREATE UNIQUE INDEX ON users (born);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY mine ON users AS RESTRICTIVE FOR UPDATE TO CURRENT_USER, PUBLIC USING (id = 1) WITH CHECK (id = 2);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
CREATE FUNCTION add(a text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT a';
CREATE PROCEDURE tidy() LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');
CREATE TRIGGER touched BEFORE UPDATE OF name ON users FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION touch();
ALTER TABLE users DISABLE TRIGGER touched;
CREATE VIEW names WITH (security_barrier) AS SELECT name FROM users;
CREATE MATERIALIZED VIEW counts AS SELECT count(*) AS n FROM users;
CREATE INDEX ON counts (n);
CREATE SEQUENCE tickets AS smallint START 5 INCREMENT 2 MAXVALUE 99 CYCLE;
CREATE STATISTICS about (dependencies) ON name, born FROM users;
CREATE PUBLICATION news FOR TABLE parts_2024 (id, at) WHERE (id > 1);
CREATE FUNCTION noted() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER watch ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION noted();
GRANT SELECT ON users TO PUBLIC;
GRANT UPDATE (name) ON users TO pg_monitor WITH GRANT OPTION;
GRANT INSERT, SELECT ON users TO pg_monitor;
ALTER TABLE users REPLICA IDENTITY FULL;
COMMENT ON COLUMN names.name IS 'as shown';
GRANT SELECT (name) ON names TO pg_monitor;
ALTER VIEW names ALTER name SET DEFAULT 'nobody';
CREATE RULE quiet AS ON DELETE TO pointing WHERE OLD.id = 1 DO INSTEAD NOTHING;
ALTER TABLE pointing OWNER TO pg_monitor;
CREATE FUNCTION owned() RETURNS int LANGUAGE sql AS 'SELECT 1';
ALTER FUNCTION owned() OWNER TO pg_monitor;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO pg_monitor;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, COMMUTATOR = ===, HASHES);
CREATE FUNCTION to_mood(int) RETURNS mood LANGUAGE sql IMMUTABLE AS $$SELECT 'ok'::mood$$;
CREATE CAST (int AS mood) WITH FUNCTION to_mood(int) AS ASSIGNMENT;
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TEXT SEARCH DICTIONARY plain (TEMPLATE = simple, STOPWORDS = english);
CREATE TEXT SEARCH CONFIGURATION search (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION search ALTER MAPPING FOR word WITH plain, simple;
COMMENT ON TEXT SEARCH CONFIGURATION search IS 'for titles';
