import { expect, test } from "vitest";
import { type Changed, changesOn } from "../support/capture.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

const changesOf = (changed: Changed) => changesOn(server, changed);

const users = `
  CREATE TABLE users (id int PRIMARY KEY, name text, note json);
  INSERT INTO users SELECT n, 'user ' || n, '{"a": 1}' FROM generate_series(1, 12) n;`;

test("an untouched clone has no differences", async () => {
  const { tables, unreadable } = await changesOf({ base: users, run: "SELECT 1" });
  expect({ tables, unreadable }).toEqual({ tables: [], unreadable: [] });
});

test("added, removed and changed rows are told by key, and changes by column", async () => {
  const { table } = await changesOf({
    base: users,
    run: `DELETE FROM users WHERE id IN (2, 11);
      INSERT INTO users VALUES (30, 'new', NULL);
      UPDATE users SET name = 'x', note = '{"a":1}' WHERE id = 3;
      UPDATE users SET name = NULL WHERE id = 10;`,
  });
  expect(table("users")).toMatchObject({
    state: "matched",
    key: ["id"],
    baseRows: 12,
    runRows: 11,
    added: { count: 1, keys: [["30"]] },
    removed: { count: 2, keys: [["2"], ["11"]] },
    changed: { count: 2, keys: [["3"], ["10"]] },
    changedColumns: [
      { name: "name", rows: 2 },
      { name: "note", rows: 1 },
    ],
  });
});

test("an empty text is not the same as none", async () => {
  const { table } = await changesOf({
    base: "CREATE TABLE t (id int PRIMARY KEY, a text); INSERT INTO t VALUES (1, NULL), (2, '')",
    run: "UPDATE t SET a = CASE WHEN a IS NULL THEN '' END",
  });
  expect(table("t")?.changed.count).toBe(2);
});

test("a change that the type itself calls equal is a change", async () => {
  const { table } = await changesOf({
    base: `CREATE EXTENSION citext; CREATE TABLE t (id int PRIMARY KEY, a citext, b numeric);
      INSERT INTO t VALUES (1, 'Ann', 1.0), (2, 'Bob', 2)`,
    run: "UPDATE t SET a = 'ann' WHERE id = 1; UPDATE t SET b = 2.00 WHERE id = 2",
  });
  expect(table("t")?.changed).toEqual({ count: 2, keys: [["1"], ["2"]] });
});

test("a column that was renamed in a clone is the same column", async () => {
  const { table } = await changesOf({
    base: users,
    run: "ALTER TABLE users RENAME name TO title; ALTER TABLE users RENAME TO people; UPDATE people SET title = 'x' WHERE id = 1",
  });
  expect(table("users")?.changedColumns).toEqual([{ name: "name", rows: 1 }]);
});

test("a column that was added counts where it holds a value, and rows are compared without it", async () => {
  const { table } = await changesOf({
    base: users,
    run: "ALTER TABLE users ADD team int, ADD empty int, DROP note; UPDATE users SET team = 1 WHERE id > 4",
  });
  expect(table("users")).toMatchObject({ changed: { count: 0 }, filledColumns: [{ name: "team", rows: 8 }] });
});

test("composite keys and texts are walked in one order on both sides", async () => {
  const { table } = await changesOf({
    base: `CREATE TABLE t (a text COLLATE "en-x-icu", b bigint, v int, PRIMARY KEY (a, b));
      INSERT INTO t SELECT x, n, 1 FROM unnest(ARRAY['a', 'B', 'ä', 'z', '😀', '｡', '']) x, generate_series(-1, 11) n`,
    run: "UPDATE t SET v = 2 WHERE a = '😀' AND b = 10; DELETE FROM t WHERE a = '｡' AND b = 2; INSERT INTO t VALUES ('é', 0, 1)",
  });
  expect(table("t")).toMatchObject({
    added: { count: 1, keys: [["é", "0"]] },
    removed: { count: 1, keys: [["｡", "2"]] },
    changed: { count: 1, keys: [["😀", "10"]] },
  });
});

