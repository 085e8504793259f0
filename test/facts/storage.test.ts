import { expect, test } from "vitest";
import { damage, told } from "../support/facts.js";
import { id, key, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id()], constraints: [key("id")] });
const base = snapshot([users]);
const storageOf = (parts: Parameters<typeof table>[1]) =>
  told({ schema: snapshot([users, table("events", parts)]) }, base).filter((line) => line.startsWith("storage"));

test("new tables that are kept differently differ, and a plain one is the usual", () => {
  expect(storageOf({})).toEqual([]);
  expect(storageOf({ persistence: "unlogged" })).toEqual([
    "storage public.events · storage: unlogged, lost in a crash",
  ]);
  expect(storageOf({ kind: "partitioned table", partitionKey: "RANGE (at)" })).toEqual([
    "storage public.events · storage: in partitions, `RANGE (at)`",
  ]);
});

test("a table of base that becomes unlogged is damage", () => {
  const unlogged = snapshot([{ ...users, persistence: "unlogged" }]);
  expect(damage({ schema: unlogged }, base)).toEqual(["empties `users` when the server crashes (unlogged)"]);
});

test("a table of base that is kept as it was is no fact", () => {
  expect(told({ schema: snapshot([users]) }, base)).toEqual([]);
});
