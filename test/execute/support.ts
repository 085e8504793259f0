import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { endProcesses } from "../../src/clients/end-processes.js";
import { listMarked } from "../../src/clients/processes.js";
import { agentEnvironment, type RunPaths } from "../../src/execute/environment.js";
import type { ProgramOptions } from "../../src/execute/program.js";
import { experimentId, runId } from "../../src/model/ids.js";

export interface TestRun {
  folder: string;
  paths: RunPaths;
  environment: Record<string, string>;
  /** Living processes with this run's marks, as a kill -9 of the harness would leave them to be found. */
  marked(): ReturnType<typeof listMarked>;
  /** `runProgram` options for a command line, with a minute to end. */
  options(line: string, more?: Partial<ProgramOptions>): ProgramOptions;
  /** Writes an executable file into the workspace and gives back its path. */
  script(name: string, text: string): Promise<string>;
  read(name: string): Promise<string>;
}

/** The folders of one attempt, removed when the test has ended; by then no process of it may live. */
export async function testRun(): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-execute-"));
  const at = (name: string) => join(folder, name);
  const paths = {
    repo: at("repo"),
    home: at("home"),
    tmp: at("tmp"),
    taskFile: at("task.md"),
    claimsFile: at("claims.json"),
    out: at("out"),
  };
  for (const path of [paths.repo, paths.home, paths.tmp, paths.out]) await mkdir(path);
  const experiment = experimentId.parse(`test-${randomBytes(6).toString("hex")}`);
  const run = runId.parse("r01");
  const environment = agentEnvironment({
    caller: { PATH: process.env["PATH"] },
    holder: { experiment, run, attempt: 1 },
    paths,
    portBase: 20_000,
    deadline: Date.now() + 60_000,
  });
  const marked = () => listMarked({ experiment, run });
  onTestFinished(async () => {
    const left = marked();
    await endProcesses(marked, { graceMs: 0 });
    await rm(folder, { recursive: true, force: true });
    expect(left).toEqual([]);
  });
  const output = { stdout: join(paths.out, "stdout.log"), stderr: join(paths.out, "stderr.log") };
  return {
    folder,
    paths,
    environment,
    marked,
    options: (line, more) => ({
      program: { shell: line },
      cwd: paths.repo,
      environment,
      output,
      timeoutMs: 60_000,
      graceMs: 200,
      secrets: [],
      ...more,
    }),
    async script(name, text) {
      const path = join(paths.repo, name);
      await writeFile(path, text);
      await chmod(path, 0o755);
      return path;
    },
    read: (name) => readFile(join(paths.out, name), "utf8"),
  };
}

/** Asks again until the answer is true; fails after ten seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 10 }).toBe(true);
}
