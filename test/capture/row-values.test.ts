import { expect, test } from "vitest";
import { type Changed, changesOn } from "../support/capture.js";
import { useServer } from "../support/postgres.js";

const server = useServer();
const changesOf = (changed: Changed) => changesOn(server, changed);

test("what new columns hold is told without any row's identity", async () => {
  const base = `CREATE TABLE users (id int PRIMARY KEY, name text, email text);
    INSERT INTO users SELECT n, 'user ' || n, 'u' || n || '@example.com' FROM generate_series(1, 12) n;`;
  const { table } = await changesOf({
    base,
    run: `ALTER TABLE users ADD plan text, ADD login text, ADD title text, ADD seen timestamptz, ADD code int, ADD empty text;
      UPDATE users SET plan = 'free', login = email, title = 'The ' || name || ' page', seen = now(), code = 7 * id % 5;
      CREATE TABLE teams (id int PRIMARY KEY, owner_id int REFERENCES users, name text, slug text, kind text);
      INSERT INTO teams SELECT id, id, name || '''s team', email, 'own' FROM users;`,
  });
  const told = (name: string) =>
    table(name)?.values?.map(({ column, distinct, kind, from, value }) => [
      column,
      distinct,
      kind,
      from?.column ?? value,
    ]);
  expect(told("users")).toEqual([
    ["code", 5, "own", null],
    ["login", 12, "copy", "email"],
    ["plan", 1, "constant", "free"],
    ["seen", 1, "generated", null],
    ["title", 12, "template", "name"],
  ]);
  expect(told("teams")).toEqual([
    ["kind", 1, "constant", "own"],
    ["name", 12, "template", "name"],
    ["slug", 12, "copy", "email"],
  ]);
  expect(table("teams")?.values?.[1]?.from).toEqual({ table: "users", column: "name" });
});

test("references of a new column say how many rows they lead to, and a type without order costs no other fact", async () => {
  const base = "CREATE TABLE users (id int PRIMARY KEY); INSERT INTO users SELECT n FROM generate_series(1, 4) n;";
  const { table, unreadable } = await changesOf({
    base,
    run: `CREATE TABLE teams (id int PRIMARY KEY, shape point); INSERT INTO teams VALUES (1, '(1,2)');
      ALTER TABLE users ADD team_id int REFERENCES teams, ADD place point, ADD note json;
      UPDATE users SET team_id = 1, place = '(1,2)', note = '{}';`,
  });
  expect(unreadable).toEqual([]);
  expect(table("users")?.values?.map(({ column, rows, distinct }) => [column, rows, distinct])).toEqual([
    ["note", 4, 1],
    ["place", 4, 1],
    ["team_id", 4, 1],
  ]);
  expect(table("teams")).toMatchObject({ runRows: 1 });
});

test("references nobody checks are followed: what leads to nothing is counted", async () => {
  const base =
    "CREATE TABLE users (id int PRIMARY KEY, boss int); INSERT INTO users SELECT n, n + 9 FROM generate_series(1, 4) n;";
  const { table } = await changesOf({
    base,
    run: `CREATE TABLE teams (id int PRIMARY KEY); INSERT INTO teams VALUES (1);
      ALTER TABLE users ADD team_id int; UPDATE users SET team_id = id;
      ALTER TABLE users ADD CONSTRAINT led FOREIGN KEY (boss) REFERENCES users NOT VALID;
      CREATE TABLE posts (id int PRIMARY KEY, user_id int, tag_id int); INSERT INTO posts VALUES (1, 1, 5), (2, 7, 6), (3, NULL, 7);`,
  });
  expect(table("users")?.orphans).toEqual([
    { column: "boss", schema: "public", table: "users", rows: 4 },
    { column: "team_id", schema: "public", table: "teams", rows: 3 },
  ]);
  expect(table("posts")?.orphans).toEqual([{ column: "user_id", schema: "public", table: "users", rows: 1 }]);
});
