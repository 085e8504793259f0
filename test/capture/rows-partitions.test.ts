import { expect, test } from "vitest";
import { changesOn } from "../support/capture.js";
import { useServer } from "../support/postgres.js";

const server = useServer();
const log = `CREATE TABLE log (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
  CREATE TABLE log_old PARTITION OF log FOR VALUES FROM (MINVALUE) TO ('2024-01-01') PARTITION BY RANGE (at);
  CREATE TABLE log_oldest PARTITION OF log_old DEFAULT;
  CREATE TABLE "Log 24" PARTITION OF log FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
  CREATE TABLE apart (id int, at date NOT NULL, PRIMARY KEY (id, at));
  INSERT INTO log VALUES (1, '2020-01-01'), (2, '2021-01-01'), (3, '2024-06-01'); INSERT INTO apart VALUES (9, '2026-01-01');`;
const changesOf = (run: string) => changesOn(server, { base: log, run });

test.each([
  ["a part that is detached", 'ALTER TABLE log DETACH PARTITION "Log 24"'],
  ["a part with parts of its own that is detached", "ALTER TABLE log DETACH PARTITION log_old"],
  [
    "a table that becomes a part",
    "ALTER TABLE log ATTACH PARTITION apart FOR VALUES FROM ('2026-01-01') TO (MAXVALUE)",
  ],
  [
    "a table that becomes a part of a new one",
    `CREATE TABLE whole (id int, at date NOT NULL) PARTITION BY RANGE (at);
     ALTER TABLE whole ATTACH PARTITION apart FOR VALUES FROM ('2026-01-01') TO (MAXVALUE)`,
  ],
])("%s takes its rows along", async (_, run) => {
  expect(await changesOf(run)).toMatchObject({ tables: [], unreadable: [] });
});

test("rows that change, come and go beside a detached part are told, each of the table it is in now", async () => {
  const { tables } = await changesOf(
    `ALTER TABLE log DETACH PARTITION log_old; DELETE FROM log_old WHERE id = 1; INSERT INTO log VALUES (4, '2024-07-01')`,
  );
  expect(tables).toMatchObject([
    { name: "log", baseRows: 1, runRows: 2, added: { count: 1 }, removed: { count: 0 } },
    {
      name: "log_old",
      baseRows: 2,
      runRows: 1,
      added: { count: 0 },
      removed: { count: 1, keys: [["1", "2020-01-01"]] },
    },
  ]);
});

test("a part that goes to another table is lost to one and new to the other", async () => {
  const { tables } = await changesOf(
    `CREATE TABLE other (id int, at date NOT NULL) PARTITION BY RANGE (at); ALTER TABLE log DETACH PARTITION "Log 24";
     ALTER TABLE other ATTACH PARTITION "Log 24" FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')`,
  );
  expect(tables.map(({ name, added, removed }) => [name, added.count, removed.count])).toEqual([
    ["log", 0, 1],
    ["other", 1, 0],
  ]);
});

test("a dropped table whose part is kept has lost the rows of the others", async () => {
  const { tables } = await changesOf('ALTER TABLE log DETACH PARTITION "Log 24"; DROP TABLE log');
  expect(tables).toMatchObject([{ name: "log", state: "dropped", removed: { count: 2 } }]);
});
