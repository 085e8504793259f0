import { expect, test } from "vitest";
import { type ChecksOptions, runChecks } from "../../src/execute/checks.js";
import { checksSchema } from "../../src/model/record.js";
import { Secret } from "../../src/model/secret.js";
import { type TestRun, testRun } from "./support.js";

function options(run: TestRun, lines: string[], more: Partial<ChecksOptions> = {}): ChecksOptions {
  const checks = lines.map((command, index) => ({ id: `c${index + 1}`, title: `check ${index + 1}`, command }));
  const { paths, environment } = run;
  return { checks, paths, environment, timeoutMs: 60_000, graceMs: 200, secrets: [], ...more };
}

test("each check has its own verdict, whatever the one before it did", async () => {
  const run = await testRun();
  const results = await runChecks(options(run, ["echo fine", "echo broken >&2; exit 1", "kill -SEGV $$", "true"]));
  expect(results.map(({ id, status, tail }) => [id, status, tail])).toEqual([
    ["c1", "pass", "fine"],
    ["c2", "fail", "broken"],
    ["c3", "fail", ""],
    ["c4", "pass", ""],
  ]);
  expect(checksSchema.parse(results)).toEqual(results);
});

test("a check has a deadline of its own, and passing late is no passing", async () => {
  const run = await testRun();
  const late = "trap 'exit 0' TERM; while :; do sleep 0.01; done";
  const results = await runChecks(options(run, [late, "true"], { timeoutMs: 300, graceMs: 5_000 }));
  expect(results.map((each) => each.status)).toEqual(["timeout", "pass"]);
});

test("a check that cannot start is an error, and one whose own code is 127 has failed", async () => {
  const run = await testRun();
  const results = await runChecks(options(run, ["no-such-tool --all", "./missing.sh", "sh -c 'exit 127'"]));
  expect(results.map((each) => each.status)).toEqual(["error", "error", "fail"]);
  expect(results[0]?.tail).toContain("no-such-tool");
});

test("a check in a workspace the agent removed is an error", async () => {
  const run = await testRun();
  const results = await runChecks(options(run, ["true"], { paths: { ...run.paths, repo: "/no/such/folder" } }));
  expect(results).toMatchObject([{ status: "error", tail: expect.stringContaining("/no/such/folder") }]);
});

test("checks that a cancel interrupts or precedes are skipped", async () => {
  const run = await testRun();
  const results = await runChecks(options(run, ["sleep 300", "true"], { signal: AbortSignal.timeout(200) }));
  expect(results.map((each) => each.status)).toEqual(["skip", "skip"]);
});

test("the tail is the last twenty lines, without colours, control characters, overwritten text or secrets", async () => {
  const run = await testRun();
  const noise = "i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo line $i; done";
  const line = `${noise}; printf '10%%\\r100%%\\n\\033[1mhun\\033[0mter22 \\007\\342\\200\\256evil\\n'; exit 1`;
  const [result] = await runChecks(options(run, [line], { secrets: [new Secret("hunter22")] }));
  const lines = result?.tail.split("\n");
  expect(lines).toHaveLength(20);
  expect(lines?.[0]).toBe("line 13");
  expect(lines?.slice(-2)).toEqual(["100%", "*** evil"]);
});

test("the tail of one endless line has at most four kilobytes and no broken character", async () => {
  const run = await testRun();
  const line = `"${process.execPath}" -e 'console.log("\u00e4\u20ac".repeat(3000) + "x")'`;
  const [result] = await runChecks(options(run, [line]));
  expect(Buffer.byteLength(result?.tail ?? "")).toBeLessThanOrEqual(4_096);
  expect(result?.tail).toMatch(/^[\u00e4\u20ac]{100,}x$/);
});

test("what one check leaves running is gone before the next one starts", async () => {
  const run = await testRun();
  const left = "(setsid sh -c 'echo $$ > pid; exec sleep 300' &); until [ -s pid ]; do sleep 0.01; done";
  // A zombie that nobody has collected yet is gone, too.
  const gone = '! grep -q "^State:.[^Z]" "/proc/$(cat pid)/status"';
  const results = await runChecks(options(run, [left, gone]));
  expect(results.map((each) => each.status)).toEqual(["pass", "pass"]);
});
