import { expect, test } from "vitest";
import { type ChecksOptions, runChecks } from "../../src/execute/checks.js";
import { isWorthAnother } from "../../src/execute/twice.js";
import type { CheckResult } from "../../src/model/record.js";
import { reporting, result } from "../support/runs.js";
import { testRun } from "./support.js";

/** Runs one check and says what it told and how often it ran. */
async function checked(
  command: string,
  more: Partial<ChecksOptions> & { report?: string } = {},
): Promise<{ told: CheckResult | undefined; times: number }> {
  const run = await testRun();
  const { report: path, ...options } = more;
  const report = path === undefined ? {} : { report: { path } };
  const counting = `echo . >> ../times; ${command}`;
  const checks = [{ id: "npm-test", title: "npm test", command: counting, ...report }];
  const { paths, environment } = run;
  const usual = { paths, environment, timeoutMs: 60_000, graceMs: 200, secrets: [] };
  const [told] = await runChecks({ checks, ...usual, ...options });
  return { told, times: (await run.read("../times")).trim().split("\n").length };
}

const onlyFirst = "if [ -e ../done ]; then exit 0; fi; touch ../done; echo no luck; exit 1";

test("a check that passes is run once", async () => {
  expect(await checked("true")).toMatchObject({ told: { status: "pass" }, times: 1 });
});

test("a check that fails every time is run twice and has failed", async () => {
  expect(await checked("exit 1")).toMatchObject({ told: { status: "fail" }, times: 2 });
});

test("a check that fails and then passes is unstable, and its tail shows why it failed", async () => {
  expect(await checked(onlyFirst)).toMatchObject({ told: { status: "unstable", tail: "no luck" }, times: 2 });
});

test("a check that took too long and then passes is unstable", async () => {
  const slow = "if [ -e ../done ]; then exit 0; fi; touch ../done; exec sleep 300";
  expect(await checked(slow, { timeoutMs: 300 })).toMatchObject({ told: { status: "unstable" }, times: 2 });
});

test("a check that cannot be started is not tried again", () => {
  expect(isWorthAnother(result("npm test", "error"), result("npm test"))).toBe(false);
});

test("what fails in base, too, is not run again", async () => {
  const base = [result("npm test", "fail")];
  expect(await checked(onlyFirst, { base })).toMatchObject({ told: { status: "fail" }, times: 1 });
});

test("what passes in base is run again where it fails", async () => {
  expect(await checked("exit 1", { base: [result("npm test")] })).toMatchObject({ told: { status: "fail" }, times: 2 });
});

test("a check that is cancelled the second time is skipped", async () => {
  const cancel = new AbortController();
  const onStart = () => {
    starts += 1;
    if (starts === 2) cancel.abort();
  };
  let starts = 0;
  const slow = "if [ -e ../done ]; then exec sleep 300; fi; touch ../done; exit 1";
  const { told } = await checked(slow, { signal: cancel.signal, onStart });
  expect(told?.status).toBe("skip");
});

const tap = (first: string, second: string) =>
  `if [ -e ../done ]; then printf '${second}'; else printf '${first}'; touch ../done; fi; exit 1`;

test("tests of which two runs say different things are unstable, the others are what both say", async () => {
  const { told } = await checked(
    tap("not ok 1 - a\\nnot ok 2 - b\\nok 3 - c\\n", "not ok 1 - a\\nok 2 - b\\nok 3 - d\\n"),
    {
      report: "-",
    },
  );
  expect(told).toMatchObject({ status: "fail" });
  expect(told?.tests).toEqual([
    { id: "a", status: "fail" },
    { id: "b", status: "unstable" },
    { id: "c", status: "unstable" },
    { id: "d", status: "unstable" },
  ]);
});

test("where one of two reports cannot be read no test is told", async () => {
  const { told } = await checked(tap("not ok 1 - a\\n", "nothing"), { report: "-" });
  expect(told?.tests).toBeUndefined();
  expect(told).toMatchObject({ status: "fail", unread: expect.stringContaining("it does not show") });
});

test("where base fails for other tests, a test that fails only here is run again", async () => {
  const lines = "not ok 1 - a\\nnot ok 2 - b\\n";
  const known = [reporting("npm test", "fail", ["a", "b: fail"])];
  expect(await checked(tap(lines, lines), { report: "-", base: known })).toMatchObject({ times: 2 });
  const same = [reporting("npm test", "fail", ["a: fail", "b: fail"])];
  expect(await checked(tap(lines, lines), { report: "-", base: same })).toMatchObject({ times: 1 });
});
