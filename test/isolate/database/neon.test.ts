import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openNeon } from "../../../src/isolate/database/neon/api.js";
import { Secret } from "../../../src/model/secret.js";

const key = "napi_key_that_nobody_may_see";

/** Neon's API as somebody who lies would play it. */
async function lying(status: number, body: unknown, headers: Record<string, string> = {}) {
  const slept: number[] = [];
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let now = 1_000_000;
  const sleep = async (ms: number) => {
    slept.push(ms);
    now += ms;
  };
  const deps = { now: () => now, sleep, log: { info: () => undefined, warn: () => undefined } };
  const url = `http://127.0.0.1:${port}`;
  const options = { key: new Secret(key), project: "p", url, callsPerSecond: 1_000, random: () => 0, deps };
  return { neon: await openNeon(options), slept, until: now + 60_000 };
}

const branch = { id: "br-1", name: "main", default: true, protected: false, created_at: "2026-01-01T00:00:00Z" };

test("a list that never ends ends where it comes back to itself", async () => {
  const { neon, until } = await lying(200, { branches: [branch], annotations: {}, pagination: { next: "again" } });
  expect((await neon.branches(until)).map(({ name }) => name)).toEqual(["main", "main"]);
});

test("an answer of another form is named with what was asked, and holds no key", async () => {
  const { neon, until } = await lying(200, { branches: [{ id: key }] });
  const error = await neon.branches(until).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("Neon's answer cannot be read");
  expect(String(error)).not.toContain(key);
});

test("a refusal that says the key back is told without it, and without what deceives", async () => {
  const { neon, until } = await lying(403, { code: "", message: `no rights for ${key}\u202e\n::error::x` });
  const error = await neon.branches(until).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("no rights for ***");
  expect(String(error)).not.toMatch(/napi|\u202e|\n/);
});

test("weather is waited for as long as it says and no longer than there is time", async () => {
  const busy = await lying(429, { message: "slow down" }, { "retry-after": "25" });
  await expect(busy.neon.branches(busy.until)).rejects.toThrow("Neon does not list its branches, after 3 tries (429");
  expect(busy.slept).toEqual([25_000, 25_000]);
  const endless = await lying(429, {}, { "retry-after": "86400" });
  await expect(endless.neon.branches(endless.until)).rejects.toThrow("after 1 try");
  expect(endless.slept).toEqual([]);
});
