import { expect, test } from "vitest";
import { rowChanges } from "../../src/model/rows.js";
import { schemaSnapshot } from "../../src/model/schema.js";
import { sandbox } from "../support/cli.js";
import { useServer } from "../support/postgres.js";

const server = useServer();
const users =
  "CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL DEFAULT 'x');\nINSERT INTO users VALUES (1, 'a'), (2, 'b');\n";

test("a schema is told line by line, and as JSON whole", async () => {
  const { url } = await server.database({
    sql: `${users}CREATE INDEX ON users (email); CREATE VIEW adults AS SELECT 1 AS one;\nCREATE TABLE "odd\u001b[31m" ("a|b" text);`,
  });
  const place = sandbox();
  const told = await place.run("schema", url.reveal());
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toContain("2 tables · 1 view · 0 routines");
  expect(told.stdout).toContain("table users\n  email  text not null default 'x'::text\n  id     integer not null\n");
  expect(told.stdout).toContain("  PRIMARY KEY (id)\n  index btree (email)\n");
  expect(told.stdout).not.toContain("\u001b");
  const json = await place.run("schema", url.reveal(), "--json");
  const snapshot = schemaSnapshot.parse(JSON.parse(json.stdout));
  expect(snapshot.tables.map(({ name }) => name)).toEqual(["odd\u001b[31m", "users"]);
  expect((await place.run("schema", url.reveal(), "--json")).stdout).toBe(json.stdout);
});

test("rows of two databases are compared, a renamed table in a copy is the same table", async () => {
  const base = await server.database({ sql: users });
  const copy = await server.database({ template: base.name, sql: "UPDATE users SET email = 'c' WHERE id = 2;" });
  const place = sandbox();
  const told = await place.run("rows", base.url.reveal(), copy.url.reveal());
  expect(told.stdout).toBe("users: 2 → 2 rows, by id\n  1 changed: 2\n  columns: email (1)\n");
  await server.query("ALTER TABLE users RENAME TO people", copy.name);
  const json = await place.run("rows", base.url.reveal(), copy.url.reveal(), "--json");
  expect(rowChanges.parse(JSON.parse(json.stdout)).tables).toMatchObject([
    { name: "users", changed: { keys: [["2"]] } },
  ]);
  expect((await place.run("rows", base.url.reveal(), base.url.reveal())).stdout).toBe("the same rows\n");
});

test("a variable of the environment may hold the URL", async () => {
  const { url } = await server.database({ sql: users });
  const place = sandbox({ DATABASE_URL: url.reveal() });
  expect((await place.run("schema", "DATABASE_URL")).stdout).toContain("table users\n");
});

test.each([
  ["no such variable", ["schema", "NO_SUCH"], '"NO_SUCH" is neither'],
  ["no URL", ["schema", "mysql://x:y@localhost/z"], 'begins with "mysql://"'],
  ["nobody there", ["rows", "postgres://u:hidden@127.0.0.1:9/x", "postgres://u:hidden@127.0.0.1:9/y"], "127.0.0.1:9/x"],
])("%s is exit code 2 and shows no password", async (_name, args, said) => {
  const ended = await sandbox().run(...args);
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
  expect(ended.stderr).not.toContain("hidden");
});
