import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listMarked } from "../../src/clients/processes.js";
import { withoutSandbox } from "../isolate/sandbox/place.js";
import { reportIn, sandbox, until } from "../support/cli.js";
import { temporaryFolder } from "../support/repository.js";

const inSandbox = test.skipIf(withoutSandbox);

inSandbox("agents die with the harness, and resume and sweep find nothing of them", async () => {
  const place = sandbox();
  const line = "echo half > app.txt; (setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' &); sleep 300";
  const running = place.experiment(line, { runs: 2, flags: ["--sandbox", "bwrap", "--timeout", "2s"] });
  // Before it runs inside, a sandbox may not yet have asked to die with its parent: sweep ends what carries our marks.
  const works = (run: string) => {
    const [work = ""] = readdirSync(place.temporary).filter((name) => name.startsWith("multirun-"));
    const path = join(place.temporary, work, `${run}-1`, "repo", "app.txt");
    return existsSync(path) && readFileSync(path, "utf8") === "half\n";
  };
  await until("both work", () => works("r01") && works("r02"));
  const { id } = JSON.parse(readFileSync(join(place.out, "experiment.json"), "utf8"));
  running.child.kill("SIGKILL");
  await running.ended;
  await until("all are gone by themselves", () => listMarked({ experiment: id }).length === 0);
  const resumed = await place.run("resume", place.out, "--json");
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(reportIn(resumed).runs.map(({ outcome, partial }) => ({ outcome, partial }))).toEqual(
    Array(2).fill({ outcome: "timed_out", partial: true }),
  );
  expect(place.left()).toEqual([]);
});

test("a sandbox that is demanded and cannot be had is exit code 2, with what to do", async () => {
  const programs = temporaryFolder();
  for (const name of ["git", "mkfifo"]) {
    symlinkSync(
      execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(),
      join(programs, name),
    );
  }
  const place = sandbox({ PATH: programs });
  const demanded = await place.experiment("true", { flags: ["--sandbox", "bwrap"] }).ended;
  expect(demanded.code).toBe(2);
  expect(demanded.stderr).toContain("--sandbox: bwrap: bubblewrap is not installed");
  expect(demanded.stderr).toContain("apt-get install bubblewrap");
  const done = await place.experiment("echo x > app.txt").ended;
  expect(done.code, done.stderr).toBe(0);
  expect(reportIn(done).experiment.sandbox).toBe("none");
});

test("an agent without a key for its model is exit code 2, with the variable to set", async () => {
  const place = sandbox();
  const ended = await place.run(
    "run",
    "--task",
    place.write("task.md", "x"),
    "--agent",
    "claude",
    "--repo",
    place.repo,
  );
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('agent "claude" has no key for its model: ANTHROPIC_API_KEY is not set');
});

test("an agent that is not installed is exit code 2, with the line that installs it", async () => {
  const place = sandbox({ ANTHROPIC_API_KEY: "sk-x", PATH: "/usr/local/bin:/usr/bin:/bin" });
  const ended = await place.run(
    "run",
    "--task",
    place.write("task.md", "x"),
    "--agent",
    "opencode",
    "--model",
    "anthropic/x",
    "--repo",
    place.repo,
    "--out",
    place.out,
  );
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("npm install -g opencode-ai");
  expect(place.left()).toEqual([]);
});
