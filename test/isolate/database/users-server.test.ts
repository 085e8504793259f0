import { afterEach, beforeAll, expect, test } from "vitest";
import { createDatabases } from "../../../src/isolate/database/database.js";
import type { MultirunError } from "../../../src/model/error.js";
import type { Secret } from "../../../src/model/secret.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { queryAt, useServer, withAddress } from "../../support/postgres.js";

const server = useServer();
const seed = "CREATE TABLE users (id int PRIMARY KEY); INSERT INTO users VALUES (1); CREATE EXTENSION pgcrypto";

beforeAll(async () => {
  await server.query(`
    CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'pw-of-maker';
    CREATE ROLE plain LOGIN CREATEDB PASSWORD 'pw-of-plain';
    CREATE ROLE weak LOGIN PASSWORD 'pw-of-weak';
    GRANT CONNECT ON DATABASE postgres TO maker, plain, weak`);
});

const as = (user: string) => withAddress(server.url, { user, password: `pw-of-${user}` });

/** A provider on the user's server; tests take an experiment each, so that they do not meet. */
function open(id: string, url: Secret, seeds = [seed]) {
  const deps = testDeps();
  const provider = createDatabases({
    experiment: testExperiment("/nowhere", { id, provider: "postgres", seeds }),
    url,
    deps,
  });
  const of = (run: string) => holder(run, { experiment: id });
  return { provider, deps, of, acquire: (run: string) => provider.databases.acquire(of(run)) };
}

const leftovers = async () => {
  const names = await server.query<{ name: string }>(
    `SELECT datname::text AS name FROM pg_database WHERE datname LIKE 'multirun\\_%'
     UNION ALL SELECT rolname::text FROM pg_roles WHERE rolname LIKE 'multirun\\_%'`,
  );
  return names.map(({ name }) => name);
};

afterEach(async () => {
  expect(await leftovers()).toEqual([]);
});

