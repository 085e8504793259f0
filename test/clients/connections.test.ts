import { expect, test } from "vitest";
import { type Connections, keepConnections } from "../../src/clients/connections.js";
import { withClient } from "../../src/clients/postgres.js";
import { useServer } from "../support/postgres.js";
import { eventually } from "../support/program.js";

const server = useServer();

function ask(kept: Connections): Promise<number> {
  return kept.lend(async (client) => (await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid);
}

async function lives(pid: number): Promise<boolean> {
  return (await server.query(`SELECT FROM pg_stat_activity WHERE pid = ${pid}`)).length > 0;
}

test("a connection is kept for the next who asks, and never lent to two at once", async () => {
  const kept = keepConnections(server.url);
  const first = await ask(kept);
  expect(await ask(kept)).toBe(first);
  const [one, other] = await Promise.all([ask(kept), ask(kept)]);
  expect(one).not.toBe(other);
  kept.close();
  await eventually(async () => !(await lives(first)));
});

test("where its user failed a connection is closed, whatever state it was left in", async () => {
  const kept = keepConnections(server.url);
  const first = await ask(kept);
  await expect(kept.lend((client) => client.query("BEGIN; SELECT 1 / 0"))).rejects.toThrow("division by zero");
  expect(await ask(kept)).not.toBe(first);
  await eventually(async () => !(await lives(first)));
  kept.close();
});

test("one that the server ended while it was idle is not lent again", async () => {
  const kept = keepConnections(server.url);
  const first = await ask(kept);
  await server.query(`SELECT pg_terminate_backend(${first})`);
  await eventually(async () => (await ask(kept).catch(() => first)) !== first);
  kept.close();
});

test.each(["kept", "own"])("a wish to stop breaks the query in a connection that is %s", async (kind) => {
  const kept = keepConnections(server.url);
  const stop = new AbortController();
  const sleep = (signal: AbortSignal) =>
    kind === "kept"
      ? kept.lend((client) => client.query(`SELECT pg_sleep(60) AS ${kind}`), signal)
      : withClient(server.url, {}, (client) => client.query(`SELECT pg_sleep(60) AS ${kind}`), signal);
  const broken = expect(sleep(stop.signal)).rejects.toThrow();
  const sleeping = () => server.query(`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%${kind}'`);
  await eventually(async () => (await sleeping()).length === 1);
  stop.abort();
  await broken;
  await expect(sleep(stop.signal)).rejects.toThrow("abort");
  kept.close();
});
