import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSetup, type SetupOptions } from "../../src/execute/setup.js";
import { Secret } from "../../src/model/secret.js";
import { type TestRun, testRun } from "./support.js";

function options(run: TestRun, commands: string[], more: Partial<SetupOptions> = {}): SetupOptions {
  const { paths, environment } = run;
  return { commands, paths, environment, timeoutMs: 60_000, graceMs: 200, secrets: [], ...more };
}

test("commands run in order, in the workspace", async () => {
  const run = await testRun();
  expect(await runSetup(options(run, ["echo 1 > a", "mv a b"]))).toEqual({ ok: true });
  expect(existsSync(join(run.paths.repo, "b"))).toBe(true);
});

test("the first failure stops the setup and says which command it was", async () => {
  const run = await testRun();
  const result = await runSetup(options(run, ["true", "echo no registry >&2; exit 4", "touch later"]));
  const reason = 'setup command "echo no registry >&2; exit 4" exited with code 4';
  expect(result).toEqual({ ok: false, reason, tail: "no registry", cancelled: false });
  expect(existsSync(join(run.paths.repo, "later"))).toBe(false);
});

test("a command that ends well only after its deadline has failed", async () => {
  const run = await testRun();
  const line = "trap 'exit 0' TERM; while :; do sleep 0.01; done";
  const result = await runSetup(options(run, [line], { timeoutMs: 200, graceMs: 5_000 }));
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining("did not end within 0.2s") });
});

test("a cancelled setup says so", async () => {
  const run = await testRun();
  const result = await runSetup(options(run, ["sleep 300"], { signal: AbortSignal.timeout(100) }));
  expect(result).toMatchObject({ ok: false, cancelled: true });
});

test("a secret in a command or its output is not repeated", async () => {
  const run = await testRun();
  const secrets = [new Secret("hunter22")];
  const result = await runSetup(options(run, ["echo hunter22; exit 1"], { secrets }));
  expect(JSON.stringify(result)).not.toContain("hunter22");
});