test("a table without a key is compared as a multiset", async () => {
  const { table } = await changesOf({
    base: "CREATE TABLE t (a int, b xml); INSERT INTO t VALUES (1, '<a/>'), (1, '<a/>'), (2, NULL), (3, NULL)",
    run: "DELETE FROM t WHERE ctid = (SELECT min(ctid) FROM t WHERE a = 1); INSERT INTO t VALUES (2, NULL), (4, '<b/>')",
  });
  expect(table("t")).toMatchObject({ key: null, added: { count: 2 }, removed: { count: 1 }, changed: { count: 0 } });
});

test("however the hashes of contents fall, they are walked in one order", async () => {
  const { table } = await changesOf({
    base: "CREATE TABLE t (h int); INSERT INTO t SELECT generate_series(1, 500)",
    run: "DELETE FROM t WHERE h % 5 = 0; INSERT INTO t SELECT generate_series(501, 530)",
  });
  expect(table("t")).toMatchObject({ added: { count: 30 }, removed: { count: 100 } });
});

test("key columns named like what a query gives out are walked in their own order", async () => {
  const { table } = await changesOf({
    base: `CREATE TABLE t ("format" int, array_to_string int, t int, PRIMARY KEY ("format", array_to_string));
      INSERT INTO t SELECT n, -n, 0 FROM generate_series(1, 120) n`,
    run: "DELETE FROM t WHERE t.format IN (9, 100); UPDATE t SET t = 1 WHERE t.format = 20",
  });
  expect(table("t")).toMatchObject({
    removed: {
      count: 2,
      keys: [
        ["9", "-9"],
        ["100", "-100"],
      ],
    },
    changed: { count: 1, keys: [["20", "-20"]] },
  });
});

test("a unique key that is never null stands in for a primary key, a partial one does not", async () => {
  const { table } = await changesOf({
    base: `CREATE TABLE one (code text NOT NULL UNIQUE, v int); CREATE TABLE two (code text NOT NULL, v int);
      CREATE UNIQUE INDEX ON two (code) WHERE v > 0; INSERT INTO one VALUES ('a', 1); INSERT INTO two VALUES ('a', 1)`,
    run: "UPDATE one SET v = 2; UPDATE two SET v = 2",
  });
  expect([table("one")?.key, table("two")?.key]).toEqual([["code"], null]);
});

test("a run that gives up the key is compared without one", async () => {
  const { table } = await changesOf({
    base: users,
    run: "ALTER TABLE users DROP CONSTRAINT users_pkey; INSERT INTO users SELECT * FROM users WHERE id = 1",
  });
  expect(table("users")).toMatchObject({ key: null, added: { count: 1 }, removed: { count: 0 } });
});

test("new and dropped tables come with their rows, empty ones not at all", async () => {
  const { table, tables } = await changesOf({
    base: `${users} CREATE TABLE old (id int PRIMARY KEY); INSERT INTO old VALUES (7), (10); CREATE TABLE hollow (a int);`,
    run: `DROP TABLE old, hollow; CREATE TABLE none (a int);
      CREATE TABLE members (id serial PRIMARY KEY, user_id int REFERENCES users, twin int REFERENCES members);
      INSERT INTO members (user_id) VALUES (1), (1), (2), (NULL)`,
  });
  expect(tables.map(({ name }) => name)).toEqual(["members", "old"]);
  expect(table("old")).toMatchObject({ state: "dropped", baseRows: 2, removed: { count: 2, keys: [["7"], ["10"]] } });
  expect(table("members")).toMatchObject({
    state: "new",
    runRows: 4,
    added: { count: 4, keys: [["1"], ["2"], ["3"], ["4"]] },
    links: [
      { columns: ["twin"], table: "members", distinct: 0, targetRows: 0 },
      { columns: ["user_id"], schema: "public", table: "users", distinct: 2, targetRows: 12 },
    ],
  });
});

test("a table that was dropped and made again with the same rows has lost none", async () => {
  const { tables } = await changesOf({
    base: users,
    run: "CREATE TABLE copy AS TABLE users; ALTER TABLE copy ADD PRIMARY KEY (id); DROP TABLE users; ALTER TABLE copy RENAME TO users",
  });
  expect(tables).toEqual([]);
});

