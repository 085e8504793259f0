import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runChecks } from "../../../src/execute/checks.js";
import type { CheckReport } from "../../../src/model/experiment.js";
import { type CheckResult, checksSchema } from "../../../src/model/record.js";
import { type TestRun, testRun } from "../support.js";

const junit = '<testsuite name="s"><testcase name="t"/></testsuite>';
const writing = (path: string) => `printf '%s' '${junit}' > ${path}`;

async function check(run: TestRun, command: string, report: CheckReport): Promise<CheckResult | undefined> {
  const checks = [{ id: "c1", title: "tests", command, report }];
  const { paths, environment } = run;
  const results = await runChecks({ checks, paths, environment, timeoutMs: 60_000, graceMs: 200, secrets: [] });
  return checksSchema.parse(results)[0];
}

const suite = `
  import { test, describe } from "node:test";
  import assert from "node:assert";
  describe("teams", () => {
    test("makes one", () => {});
    test("keeps names", () => assert.equal(1, 2));
    test("waits", { skip: true }, () => {});
  });
`;
const told = [
  { id: "teams › keeps names", status: "fail" },
  { id: "teams › makes one", status: "pass" },
  { id: "teams › waits", status: "skip" },
];

test("node's own test runner prints TAP, which is read from the output", async () => {
  const run = await testRun();
  await run.script("teams.test.mjs", suite);
  const command = `"${process.execPath}" --test --test-reporter=tap teams.test.mjs`;
  expect(await check(run, command, { path: "-" })).toMatchObject({ status: "fail", tests: told });
});

test("node's own test runner writes JUnit to a file", async () => {
  const run = await testRun();
  await run.script("teams.test.mjs", suite);
  const command = `"${process.execPath}" --test --test-reporter=junit --test-reporter-destination=out.xml teams.test.mjs`;
  const result = await check(run, command, { path: "out.xml" });
  expect(result?.tests?.map(({ id, status }) => [id.replace("test › ", ""), status])).toEqual(
    told.map(({ id, status }) => [id, status]),
  );
});

test.each([
  ["json", "out.json"],
  ["junit", "out.xml"],
  ["tap", "-"],
])("vitest's %s reporter tells the same tests", async (reporter, path) => {
  const run = await testRun();
  const vitest = fileURLToPath(new URL("../../../node_modules/vitest", import.meta.url));
  await mkdir(join(run.paths.repo, "node_modules"));
  await symlink(vitest, join(run.paths.repo, "node_modules", "vitest"));
  await run.script("teams.test.mjs", suite.replace("node:test", "vitest"));
  const file = path === "-" ? "" : ` --outputFile=${path}`;
  const command = `"${process.execPath}" node_modules/vitest/vitest.mjs run --root . --reporter=${reporter}${file}`;
  const result = await check(run, command, { path });
  expect(result?.unread).toBeUndefined();
  // In JUnit's form vitest joins suites and name by itself.
  expect(result?.tests?.map(({ id, status }) => [id.replace(" > ", " › "), status])).toEqual(
    told.map(({ id, status }) => [`teams.test.mjs › ${id}`, status]),
  );
});

test("a report that was there before the check is no result, whoever wrote it", async () => {
  const run = await testRun();
  await writeFile(join(run.paths.repo, "out.xml"), junit);
  expect(await check(run, "true", { path: "out.xml" })).toEqual({
    id: "c1",
    title: "tests",
    status: "pass",
    durationMs: expect.any(Number),
    tail: "",
    unread: "out.xml: the check did not write it",
  });
});

test("a link in a report's place is taken away, and what it led to stays", async () => {
  const run = await testRun();
  const elsewhere = join(run.folder, "elsewhere.xml");
  await writeFile(elsewhere, junit);
  await symlink(elsewhere, join(run.paths.repo, "out.xml"));
  expect((await check(run, writing("out.xml"), { path: "out.xml" }))?.tests).toHaveLength(1);
  expect(await readFile(elsewhere, "utf8")).toBe(junit);
});

