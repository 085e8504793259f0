import { expect, test } from "vitest";
import { contradictionsOf, readClaims } from "../../src/capture/claims.js";
import type { Claims } from "../../src/model/claims.js";
import type { CheckResult } from "../../src/model/record.js";

const check = (status: CheckResult["status"]): CheckResult => ({
  id: "c1",
  title: "npm test",
  status,
  durationMs: 1,
  tail: "",
});
const found = { changed: [{ path: "a.ts", oldPath: null }], checks: [check("pass")], schemaChanged: true };

test("what is so contradicts nothing, and neither does what nobody could find out", () => {
  const claims: Claims = { version: 1, testsPass: true, filesChanged: ["./a.ts"], migrationApplied: true };
  expect(contradictionsOf(claims, found)).toEqual([]);
  expect(contradictionsOf(claims, { ...found, checks: null, schemaChanged: null })).toEqual([]);
  expect(contradictionsOf({ version: 1 }, { ...found, checks: [check("fail")] })).toEqual([]);
});

test("each claim that is not so is one sentence", () => {
  const claims: Claims = { version: 1, testsPass: true, filesChanged: ["a.ts", "b.ts"], migrationApplied: true };
  expect(contradictionsOf(claims, { ...found, checks: [check("fail")], schemaChanged: false })).toEqual([
    "says its tests pass; `npm test` fails",
    "says it changed `b.ts`, which is as it was",
    "says a migration was applied; the schema is as it was",
  ]);
  expect(contradictionsOf({ version: 1, migrationApplied: false }, found)).toEqual([
    "says no migration was applied; the schema changed",
  ]);
});

test("many untrue files are told in few words, and no name ends the code it is shown as", () => {
  const filesChanged = Array.from({ length: 5_000 }, (_, at) => `\`x\` ${at}`);
  const told = contradictionsOf({ version: 1, filesChanged }, found);
  expect(told).toHaveLength(4);
  expect(told[0]).toBe("says it changed `'x' 0`, which is as it was");
  expect(told[3]).toBe("says so of 4997 more files");
});

test.each([
  ["no JSON", "{", "it is no JSON"],
  ["another version", '{"version":2}', "version"],
  ["an unknown key", '{"version":1,"passed":true}', 'unknown key "passed"'],
  ["a wrong type", '{"version":1,"testsPass":"yes"}', "testsPass"],
  ["a prototype", '{"version":1,"__proto__":{"testsPass":true}}', "__proto__"],
  ["a million files", JSON.stringify({ version: 1, filesChanged: Array(10_001).fill("a") }), "filesChanged"],
])("claims in %s are refused with the reason", (_, text, words) => {
  expect(() => readClaims(text)).toThrow(words);
});
