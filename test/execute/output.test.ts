import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../src/execute/program.js";
import { Secret } from "../../src/model/secret.js";
import { testRun } from "./support.js";

const mebibyte = 1024 * 1024;

test("500 MB of output leave a file as large as the limit and our memory as it was", async () => {
  const run = await testRun();
  await runProgram(run.options(`head -c ${64 * mebibyte} /dev/zero`, { output: { stdout: join(run.folder, "warm") } }));
  const before = process.memoryUsage().rss;
  let highest = before;
  const sampler = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 5);
  const end = await runProgram(run.options("echo first; head -c 500000000 /dev/zero; echo; echo last"));
  clearInterval(sampler);
  expect(end.output).toEqual({ stdoutBytes: 500_000_012, stderrBytes: 0, droppedBytes: 500_000_012 - mebibyte });
  const log = await run.read("stdout.log");
  expect(log.startsWith("first\n")).toBe(true);
  expect(log.endsWith("\nlast\n")).toBe(true);
  expect(log).toContain(`[multirun: ${end.output.droppedBytes} bytes dropped here, from byte ${mebibyte / 2} on]`);
  const { size } = await stat(join(run.paths.out, "stdout.log"));
  expect(size).toBeLessThan(mebibyte + 100);
  expect((highest - before) / mebibyte).toBeLessThan(24);
}, 30_000);

test("binary output is kept byte for byte", async () => {
  const run = await testRun();
  const line = `"${process.execPath}" -e 'process.stdout.write(Buffer.from(Array.from({length:256},(_,i)=>i)))'`;
  await runProgram(run.options(line));
  const text = await run.read("stdout.log");
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  expect(text).toBe(bytes.toString("utf8"));
  expect((await stat(join(run.paths.out, "stdout.log"))).size).toBe(256);
});

test("each stream has a limit of its own", async () => {
  const run = await testRun();
  const line = "head -c 5000 /dev/zero; head -c 3000 /dev/zero >&2";
  const end = await runProgram(run.options(line, { limitBytes: 4_000 }));
  expect(end.output).toEqual({ stdoutBytes: 5_000, stderrBytes: 3_000, droppedBytes: 1_000 });
});

test("a secret does not reach the disk while the program still runs", async () => {
  const run = await testRun();
  const line = 'printf "url=postgres://u:s3cr"; sleep 0.05; echo "et-word@h"; cat "$LOG" > seen.txt; cat seen.txt >&2';
  const environment = { ...run.environment, LOG: join(run.paths.out, "stdout.log") };
  await runProgram(run.options(line, { environment, secrets: [new Secret("s3cret-word")] }));
  expect(await run.read("stdout.log")).toBe("url=postgres://u:***@h\n");
  expect(await run.read("stderr.log")).not.toContain("s3cr");
});
