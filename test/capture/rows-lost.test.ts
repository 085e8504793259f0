import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { connect } from "../../src/clients/postgres.js";
import type { RowChanges } from "../../src/model/rows.js";
import { rowChangesBetween } from "../support/capture.js";
import { queryAt, useServer, withAddress } from "../support/postgres.js";

const server = useServer();
const base = `CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a VALUES (1, 1);
  CREATE TABLE b (id int PRIMARY KEY, v int); INSERT INTO b VALUES (1, 1);
  CREATE TABLE c (id int PRIMARY KEY, v int); INSERT INTO c VALUES (1, 1);`;
const change = "UPDATE a SET v = 2; UPDATE b SET v = 2; UPDATE c SET v = 2;";

interface Lost {
  run?: string;
  /** What happens while the reader waits for the lock that somebody else has on table `b`. */
  atB?: (reader: number, database: string) => Promise<unknown>;
}

/** Compares a clone in which every table has changed, and lets something happen to the reader at the second of three. */
async function changesWhen({ run = "SELECT 1", atB }: Lost): Promise<RowChanges> {
  const before = await server.database({ sql: base });
  const after = await server.database({ template: before.name, sql: `${change} ${run}` });
  const timeoutMs = 40_000;
  if (!atB) return rowChangesBetween({ base: before.url, run: after.url, timeoutMs });
  let happened: Promise<unknown> | undefined;
  const meanwhile = async () => {
    const locker = await connect(after.url);
    await locker.query("BEGIN; LOCK TABLE b");
    happened = waitingIn(after.name)
      .then((reader) => atB(reader, after.name))
      .finally(() => locker.end());
  };
  const changes = await rowChangesBetween({ base: before.url, run: after.url, timeoutMs, meanwhile });
  await happened;
  return changes;
}

async function waitingIn(database: string): Promise<number> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const [found] = await queryAt<{ pid: number }>(
      server.url,
      `SELECT pid FROM pg_stat_activity WHERE datname = '${database}' AND wait_event_type = 'Lock'`,
    );
    if (found) return found.pid;
    if (performance.now() > deadline) throw new Error("nobody waits for the lock");
    await pause(20);
  }
}

const namesOf = ({ tables }: RowChanges) => tables.map(({ name }) => name);

test("a connection that is lost once costs nothing", async () => {
  const changes = await changesWhen({ atB: (pid) => server.query(`SELECT pg_terminate_backend(${pid})`) });
  expect(namesOf(changes)).toEqual(["a", "b", "c"]);
  expect(changes.unreadable).toEqual([]);
});

test("a table that ends every connection it is read on is reported, and the others are compared", async () => {
  // Called as soon as anything is planned for the table.
  const run = `CREATE FUNCTION public.quit() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN
      IF current_setting('row_security') = 'off' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN 1; END $f$;
    CREATE INDEX ON b ((public.quit()));`;
  const changes = await changesWhen({ run });
  expect(namesOf(changes)).toEqual(["a", "c"]);
  expect(changes.unreadable).toEqual([{ object: "public.b", reason: expect.stringContaining("terminat") }]);
});

test("a database that goes away in the middle keeps what was read of it, and the rest is reported", async () => {
  const changes = await changesWhen({ atB: (_, database) => server.query(`DROP DATABASE ${database} WITH (FORCE)`) });
  expect(namesOf(changes)).toEqual(["a"]);
  expect(changes.unreadable).toEqual(
    ["public.b", "public.c"].map((object) => ({ object, reason: expect.stringContaining("does not exist") })),
  );
});

test("where the time is up, what was read is kept and the rest is reported", async () => {
  const locked = ["d", "e", "f", "g", "h"];
  const make = locked.map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY);`).join("");
  const before = await server.database({ sql: base + make });
  const after = await server.database({ template: before.name, sql: change });
  const locker = await connect(after.url);
  // Each lock is waited for during a quarter of the time.
  const meanwhile = () => locker.query(`BEGIN; LOCK TABLE ${locked.join()}`);
  const changes = await rowChangesBetween({ base: before.url, run: after.url, timeoutMs: 4_000, meanwhile });
  await locker.end();
  expect(namesOf(changes)).toEqual(["a", "b", "c"]);
  expect(changes.unreadable.map(({ object }) => object)).toEqual(locked.map((name) => `public.${name}`));
  expect(changes.unreadable.at(-1)?.reason).toBe("The database could not be read within 4000 ms");
});

test("a server that one of its processes dies of is waited for, and all is read", async () => {
  const changes = await changesWhen({ atB: async (pid) => process.kill(pid, "SIGKILL") });
  expect(changes.unreadable).toEqual([]);
  expect(namesOf(changes)).toEqual(["a", "b", "c"]);
  expect(await queryAt(withAddress(server.url, { database: "postgres" }), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});
