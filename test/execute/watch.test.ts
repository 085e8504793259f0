import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../src/execute/program.js";
import { type TestRun, testRun } from "./support.js";

const watched = (run: TestRun, more: object = {}) => ({
  watch: { stallMs: 400, firstSignMs: 400, signs: [], workspace: run.paths.repo, ...more },
});

test("a program that does nothing any more is ended, and what it left lies there", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("echo work > done; echo hello; sleep 300", watched(run)));
  expect(end).toMatchObject({ timedOut: false, cancelled: false });
  expect(end.stalledMs).toBeGreaterThanOrEqual(400);
  expect(end.durationMs).toBeLessThan(10_000);
  expect(await run.read("stdout.log")).toBe("hello\n");
  expect(run.marked()).toEqual([]);
});

test.each([
  ["prints", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.15; done"],
  ["writes files", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i > file; sleep 0.15; done"],
  [
    "writes files through a child that is gone",
    "for i in 1 2 3 4 5 6 7 8 9 10; do sh -c 'echo 1 > file'; sleep 0.15; done",
  ],
  ["computes", "node -e 'const end = Date.now() + 1500; while (Date.now() < end);'"],
])("one that %s lives", async (_, line) => {
  const run = await testRun();
  const end = await runProgram(run.options(line, watched(run)));
  expect(end).toMatchObject({ exitCode: 0 });
  expect(end.stalledMs).toBeUndefined();
});

test("one whose model is at work lives as long as that is", async () => {
  const run = await testRun();
  let bytes = 0;
  const counting = setInterval(() => {
    bytes += 1;
  }, 50);
  const end = await runProgram(run.options("sleep 1.5", watched(run, { signs: [() => bytes] })));
  clearInterval(counting);
  expect(end).toMatchObject({ exitCode: 0 });
});

test("files that others change for it are a sign, looked for before it is given up", async () => {
  const run = await testRun();
  const writing = setInterval(() => void writeFile(join(run.paths.repo, "by-a-server"), String(Math.random())), 100);
  const end = await runProgram(run.options("sleep 1.5", watched(run)));
  clearInterval(writing);
  expect(end).toMatchObject({ exitCode: 0 });
});

test("a folder whose name is no text neither hides what changes in it nor what changes beside it", async () => {
  const run = await testRun();
  const inside = Buffer.concat([Buffer.from(`${run.paths.repo}/`), Buffer.from([0x61, 0xff, 0xfe, 0x80])]);
  await mkdir(inside);
  const file = Buffer.concat([inside, Buffer.from("/by-a-server-\xc3", "latin1")]);
  const writing = setInterval(() => void writeFile(file, String(Math.random())), 100);
  const end = await runProgram(run.options("sleep 1.5", watched(run)));
  clearInterval(writing);
  expect(end).toMatchObject({ exitCode: 0 });
  const still = await runProgram(
    run.options("sleep 300", { ...watched(run), output: { stdout: `${run.paths.out}/2` } }),
  );
  expect(still.stalledMs).toBeGreaterThanOrEqual(400);
});

test("until its first sign it has less time, which processor time alone does not end", async () => {
  const run = await testRun();
  const start = "node -e 'const end = Date.now() + 300; while (Date.now() < end);'; sleep 300";
  const end = await runProgram(run.options(start, watched(run, { stallMs: 60_000, firstSignMs: 500 })));
  expect(end.stalledMs).toBeGreaterThanOrEqual(500);
});

test("a program at its deadline has timed out, and has not stalled", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("sleep 300", { timeoutMs: 200, ...watched(run) }));
  expect(end).toMatchObject({ timedOut: true });
  expect(end.stalledMs).toBeUndefined();
});
