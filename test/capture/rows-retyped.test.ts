import { expect, test } from "vitest";
import { rowChangesBetween } from "../support/capture.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

async function changesOf(base: string, run: string) {
  const before = await server.database({ sql: base });
  const after = await server.database({ template: before.name, sql: run });
  return rowChangesBetween({ base: before.url, run: after.url });
}

const cargo = `CREATE TABLE cargo (id int PRIMARY KEY, price numeric(10,2), code char(5), tags json, loaded timestamp, due date);
  INSERT INTO cargo VALUES (1, 1.5, 'ab', '{"a":1}', '2024-01-01', '2024-02-01'), (2, 'NaN', NULL, NULL, 'infinity', NULL);`;
const retype = `ALTER TABLE cargo ALTER price TYPE numeric(12,4), ALTER code TYPE text, ALTER tags TYPE jsonb,
  ALTER loaded TYPE timestamptz USING loaded AT TIME ZONE 'UTC', ALTER due TYPE timestamp, ALTER id TYPE numeric(20,3);`;

test("a column of another type that holds the same values is no change of rows", async () => {
  expect(await changesOf(cargo, retype)).toMatchObject({ tables: [], unreadable: [] });
});

test("values that change while their type does are told", async () => {
  const { tables } = await changesOf(cargo, `${retype} UPDATE cargo SET price = 1.51 WHERE id = 1`);
  expect(tables).toMatchObject([
    { changed: { count: 1, keys: [["1"]] }, changedColumns: [{ name: "price", rows: 1 }], removed: { count: 0 } },
  ]);
});

test("a column that was dropped and made again is a new one, filled or not", async () => {
  const again = "ALTER TABLE cargo DROP code; ALTER TABLE cargo ADD code text; UPDATE cargo SET code = 'zz';";
  const { tables } = await changesOf(cargo, again);
  expect(tables).toMatchObject([{ changed: { count: 0 }, filledColumns: [{ name: "code", rows: 2 }] }]);
});

const moods = `CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); CREATE TYPE "Odd Mood" AS ENUM ('a', 'b');
  CREATE TABLE people (id int PRIMARY KEY, mood mood, moods mood[], "Odd" "Odd Mood");
  INSERT INTO people VALUES (1, 'ok', '{sad,ok}', 'a'), (2, 'sad', '{}', NULL), (3, NULL, NULL, 'b');
  CREATE TABLE by_mood (mood mood PRIMARY KEY, n int); INSERT INTO by_mood VALUES ('sad', 1), ('ok', 2);`;
const relabel = `ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'; ALTER TYPE mood ADD VALUE 'ok' BEFORE 'sad';
  ALTER TYPE "Odd Mood" RENAME VALUE 'a' TO 'z'; ALTER TYPE mood RENAME TO feeling;`;

test("a label of an enum under another name changes no rows", async () => {
  expect(await changesOf(moods, relabel)).toMatchObject({ tables: [], unreadable: [] });
});

test("rows that get another label are told beside labels that got another name", async () => {
  // In one transaction nobody may use a label that was just added.
  const { tables } = await changesOf(
    moods,
    `ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'; UPDATE people SET mood = 'happy' WHERE id = 1;
     UPDATE people SET moods = '{sad,happy}' WHERE id = 1; UPDATE by_mood SET n = 3 WHERE mood = 'fine';`,
  );
  expect(tables).toMatchObject([
    { name: "by_mood", key: null, added: { count: 1 }, removed: { count: 1 } },
    {
      name: "people",
      changed: { count: 1, keys: [["1"]] },
      changedColumns: [
        { name: "mood", rows: 1 },
        { name: "moods", rows: 1 },
      ],
    },
  ]);
});
