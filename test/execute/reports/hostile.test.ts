import { expect, test } from "vitest";
import { deepest, nameTests } from "../../../src/execute/reports/found.js";
import { readGo } from "../../../src/execute/reports/go.js";
import { readJest } from "../../../src/execute/reports/jest.js";
import { readJUnit } from "../../../src/execute/reports/junit.js";
import { readTap } from "../../../src/execute/reports/tap.js";
import { longestTestId, mostTests, testResult } from "../../../src/model/record.js";
import { Secret } from "../../../src/model/secret.js";

const usual = { folders: ["/w/repo"], secrets: [] };
const passing = (...path: string[]) => ({ path, status: "pass" as const });

test.each([
  ["an external entity", '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite name="&x;"/>'],
  [
    "an entity of its own",
    '<!DOCTYPE t [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]><testsuite><testcase name="&y;"/></testsuite>',
  ],
  ["no end", "<testsuite><testcase name='a'>"],
  ["another root", "<html/>"],
  ["bare text", "all is well"],
  ["suites below suites without end", `${"<testsuite name='s'>".repeat(40)}${"</testsuite>".repeat(40)}`],
])("XML with %s is refused, and nothing of it is shown", (_name, xml) => {
  expect(() => readJUnit(xml)).toThrow(/^it is no XML|^it is XML, but|^its suites are nested/);
  expect(() => readJUnit(xml)).not.toThrow(/passwd|lol/);
});

test.each([
  ["JSON", readJest, "{"],
  ["other JSON", readJest, "[]"],
  ["JSON of other types", readJest, '{"testResults":[{"name":1,"assertionResults":{}}]}'],
  ["plain text for go", readGo, "PASS\nok x 0.1s"],
  ["plain text for TAP", readTap, "okay\nnot okay"],
])("%s is no report", (_name, read, text) => {
  expect(() => read(text)).toThrow(/^it is no JSON|^it is JSON, but|^there are no events|^there is no TAP/);
});

test.each([
  ["blanks before a brace", `ok 1 - a${" ".repeat(2_000_000)}b`],
  ["blanks before the end of a line that is none", `ok${" ".repeat(2_000_000)}\u2028`],
  ["marks of directives", `ok 1 - ${"# ".repeat(1_000_000)}`],
  ["an indent beyond all measure", `${" ".repeat(4_000_000)}ok 1 - a\nok 2 - b`],
  ["one word", `ok 1 - ${"x".repeat(4_000_000)}`],
])("TAP with endless %s is read in no time", (_name, tap) => {
  const begun = performance.now();
  expect(nameTests(readTap(tap), usual).length).toBeLessThanOrEqual(1);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("TAP of more points than anybody has is refused before they fill the memory", () => {
  expect(() => readTap("ok\n".repeat(2_000_000))).toThrow("it has more than 50000 test points");
});

test("a report of more tests than are kept is refused, as half of it would make the others look removed", () => {
  const found = Array.from({ length: mostTests + 1 }, (_, index) => passing(`t${index}`));
  expect(nameTests(found.slice(1), usual)).toHaveLength(mostTests);
  expect(() => nameTests(found, usual)).toThrow("it has 5001 tests, of which at most 5000 are kept");
});

test("a name of endless levels is refused", () => {
  expect(() => nameTests([passing(..."/".repeat(2 * deepest).split("/"))], usual)).toThrow(
    "nested deeper than 40 levels",
  );
});

test("long names keep their differences when they are cut, and no character is cut in half", () => {
  const tests = nameTests([passing(`${"😀".repeat(400)}a`), passing(`${"😀".repeat(400)}b`)], usual);
  expect(new Set(tests.map(({ id }) => id)).size).toBe(2);
  for (const each of tests) {
    expect(testResult.parse(each).id.length).toBeLessThanOrEqual(longestTestId);
    expect(each.id).not.toMatch(/\p{Cs}/u);
  }
});

test("names hold no secret, no path of the workspace, nothing that deceives, and are never empty", () => {
  const found = [passing("/w/repo/a.ts", "logs hunter22"), passing("a\u202eb\n c"), passing("", " ")];
  expect(nameTests(found, { ...usual, secrets: [new Secret("hunter22")] }).map(({ id }) => id)).toEqual([
    "a test without a name",
    "a.ts › logs ***",
    "a\ufffdb c",
  ]);
});

test("of tests with one name the worst result counts, in whatever order they come", () => {
  const found = (["pass", "fail", "skip"] as const).map((status) => ({ path: ["t"], status }));
  expect(nameTests(found, usual)).toEqual([{ id: "t", status: "fail" }]);
  expect(nameTests(found.toReversed(), usual)).toEqual([{ id: "t", status: "fail" }]);
});
