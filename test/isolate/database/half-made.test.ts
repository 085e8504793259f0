import { beforeAll, expect, test } from "vitest";
import { createDatabases } from "../../../src/isolate/database/database.js";
import { databaseName, sharedRoleName } from "../../../src/isolate/database/names.js";
import type { Secret } from "../../../src/model/secret.js";
import { holder, testDeps, testExperiment } from "../../support/experiment.js";
import { marked, queryAt, useServer, withAddress } from "../../support/postgres.js";

const server = useServer();
const seed = "CREATE TABLE users (id int PRIMARY KEY)";

beforeAll(async () => {
  await server.query(`
    CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'pw';
    CREATE ROLE plain LOGIN CREATEDB PASSWORD 'pw';
    GRANT CONNECT ON DATABASE postgres TO maker, plain`);
});

const as = (user: string) => (user === "superuser" ? server.url : withAddress(server.url, { user, password: "pw" }));

function open(id: string, url: Secret) {
  const experiment = testExperiment("/nowhere", { id, provider: "postgres", seeds: [seed] });
  const { databases } = createDatabases({ experiment, url, deps: testDeps() });
  return { databases, of: (run: string) => holder(run, { experiment: id }) };
}

/** What is there when a client dies while the server creates the database: its role is marked, it itself is not. */
async function createUnmarked(url: Secret, run: string, id: string): Promise<void> {
  const of = holder(run, { experiment: id });
  const role = run === "base" ? sharedRoleName(of.experiment, "seed") : databaseName(of);
  const marker = {
    multirun: 1,
    experiment: id,
    run,
    repo: "/r",
    expiresAt: "2030-01-01T00:00:00.000Z",
    state: "making",
  };
  await queryAt(
    url,
    `CREATE ROLE ${role} LOGIN; COMMENT ON ROLE ${role} IS '${JSON.stringify(marker)}'; GRANT ${role} TO CURRENT_USER`,
  );
  await queryAt(url, `CREATE DATABASE ${databaseName(of)} OWNER ${role}`);
}

for (const user of ["superuser", "maker"]) {
  test(`a database that a killed ${user} could not mark any more is made anew`, async () => {
    const { databases, of } = open("killed", as(user));
    await createUnmarked(as(user), "base", "killed");
    await databases.acquire(of("base"));
    for (const run of ["reference", "r01"]) {
      await createUnmarked(as(user), run, "killed");
      const { url } = await databases.acquire(of(run));
      expect(await queryAt(url, "SELECT * FROM users"), run).toEqual([]);
    }
    for (const run of ["r01", "reference", "base"]) await databases.release(of(run));
    expect(await marked(server)).toEqual([]);
  });

  test(`a database that a killed ${user} could not mark any more is listed and released`, async () => {
    const { databases, of } = open("killed", as(user));
    for (const run of ["base", "reference", "r01"]) {
      await createUnmarked(as(user), run, "killed");
      const found = (await databases.list()).filter(({ kind }) => kind === "database");
      expect(found).toEqual([expect.objectContaining({ id: databases.idFor(of(run)), holder: of(run) })]);
      await databases.release(of(run));
      expect(await marked(server), run).toEqual([]);
    }
  });
}

test("base belongs to the administrator once it is marked", async () => {
  const { databases, of } = open("owned", as("maker"));
  await databases.acquire(of("base"));
  const owner = "SELECT datdba::regrole::text AS owner FROM pg_database WHERE datname = 'multirun_owned_base'";
  expect(await server.query(owner)).toEqual([{ owner: "maker" }]);
  await databases.release(of("base"));
});

test("a role that only bears the seed role's name makes no database ours", async () => {
  const { databases, of } = open("foreign", as("superuser"));
  await server.query("CREATE ROLE multirun_foreign_seed");
  await server.query("CREATE DATABASE multirun_foreign_base OWNER multirun_foreign_seed");
  await expect(databases.acquire(of("base"))).rejects.toThrow("bears no multirun marker");
  await expect(databases.release(of("base"))).rejects.toThrow("bears no multirun marker");
  await server.query("DROP DATABASE multirun_foreign_base");
  await server.query("DROP ROLE multirun_foreign_seed");
});

test("where runs have no roles, an unmarked database is kept, and what to drop is said", async () => {
  const { databases, of } = open("no-roles", as("plain"));
  await queryAt(as("plain"), "CREATE DATABASE multirun_no_roles_base");
  await expect(databases.acquire(of("base"))).rejects.toMatchObject({
    code: "infra",
    hint: expect.stringContaining('DROP DATABASE "multirun_no_roles_base";'),
  });
  await queryAt(as("plain"), "DROP DATABASE multirun_no_roles_base");
  await databases.acquire(of("base"));
  await databases.release(of("base"));
});
