import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTimeOf } from "../../src/clients/processes.js";
import { runProgram } from "../../src/execute/program.js";
import { testRun, until } from "./support.js";

test("fifty children that ignore TERM are gone with the agent that forked them", async () => {
  const run = await testRun();
  const controller = new AbortController();
  const line = "trap '' TERM; i=0; while [ $i -lt 50 ]; do sleep 300 & i=$((i+1)); done; touch up; wait";
  const ending = runProgram(run.options(line, { signal: controller.signal }));
  await until(() => existsSync(join(run.paths.repo, "up")) && run.marked().length === 51);
  controller.abort();
  expect(await ending).toMatchObject({ signal: "SIGKILL", cancelled: true });
  expect(run.marked()).toEqual([]);
});

test("a child that holds the output open does not keep the run from ending", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("sleep 300 & echo done"));
  expect(end).toMatchObject({ exitCode: 0, timedOut: false });
  expect(end.durationMs).toBeLessThan(5_000);
  expect(await run.read("stdout.log")).toBe("done\n");
  expect(run.marked()).toEqual([]);
});

test("a daemon with a session of its own does not outlive the program that left it", async () => {
  const run = await testRun();
  const line =
    "(setsid sh -c 'echo $$ > pid; trap \"\" TERM; while :; do sleep 300; done' &) ; until [ -s pid ]; do sleep 0.01; done";
  const end = await runProgram(run.options(line));
  expect(end.exitCode).toBe(0);
  expect(startTimeOf(Number(await readFile(join(run.paths.repo, "pid"), "utf8")))).toBeUndefined();
  expect(run.marked()).toEqual([]);
});

test("a child with an emptied environment and a session of its own is found while its parent lives", async () => {
  const run = await testRun();
  const line = "env -i setsid sh -c 'echo $$ > pid; exec sleep 300' & until [ -s pid ]; do sleep 0.01; done; sleep 300";
  await runProgram(run.options(line, { timeoutMs: 500 }));
  expect(startTimeOf(Number(await readFile(join(run.paths.repo, "pid"), "utf8")))).toBeUndefined();
});

test("what cannot be found and holds the output delays the end by seconds only", async () => {
  const run = await testRun();
  const line = "(env -i setsid sh -c 'echo $$ > pid; exec sleep 300' &); until [ -s pid ]; do sleep 0.01; done";
  const end = await runProgram(run.options(line));
  expect(end.exitCode).toBe(0);
  process.kill(Number(await readFile(join(run.paths.repo, "pid"), "utf8")), "SIGKILL");
});

test("a program that forks and exits all the time is ended with its group", async () => {
  const run = await testRun();
  const controller = new AbortController();
  let group = 0;
  const rabbit = await run.script("rabbit", "#!/bin/sh\ntrap '' TERM\n./rabbit &\ntouch up\n");
  const ending = runProgram(
    run.options(`${rabbit} & wait; sleep 300`, {
      signal: controller.signal,
      onStart: ({ pid }) => {
        group = pid;
      },
    }),
  );
  await until(() => existsSync(join(run.paths.repo, "up")));
  controller.abort();
  await ending;
  await until(() => !groupExists(group));
});

test("a program of another run in the same experiment is left alone", async () => {
  const run = await testRun();
  const other = { ...run.environment, MULTIRUN_RUN: "r02" };
  const output = { stdout: join(run.paths.out, "other.log") };
  const controller = new AbortController();
  const ending = runProgram(
    run.options("touch up; sleep 300", { environment: other, output, signal: controller.signal }),
  );
  await until(() => existsSync(join(run.paths.repo, "up")));
  await runProgram(run.options("true"));
  controller.abort();
  expect(await ending).toMatchObject({ signal: "SIGTERM", cancelled: true });
});

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