test("independent databases are matched by name, whatever their identities are", async () => {
  const run = `CREATE TABLE other (id int); CREATE TABLE users (note json, name text, id int PRIMARY KEY);
    INSERT INTO users SELECT '{"a": 1}', 'user ' || n, n FROM generate_series(1, 13) n`;
  const { tables } = await changesOf({ base: users, run, lineage: "independent" });
  expect(tables).toMatchObject([{ name: "users", added: { count: 1, keys: [["13"]] }, changed: { count: 0 } }]);
});

test("names of every kind are quoted", async () => {
  const names = [
    'Upper "quoted"',
    "with'apostrophe",
    "ünï-😀",
    "x".repeat(63),
    "select",
    'a";DROP TABLE users;--',
    "\\",
  ];
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
  const make = quoted.map(
    (name) => `CREATE SCHEMA ${name}; CREATE TABLE ${name}.${name} (${name} text PRIMARY KEY, v int);`,
  );
  const { tables, unreadable } = await changesOf({
    base: make.join("\n"),
    run: quoted.map((name) => `INSERT INTO ${name}.${name} VALUES ('k', 1);`).join("\n"),
  });
  expect(unreadable).toEqual([]);
  expect(tables.map(({ name }) => name).sort()).toEqual([...names].sort());
});

test("partitions are read as one table, inherited rows once", async () => {
  const { tables } = await changesOf({
    base: `CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10); CREATE TABLE p2 PARTITION OF p DEFAULT;
      CREATE TABLE mother (id int PRIMARY KEY); CREATE TABLE child (PRIMARY KEY (id)) INHERITS (mother)`,
    run: "INSERT INTO p VALUES (1), (11); INSERT INTO child VALUES (5)",
  });
  expect(tables.map(({ name, added }) => [name, added.count])).toEqual([
    ["child", 1],
    ["p", 2],
  ]);
});

test("more rows than a batch holds are compared to the last one", async () => {
  const { table } = await changesOf({
    base: "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT n, 'v' FROM generate_series(1, 12000) n",
    run: "UPDATE t SET v = 'w' WHERE id IN (5000, 5001, 12000); DELETE FROM t WHERE id = 10000; INSERT INTO t VALUES (12001)",
  });
  expect(table("t")).toMatchObject({
    changed: { count: 3, keys: [["5000"], ["5001"], ["12000"]] },
    removed: { count: 1, keys: [["10000"]] },
    added: { count: 1, keys: [["12001"]] },
  });
});

test("in a large table, too, each difference is found and no other: few of them or many", async () => {
  const base =
    "CREATE TABLE big (id int PRIMARY KEY, name text); INSERT INTO big SELECT n, 'n' || n FROM generate_series(1, 20000) n";
  const few = await changesOf({
    base,
    run: "DELETE FROM big WHERE id = 7; INSERT INTO big VALUES (20001, 'x'); UPDATE big SET name = 'y' WHERE id IN (8, 19999)",
  });
  expect(few.table("big")).toMatchObject({
    added: { count: 1, keys: [["20001"]] },
    removed: { count: 1, keys: [["7"]] },
    changed: { count: 2, keys: [["8"], ["19999"]] },
    changedColumns: [{ name: "name", rows: 2 }],
  });
  const many = await changesOf({ base, run: "UPDATE big SET name = 'y' WHERE id % 2 = 0" });
  expect(many.table("big")).toMatchObject({ added: { count: 0 }, removed: { count: 0 }, changed: { count: 10_000 } });
});

test("keys of several columns, of text and of another width than base's are the same keys", async () => {
  const base = `CREATE TABLE pairs (a text, b uuid, n int, PRIMARY KEY (a, b));
    INSERT INTO pairs SELECT 'a' || n, md5(n::text)::uuid, n FROM generate_series(1, 50) n;
    CREATE TABLE wide (id int PRIMARY KEY, n int); INSERT INTO wide SELECT n, n FROM generate_series(-50, 50) n`;
  const { table } = await changesOf({
    base,
    run: "UPDATE pairs SET n = 0 WHERE n = 9; ALTER TABLE wide ALTER id TYPE bigint; UPDATE wide SET n = 1000 WHERE id = -50",
  });
  expect(table("pairs")?.changed).toMatchObject({ count: 1, keys: [["a9", expect.any(String)]] });
  expect(table("wide")).toMatchObject({
    added: { count: 0 },
    removed: { count: 0 },
    changed: { count: 1, keys: [["-50"]] },
  });
});
