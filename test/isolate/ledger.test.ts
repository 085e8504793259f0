import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLedger, readLedger, tallyResources } from "../../src/isolate/ledger.js";
import { temporaryFolder } from "../support/folder.js";

const at = Date.parse("2026-01-02T03:04:05Z");
const line = { run: "r01", attempt: 1 } as const;

test("lines that are written at the same moment all arrive, whole and in order", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  const ledger = await openLedger(path, () => at);
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => ledger.write({ event: "note", ...line, text: `${index}` })),
  );
  await ledger.close();
  const texts = (await readLedger(path)).map((each) => (each.event === "note" ? each.text : ""));
  expect(texts).toEqual(Array.from({ length: 200 }, (_, index) => `${index}`));
});

test("half a line left by a crash neither hides nor spoils what follows", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  const before = await openLedger(path, () => at);
  await before.write({ event: "state", ...line, state: "running" });
  await before.close();
  await appendFile(path, '{"at":"2026-01-02T03:04:05.000Z","run":"r0');
  const after = await openLedger(path, () => at);
  await after.write({ event: "state", ...line, state: "capturing", outcome: "completed" });
  await after.close();
  expect((await readLedger(path)).map((each) => each.event === "state" && each.state)).toEqual([
    "running",
    "capturing",
  ]);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(4);
});

test("two processes' lines do not mix", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  const ledgers = await Promise.all([openLedger(path, () => at), openLedger(path, () => at)]);
  const text = "x".repeat(3_000);
  await Promise.all(
    ledgers.flatMap((ledger) => Array.from({ length: 50 }, () => ledger.write({ event: "note", ...line, text }))),
  );
  await Promise.all(ledgers.map((ledger) => ledger.close()));
  expect(await readLedger(path)).toHaveLength(100);
});

test("the tally counts things once and names those that are not back", () => {
  const head = { at: new Date(at).toISOString(), ...line, kind: "database" as const };
  const tally = tallyResources([
    { ...head, event: "acquire", id: "a" },
    { ...head, event: "acquired", id: "a" },
    { ...head, event: "acquire", id: "a" },
    { ...head, event: "acquired", id: "a" },
    { ...head, event: "release", id: "a" },
    { ...head, event: "acquire", id: "b" },
    { ...head, event: "acquired", id: "b" },
    { ...head, event: "release", id: "b", error: "busy" },
    { ...head, event: "acquire", id: "c" },
  ]);
  expect(tally).toMatchObject({ acquired: 2, released: 1 });
  expect(tally.open.map((each) => each.id)).toEqual(["b", "c"]);
});
