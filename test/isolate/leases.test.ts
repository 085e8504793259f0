import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LeaseOptions, openLeases } from "../../src/isolate/leases.js";
import { temporaryFolder } from "../support/folder.js";

/** Workers with a clock of their own; `dead` holds the numbers of those that were killed. */
async function workers(dead = new Set<number>()) {
  const folder = join(await temporaryFolder(), "leases");
  let time = Date.now();
  const open = (pid: number, boot = "boot") =>
    openLeases({
      folder,
      owner: { pid, startTime: pid, boot },
      now: () => time,
      isAlive: async (owner) => !dead.has(owner.pid),
      ttlMs: 1_000,
    } satisfies LeaseOptions);
  return { folder, open, dead, pass: (ms: number) => (time += ms) };
}

test("of many that claim at once exactly one gets it", async () => {
  const { open } = await workers();
  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => open(index + 100)));
  const leases = await Promise.all(all.map((each) => each.claim("r01")));
  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
});

test("a lease that is renewed is not taken over, one that ran out is", async () => {
  const { open, pass } = await workers();
  const [first, second] = [await open(1), await open(2)];
  const lease = await first.claim("r01");
  pass(900);
  expect(await lease?.renew()).toBe(true);
  pass(900);
  expect(await second.claim("r01")).toBeUndefined();
  pass(200);
  expect(await second.claim("r01")).toMatchObject({ epoch: 2, inheritsFrom: 2 });
  expect(await lease?.renew()).toBe(false);
});

test("of many that take over at once exactly one gets it", async () => {
  const { open, pass } = await workers();
  await (await open(1)).claim("r01");
  pass(2_000);
  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => open(index + 100)));
  const leases = (await Promise.all(all.map((each) => each.claim("r01")))).filter((lease) => lease !== undefined);
  expect(leases.map((lease) => lease.epoch)).toEqual([2]);
});

test("the lease of a dead process is free at once and what it made is inherited", async () => {
  const { open, dead } = await workers();
  await (await open(1)).claim("r01");
  dead.add(1);
  expect(await (await open(2)).claim("r01")).toMatchObject({ epoch: 2, inheritsFrom: 1 });
  dead.add(2);
  expect(await (await open(3)).claim("r01")).toMatchObject({ epoch: 3, inheritsFrom: 1 });
});

test("a process of another boot is believed until its time is up", async () => {
  const { open, dead, pass } = await workers();
  await (await open(1, "elsewhere")).claim("r01");
  dead.add(1);
  const here = await open(2);
  expect(await here.claim("r01")).toBeUndefined();
  pass(1_100);
  expect(await here.claim("r01")).toMatchObject({ epoch: 2, inheritsFrom: 2 });
});

test("a lease given back is free at once", async () => {
  const { open, folder } = await workers();
  const [first, second] = [await open(1), await open(2)];
  await (await first.claim("r01"))?.giveBack();
  expect(await first.held()).toEqual([]);
  expect(await second.claim("r01")).toMatchObject({ epoch: 2 });
  expect(await first.held()).toEqual(["r01"]);
  expect((await readdir(folder)).sort()).toEqual(["r01.1.json", "r01.2.json"]);
});

test("a name that begins like another is another", async () => {
  const { open } = await workers();
  const leases = await open(1);
  expect(await leases.claim("r1")).toBeDefined();
  expect(await leases.claim("r10")).toBeDefined();
});