for (const user of ["superuser", "maker"]) {
  test(`a ${user} gives each run a role and a database of its own, and takes both back`, async () => {
    const { provider, deps, of, acquire } = open("own-roles", user === "superuser" ? server.url : as(user));
    await provider.check();
    await acquire("base");
    await provider.seal();
    const [one, two] = await Promise.all([acquire("r01"), acquire("r02"), acquire("reference")]);
    expect(
      await queryAt(one.url, "ALTER TABLE users ADD a int; SELECT current_user::text AS u, id FROM users"),
    ).toEqual([{ u: one.name, id: 1 }]);
    await queryAt(two.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await expect(queryAt(withAddress(one.url, { database: two.name }), "SELECT 1")).rejects.toThrow(
      "permission denied",
    );
    expect(await queryAt(provider.adminUrl(one.name), "SELECT id FROM users")).toEqual([{ id: 1 }]);
    expect((await acquire("r01")).name).toBe(one.name);
    for (const run of ["r01", "r02", "reference", "base"]) await provider.databases.release(of(run));
    expect(deps.lines).toEqual([]);
  });
}

test("what capture reads as may look at every row and change nothing", async () => {
  const { provider, of, acquire } = open("reader", server.url);
  await acquire("base");
  const { url, name } = await acquire("r01");
  await queryAt(url, "ALTER TABLE users ENABLE ROW LEVEL SECURITY; ALTER TABLE users FORCE ROW LEVEL SECURITY");
  expect(await queryAt(provider.adminUrl(name), "SELECT id FROM users")).toEqual([{ id: 1 }]);
  await expect(queryAt(provider.adminUrl(name), "DELETE FROM users")).rejects.toThrow("permission denied");
  expect(await queryAt(provider.adminUrl(name), "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")).toEqual([
    { rolsuper: false },
  ]);
  for (const run of ["r01", "base"]) await provider.databases.release(of(run));
});

test("without the right to create roles, runs share the URL's own role, and that is said once", async () => {
  const { provider, deps, of, acquire } = open("shared-role", as("plain"));
  await provider.check();
  await provider.check();
  await acquire("base");
  await provider.seal();
  const { url } = await acquire("r01");
  expect(await queryAt(url, "SELECT current_user::text AS u, id FROM users")).toEqual([{ u: "plain", id: 1 }]);
  expect(deps.lines).toHaveLength(1);
  expect(deps.lines[0]).toContain('Role "plain" may not create roles');
  for (const run of ["r01", "base"]) await provider.databases.release(of(run));
});

test("what has our name and no marker is neither used nor dropped", async () => {
  const { provider, of, acquire } = open("foreign", server.url);
  await acquire("base");
  await server.query("CREATE DATABASE multirun_foreign_r01_1");
  await expect(acquire("r01")).rejects.toThrow(
    'The database "multirun_foreign_r01_1" exists and bears no multirun marker',
  );
  await expect(provider.databases.release(of("r01"))).rejects.toThrow("bears no multirun marker");
  await server.query("COMMENT ON DATABASE multirun_foreign_r01_1 IS 'mine'");
  await expect(provider.databases.release(of("r01"))).rejects.toThrow("bears no multirun marker");
  expect((await provider.databases.list()).map(({ id }) => id)).not.toContain("multirun_foreign_r01_1");
  await server.query("DROP DATABASE multirun_foreign_r01_1");
  await provider.databases.release(of("base"));
});

test("a list names what other experiments hold on the server too", async () => {
  const [one, two] = [open("list-one", server.url), open("list-two", server.url, [])];
  await Promise.all([one.acquire("base"), two.acquire("base")]);
  const expiresAt = expect.any(String);
  const held = (await one.provider.databases.list()).filter(({ kind }) => kind === "database");
  expect(held).toEqual([
    { kind: "database", id: "multirun_list_one_base", holder: one.of("base"), expiresAt },
    { kind: "database", id: "multirun_list_two_base", holder: two.of("base"), expiresAt },
  ]);
  await Promise.all([one.provider.databases.release(one.of("base")), two.provider.databases.release(two.of("base"))]);
});

test("a template that is in use is waited for", async () => {
  const { provider, of, acquire } = open("busy", server.url);
  const { url } = await acquire("base");
  const busy = queryAt(url, "SELECT pg_sleep(6)");
  await acquire("r01");
  await busy;
  for (const run of ["r01", "base"]) await provider.databases.release(of(run));
}, 30_000);

const refusals: { what: string; url: () => Secret; message: RegExp; hint: RegExp }[] = [
  {
    what: "nobody listens",
    url: () => withAddress(server.url, { port: 1 }),
    message: /127\.0\.0\.1:1\/postgres: cannot be reached: .*ECONNREFUSED/,
    hint: /Check host and port/,
  },
  {
    what: "the password is wrong",
    url: () => withAddress(server.url, { password: "hunter2" }),
    message: /user "multirun" was turned away \(28P01\)/,
    hint: /Check user and password/,
  },
  {
    what: "the database is missing",
    url: () => withAddress(server.url, { database: "nope" }),
    message: /has no database "nope"/,
    hint: /existing database/,
  },
  {
    what: "the role may not create databases",
    url: () => as("weak"),
    message: /role "weak" may not create databases/,
    hint: /CREATEDB CREATEROLE/,
  },
];

for (const { what, url, message, hint } of refusals) {
  test(`a server is refused where ${what}, in words that hold no password`, async () => {
    const error = await open("refused", url())
      .provider.check()
      .then(
        () => undefined,
        (thrown: MultirunError) => thrown,
      );
    expect(error).toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(`${error?.message} ${error?.hint}`).not.toMatch(/hunter2|pw-of-/);
  });
}

test("a provider without its URL is refused", () => {
  const experiment = testExperiment("/nowhere", { provider: "postgres" });
  expect(() => createDatabases({ experiment, deps: testDeps() })).toThrow("needs the URL of a server");
});
