import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AgentOptions, runAgent, taskText } from "../../src/execute/agent.js";
import { commandAgent } from "../../src/execute/agents/command.js";
import { Secret, urlSecrets } from "../../src/model/secret.js";
import { type TestRun, testRun } from "./support.js";

function options(run: TestRun, command: string, more: Partial<AgentOptions> = {}): AgentOptions {
  const { invocation, parser } = commandAgent(command);
  return {
    invocation: invocation({ model: null, access: null }),
    parser,
    variant: { timeoutMs: 60_000, graceMs: 200, stallMs: 60_000, firstSignMs: 60_000 },
    task: "Add teams.\n",
    paths: run.paths,
    environment: run.environment,
    secrets: [],
    ...more,
  };
}

test("an agent reads the task on its standard input and in its task file, and works in its workspace", async () => {
  const run = await testRun();
  const command = 'cat > stdin.txt; cp "$MULTIRUN_TASK_FILE" file.txt';
  const result = await runAgent(options(run, command));
  expect(result).toMatchObject({ outcome: "completed", reason: null });
  expect(await readFile(join(run.paths.repo, "stdin.txt"), "utf8")).toBe("Add teams.\n");
  expect(await readFile(join(run.paths.repo, "file.txt"), "utf8")).toBe("Add teams.\n");
});

test("a variant's prompt stands in front of the task", () => {
  expect(taskText("Be brief.\n\n", "Add teams.\n")).toBe("Be brief.\n\nAdd teams.\n");
});

test("an agent that fails has crashed, and the reason ends with its last words", async () => {
  const run = await testRun();
  const command = "printf 'first\\n\\033[31mno \\007model\\033[0m\\n' >&2; exit 3";
  const result = await runAgent(options(run, command));
  expect(result).toMatchObject({ outcome: "crashed", reason: "the agent exited with code 3: no model" });
});

test("an agent that dies by a signal has crashed, and the signal is named", async () => {
  const run = await testRun();
  const result = await runAgent(options(run, "kill -KILL $$"));
  expect(result).toMatchObject({ outcome: "crashed", reason: "the agent was ended by SIGKILL" });
});

test("an agent that reaches its deadline has timed out even when it then ends well", async () => {
  const run = await testRun();
  const command = "trap 'exit 0' TERM; while :; do sleep 0.01; done";
  const variant = { timeoutMs: 300, graceMs: 5_000, stallMs: 60_000, firstSignMs: 60_000 };
  const result = await runAgent(options(run, command, { variant }));
  expect(result).toMatchObject({ outcome: "timed_out", reason: "the agent did not end within 0.3s" });
  expect(result.end.exitCode).toBe(0);
});

test("a cancelled agent is cancelled and nothing else", async () => {
  const run = await testRun();
  const result = await runAgent(options(run, "sleep 300", { signal: AbortSignal.timeout(200) }));
  expect(result).toMatchObject({ outcome: "cancelled", reason: "the agent was cancelled" });
});

test("the database URL and its password are in none of the logs and not in the reason", async () => {
  const run = await testRun();
  const url = "postgres://app:p%40ss%2Fword@127.0.0.1:5433/run";
  const environment = { ...run.environment, DATABASE_URL: url };
  const command = 'env; echo "password p@ss/word or p%40ss%2Fword" >&2; echo "cannot reach $DATABASE_URL" >&2; exit 1';
  const result = await runAgent(options(run, command, { environment, secrets: urlSecrets(new Secret(url)) }));
  const logs = (await run.read("stdout.log")) + (await run.read("stderr.log")) + result.reason;
  expect(logs).toContain("DATABASE_URL=***");
  for (const form of ["p@ss/word", "p%40ss", "5433/run"]) expect(logs).not.toContain(form);
});

test("a link in place of the task file is replaced and not followed", async () => {
  const run = await testRun();
  const victim = join(run.folder, "victim");
  await writeFile(victim, "mine");
  await symlink(victim, run.paths.taskFile);
  await runAgent(options(run, "true"));
  expect(await readFile(victim, "utf8")).toBe("mine");
});
