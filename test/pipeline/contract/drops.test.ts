import { expect, test } from "vitest";
import { dropsIn, forwardPart, isWayBack } from "../../../src/pipeline/contract/drops.js";

const told = (sql: string) => dropsIn(sql).map(({ kind, name }) => `${kind} ${name}`);

test.each([
  ["DROP TABLE notes;", ["table notes"]],
  ['drop table if exists public.notes, "Odd;Name" cascade', ["table notes", "table Odd;Name"]],
  ["ALTER TABLE ONLY notes\n  DROP COLUMN IF EXISTS body, DROP title;", ["column notes.body", "column notes.title"]],
  [
    "DROP SCHEMA audit; DROP TYPE state; DROP DOMAIN mail; DROP FOREIGN TABLE far",
    ["schema audit", "type state", "type mail", "table far"],
  ],
  ["ALTER TYPE pair DROP ATTRIBUTE b", ["column pair.b"]],
  ["DROP OWNED BY app", ["everything app"]],
  ["DO $x$ BEGIN DROP TABLE notes; END $x$;", ["table notes"]],
  ["DROP/* quietly */TABLE--\nnotes", ["table notes"]],
])("%s drops", (sql, expected) => {
  expect(told(sql)).toEqual(expected);
});

test.each([
  "ALTER TABLE a DROP CONSTRAINT b, ALTER COLUMN c DROP NOT NULL, ALTER d DROP DEFAULT",
  "DROP INDEX a; DROP VIEW b; DROP FUNCTION c()",
  "-- DROP TABLE a\n/* DROP TABLE b */ SELECT 'DROP TABLE c'",
  "CREATE TEMP TABLE t (a int); ALTER TABLE t DROP COLUMN a; DROP TABLE t",
  "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE a; END $$",
  "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING",
])("%s drops nothing of base", (sql) => {
  expect(told(sql)).toEqual([]);
});

test("the way back of a migration is none", () => {
  expect(told(forwardPart("CREATE TABLE a ();\n-- +goose Down\nDROP TABLE b;"))).toEqual([]);
  expect(told(forwardPart("CREATE TABLE a ();\n-- migrate:down\nDROP TABLE b;"))).toEqual([]);
  expect(["1.down.sql", "db/revert/1.sql", "db/U2__teams.sql"].filter(isWayBack)).toHaveLength(3);
  expect(["1.sql", "db/countdown.sql", "db/V2__teams.sql", "downtown/1.sql"].filter(isWayBack)).toEqual([]);
});

test("a text of any length is read in linear time", () => {
  const timeOf = (count: number) => {
    const begun = performance.now();
    expect(dropsIn(`ALTER TABLE a ${"DROP b, ".repeat(count)}DROP c;`)).toHaveLength(count + 1);
    expect(dropsIn("DROP TABLE a; ".repeat(count))).toHaveLength(count);
    return performance.now() - begun;
  };
  timeOf(1_000);
  expect(timeOf(50_000)).toBeLessThan(50 * Math.max(timeOf(5_000), 20));
});
