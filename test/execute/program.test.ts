import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../../src/clients/processes.js";
import { runProgram, type StartedProgram } from "../../src/execute/program.js";
import { testRun, until } from "./support.js";

test("a program that ends well has exit code 0 and its output in two files", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("echo out; echo err >&2"));
  expect(end).toMatchObject({ exitCode: 0, signal: null, timedOut: false, cancelled: false });
  expect(end.output).toEqual({ stdoutBytes: 4, stderrBytes: 4, droppedBytes: 0 });
  expect([await run.read("stdout.log"), await run.read("stderr.log")]).toEqual(["out\n", "err\n"]);
});

test("a program without output leaves two empty files", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("true"));
  expect(end.output).toEqual({ stdoutBytes: 0, stderrBytes: 0, droppedBytes: 0 });
  expect(await run.read("stdout.log")).toBe("");
});

test("both streams keep their order in one file", async () => {
  const run = await testRun();
  const output = { stdout: join(run.paths.out, "both.log") };
  await runProgram(run.options("echo 1; echo 2 >&2; echo 3", { output }));
  expect(await run.read("both.log")).toBe("1\n2\n3\n");
});

test("a program can open /dev/stderr and /dev/stdout by name", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("echo out > /dev/stdout && echo err > /dev/stderr"));
  expect(end.exitCode).toBe(0);
  expect([await run.read("stdout.log"), await run.read("stderr.log")]).toEqual(["out\n", "err\n"]);
});

test("an exit code is recorded as it is", async () => {
  const run = await testRun();
  expect(await runProgram(run.options("exit 37"))).toMatchObject({ exitCode: 37, signal: null });
});

test("an end by signal has the signal and no exit code", async () => {
  const run = await testRun();
  expect(await runProgram(run.options("kill -SEGV $$"))).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
});

test("a program with arguments is started without a shell", async () => {
  const run = await testRun();
  const program = { file: "printf", args: ["%s", "$HOME; exit 3"] };
  expect((await runProgram(run.options("", { program }))).exitCode).toBe(0);
  expect(await run.read("stdout.log")).toBe("$HOME; exit 3");
});

test("standard input is the given file, in a folder that is the current one", async () => {
  const run = await testRun();
  await writeFile(run.paths.taskFile, "do it\n");
  await runProgram(run.options("cat; pwd -P", { stdin: run.paths.taskFile }));
  expect(await run.read("stdout.log")).toMatch(/^do it\n.*\/repo\n$/);
});

test("a large input that is never read, or whose reading ends early, is no failure", async () => {
  const run = await testRun();
  await writeFile(run.paths.taskFile, "x".repeat(1024 * 1024));
  const end = await runProgram(run.options("head -c 3; exec <&-; exec sleep 0", { stdin: run.paths.taskFile }));
  expect(end.exitCode).toBe(0);
  expect(await run.read("stdout.log")).toBe("xxx");
});

test("without an input file there is nothing to read", async () => {
  const run = await testRun();
  await runProgram(run.options("wc -c"));
  expect((await run.read("stdout.log")).trim()).toBe("0");
});

test("a deadline ends the program with TERM and keeps what it had written", async () => {
  const run = await testRun();
  const line = "trap 'echo late; exit 5' TERM; echo early > early.txt; echo early; while :; do sleep 0.01; done";
  const end = await runProgram(run.options(line, { timeoutMs: 500, graceMs: 5_000 }));
  expect(end).toMatchObject({ exitCode: 5, signal: null, timedOut: true, cancelled: false });
  expect(end.durationMs).toBeLessThan(5_000);
  expect(await run.read("stdout.log")).toBe("early\nlate\n");
  expect(await readFile(join(run.paths.repo, "early.txt"), "utf8")).toBe("early\n");
});

test("a program that ignores TERM is killed after the grace and not before", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("trap '' TERM; sleep 300", { timeoutMs: 300, graceMs: 400 }));
  expect(end).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
  expect(end.durationMs).toBeGreaterThanOrEqual(650);
});

test("an abort cancels a running program", async () => {
  const run = await testRun();
  const controller = new AbortController();
  const ending = runProgram(run.options("touch up; sleep 300", { signal: controller.signal }));
  await until(() => existsSync(join(run.paths.repo, "up")));
  controller.abort();
  expect(await ending).toMatchObject({ signal: "SIGTERM", cancelled: true, timedOut: false });
});

test("nothing is started once the run is cancelled", async () => {
  const run = await testRun();
  const end = await runProgram(run.options("touch up", { signal: AbortSignal.abort() }));
  expect(end).toMatchObject({ exitCode: null, signal: null, cancelled: true });
  expect(existsSync(join(run.paths.repo, "up"))).toBe(false);
});

test("the caller hears of the process while it runs, and it is gone afterwards", async () => {
  const run = await testRun();
  let heard: StartedProgram | undefined;
  let alive = false;
  const onStart = async (started: StartedProgram) => {
    heard = started;
    alive = isAlive(started.pid, started.startTime);
    await writeFile(join(run.paths.repo, "go"), "");
  };
  await runProgram(run.options("until [ -e go ]; do sleep 0.01; done", { onStart }));
  expect(alive).toBe(true);
  expect(heard && isAlive(heard.pid, heard.startTime)).toBe(false);
});

test("a program whose start cannot be written down is ended", async () => {
  const run = await testRun();
  const onStart = () => Promise.reject(new Error("disk full"));
  await expect(runProgram(run.options("sleep 300", { onStart }))).rejects.toThrow("disk full");
  expect(run.marked()).toEqual([]);
});

test("a missing program is our failure and not the agent's", async () => {
  const run = await testRun();
  // No folder in it that an ordinary user may not read: that would be another error.
  const environment = { ...run.environment, PATH: "/usr/bin:/bin" };
  const ending = runProgram(run.options("", { program: { file: "no-such-program", args: [] }, environment }));
  const message = expect.stringContaining("no-such-program could not be started: there is no such program");
  await expect(ending).rejects.toMatchObject({ code: "infra", message });
});

test("a file that is not executable is our failure and not the agent's", async () => {
  const run = await testRun();
  const file = join(run.paths.repo, "notes.txt");
  await writeFile(file, "text", { mode: 0o644 });
  const ending = runProgram(run.options("", { program: { file, args: [] } }));
  await expect(ending).rejects.toMatchObject({ code: "infra", message: expect.stringContaining("not executable") });
});

test("a script whose interpreter is missing is told apart from one that fails", async () => {
  const run = await testRun();
  const file = await run.script("broken", "#!/no/such/interpreter\n");
  const ending = runProgram(run.options("", { program: { file, args: [] } }));
  await expect(ending).rejects.toMatchObject({ code: "infra", message: expect.stringContaining("interpreter") });
});

test("a missing folder is named as what is missing", async () => {
  const run = await testRun();
  const ending = runProgram(run.options("true", { cwd: "/no/such/folder" }));
  await expect(ending).rejects.toMatchObject({ code: "infra", message: expect.stringContaining("/no/such/folder") });
});

test("a log file that exists already is never written to", async () => {
  const run = await testRun();
  await writeFile(join(run.paths.out, "stderr.log"), "kept");
  await expect(runProgram(run.options("echo no >&2"))).rejects.toMatchObject({ code: "EEXIST" });
  expect(await run.read("stderr.log")).toBe("kept");
});
