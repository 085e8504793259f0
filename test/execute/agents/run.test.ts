import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AgentOptions, runAgent } from "../../../src/execute/agent.js";
import type { Agent, Invocation } from "../../../src/execute/agents/adapter.js";
import { Secret } from "../../../src/model/secret.js";
import { type TestRun, testRun } from "../support.js";
import { adapter, stream } from "./support.js";

/** An agent that does what a line says; its output is read as claude's. */
function options(run: TestRun, line: string, more: Partial<Invocation> = {}): AgentOptions {
  return {
    invocation: { file: "/bin/sh", args: ["-c", line], environment: {}, files: [], ...more },
    parser: adapter("claude").parser,
    variant: { timeoutMs: 60_000, graceMs: 200, stallMs: 60_000, firstSignMs: 60_000 },
    task: "Add teams.\n",
    paths: run.paths,
    environment: run.environment,
    secrets: [],
  };
}

/** Prints what the real program printed, then goes on with the line. */
async function replaying(run: TestRun, name: string, then: string, read: Agent["parser"] = adapter("claude").parser) {
  const file = join(run.folder, "stream.jsonl");
  await writeFile(file, stream(name));
  return runAgent({ ...options(run, `cat '${file}'; ${then}`), parser: read });
}

test("an agent that says it is done and exits well has completed", async () => {
  const run = await testRun();
  const result = await replaying(run, "claude-done", "exit 0");
  expect(result).toMatchObject({ outcome: "completed", reason: null, denied: 0, usage: { costUsd: 0.011538 } });
  expect(await run.read("trace.jsonl")).toContain('{"kind":"result","ok":true,"text":"All done."');
  expect(await run.read("stdout.log")).toBe(stream("claude-done"));
});

test("an agent that says it failed has crashed although it exits well", async () => {
  const result = await replaying(await testRun(), "claude-overloaded", "exit 0");
  expect(result).toMatchObject({
    outcome: "crashed",
    reason: expect.stringContaining("gave up: API Error: 529 Overloaded"),
  });
});

test("an agent that says it is done and exits with an error has crashed, with its last words", async () => {
  const result = await replaying(await testRun(), "claude-done", "echo 'out of disk' >&2; exit 3");
  expect(result).toMatchObject({ outcome: "crashed", reason: "the agent exited with code 3: out of disk" });
});

test("an agent that exits well without a last word has crashed", async () => {
  const result = await runAgent(options(await testRun(), "echo 'Please log in.'"));
  expect(result).toMatchObject({ outcome: "crashed", reason: "the agent ended before it said that it was done" });
});

test("an agent that was denied its tools has completed, and it shows", async () => {
  expect(await replaying(await testRun(), "claude-denied", "exit 0")).toMatchObject({
    outcome: "completed",
    denied: 2,
  });
});

test("what an agent used until its deadline is known", async () => {
  const run = await testRun();
  const result = await runAgent({
    ...options(run, `printf '%s\\n' '${stream("opencode-done").split("\n")[3]}'; exec sleep 300`),
    parser: adapter("opencode").parser,
    variant: { timeoutMs: 1_000, graceMs: 200, stallMs: 60_000, firstSignMs: 60_000 },
  });
  expect(result).toMatchObject({ outcome: "timed_out", usage: { tokens: { input: 1_001 }, atLeast: true } });
});

test("nothing secret is in the trace or in the reason", async () => {
  const run = await testRun();
  const said = {
    type: "result",
    subtype: "success",
    is_error: true,
    result: "key \u001b[31mtoken-1234\u001b[0m is wrong",
  };
  const line = `printf '%s\\n' '${JSON.stringify(said)}'`;
  const result = await runAgent({ ...options(run, line), secrets: [new Secret("token-1234")] });
  expect(result.reason).toBe("the agent gave up: key *** is wrong");
  expect(await run.read("trace.jsonl")).not.toContain("token-1234");
});

test("files of an agent lie in its home before it starts, and replace links", async () => {
  const run = await testRun();
  const victim = join(run.folder, "victim");
  await writeFile(victim, "mine");
  await symlink(victim, join(run.paths.home, "settings"));
  const files = [
    { path: "settings", content: "ours" },
    { path: "a/b", content: "deep" },
  ];
  await runAgent(options(run, 'cat "$HOME/settings" "$HOME/a/b" > seen', { files }));
  expect(await readFile(join(run.paths.repo, "seen"), "utf8")).toBe("oursdeep");
  expect(await readFile(victim, "utf8")).toBe("mine");
});

test("an agent's own variables are put on top of the run's", async () => {
  const run = await testRun();
  await runAgent(options(run, 'echo "$MULTIRUN_RUN $EXTRA" > seen', { environment: { EXTRA: "more" } }));
  expect(await readFile(join(run.paths.repo, "seen"), "utf8")).toBe("r01 more\n");
});