test.each([
  ["a link", (outside: string) => `ln -s ${outside}/out.xml out.xml`],
  ["a folder", () => "mkdir out.xml"],
  ["a pipe", () => "mkfifo out.xml"],
  ["too much", () => "head -c 9000000 /dev/zero > out.xml"],
])("a check that leaves %s where its report should be keeps its exit code", async (_name, command) => {
  const run = await testRun();
  await writeFile(join(run.folder, "out.xml"), junit);
  const result = await check(run, command(run.folder), { path: "out.xml" });
  expect(result).toMatchObject({ status: "pass", unread: expect.stringMatching(/^out\.xml: it (cannot|is no|has)/) });
  expect(result?.tests).toBeUndefined();
});

test("a report behind a link is neither removed nor read", async () => {
  const run = await testRun();
  const outside = join(run.folder, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "out.xml"), junit);
  await symlink(outside, join(run.paths.repo, "reports"));
  const result = await check(run, "touch reports/out.xml", { path: "reports/out.xml" });
  expect(result).toMatchObject({ status: "pass", unread: "reports/out.xml: a link stands in its path" });
  expect((await stat(join(outside, "out.xml"))).isFile()).toBe(true);
});

test("another name of a foreign file is at most a report of its tests", async () => {
  const run = await testRun();
  await writeFile(join(run.folder, "secret"), "root:x:0");
  const result = await check(run, "ln ../secret out.xml", { path: "out.xml" });
  expect(result?.unread).toBe("out.xml: nobody says what form it has, and it does not show");
});

test("a workspace that was replaced by a link is not followed", async () => {
  const run = await testRun();
  const moved = "cd .. && mv repo moved && ln -s moved repo && cd moved";
  const result = await check(run, `${moved} && ${writing("out.xml")}`, { path: "out.xml" });
  expect(result).toMatchObject({ status: "pass", unread: "out.xml: a link stands in its path" });
});

test("a report in a folder the check makes is read", async () => {
  const run = await testRun();
  const result = await check(run, `mkdir -p a/b && ${writing("a/b/out.xml")}`, { path: "a/b/out.xml" });
  expect(result?.tests).toEqual([{ id: "s › t", status: "pass" }]);
});

test("output that was cut is no report: its missing tests would look removed", async () => {
  const run = await testRun();
  const result = await check(run, "yes 'ok 1 - a' | head -c 9000000", { path: "-", format: "tap" });
  expect(result).toMatchObject({ status: "pass", unread: "-: the check prints more than 8388608 bytes" });
});

test("of a check that cannot be started nothing is said about its report", async () => {
  const run = await testRun();
  const result = await check(run, "no-such-tool", { path: "out.xml" });
  expect(result?.status).toBe("error");
  expect(Object.keys(result ?? {})).not.toContain("unread");
});

test("a report is read in the form that was asked for, and in no other", async () => {
  const run = await testRun();
  const result = await check(run, writing("out.xml"), { path: "out.xml", format: "jest" });
  expect(result?.unread).toMatch(/^out\.xml: it is no JSON/);
});

const suiteOf = (name: string) => `<testsuite name="${name}"><testcase classname="${name}" name="t"/></testsuite>`;

test("a report of one file per class is read from all files whose names fit", async () => {
  const run = await testRun();
  const made = ["A", "B"].map((name) => `printf '%s' '${suiteOf(name)}' > out/TEST-${name}.xml`).join(" && ");
  await mkdir(join(run.paths.repo, "out"));
  await run.script("out/TEST-old.xml", suiteOf("planted"));
  await run.script("out/other.xml", suiteOf("other"));
  const result = await check(run, made, { path: "out/TEST-*.xml" });
  expect(result?.unread).toBeUndefined();
  expect(result?.tests?.map(({ id }) => id.slice(0, 1))).toEqual(["A", "B"]);
});

test("where no name fits, or all files together are too large, the report says so", async () => {
  expect(await check(await testRun(), "true", { path: "out/*.xml" })).toMatchObject({
    status: "pass",
    unread: "out/*.xml: the check did not write it",
  });
  const large = "mkdir -p out && for n in 1 2 3; do head -c 4000000 /dev/zero > out/$n.xml; done";
  const { unread } = (await check(await testRun(), large, { path: "out/*.xml", format: "junit" })) ?? {};
  expect(unread).toMatch(/^out\/\*\.xml: 3\.xml has 4000000 bytes, the limit is 388608$/);
});
