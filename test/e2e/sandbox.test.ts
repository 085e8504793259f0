import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

inSandbox(
  "where only some hosts are allowed, agents reach their database and nothing else, and the report says what they asked for",
  async () => {
    const place = sandbox();
    execFileSync("mkdir", [join(place.repo, ".github")]);
    writeFileSync(join(place.repo, ".github", "multirun.yml"), "network: { allow: [npm] }\n");
    const seed = place.write("seed.sql", "create table users (id int primary key);");
    const program = place.write(
      "agent.mjs",
      `import { createConnection } from "node:net";
const { hostname, port } = new URL(process.env.DATABASE_URL);
const reach = (port, host) => new Promise((resolve) => createConnection({ port, host }).on("connect", () => resolve("reached")).on("error", (error) => resolve(error.code)));
const proxy = new URL(process.env.HTTPS_PROXY);
const answer = await new Promise((resolve) => createConnection(proxy.port, proxy.hostname, function () { this.write("CONNECT evil.test:443 HTTP/1.1\\r\\nHost: evil.test:443\\r\\n\\r\\n"); }).on("data", (data) => resolve(String(data).split("\\r\\n")[0])));
const { writeFileSync } = await import("node:fs");
writeFileSync("found.txt", [await reach(port, hostname), await reach(9, "192.0.2.1"), answer].join("\\n"));
process.exit();
`,
    );
    const ended = await place.experiment(`node ${program}`, { runs: 2, flags: ["--seed", seed] }).ended;
    expect(ended.code, ended.stderr).toBe(0);
    const { runs, experiment } = reportIn(ended);
    expect(experiment).toMatchObject({ network: ["npm"], notEnforced: [] });
    expect(runs.map(({ refusedHosts }) => refusedHosts)).toEqual(Array(2).fill([{ host: "evil.test:443", times: 1 }]));
    const patch = readFileSync(join(place.out, "runs", "r01", "patch.diff"), "utf8");
    expect(patch).toMatch(/\+reached\n\+E\w+\n\+HTTP\/1\.1 403/);
    expect(readFileSync(join(place.out, "report.md"), "utf8")).toContain(
      "Network: only `npm`. Asked for and refused: `evil.test:443` (r01, r02).",
    );
    expect(place.left()).toEqual([]);
  },
);

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
  execFileSync("mkdir", [join(place.repo, ".github")]);
  writeFileSync(join(place.repo, ".github", "multirun.yml"), "network: { allow: [npm] }\n");
  const limited = await place.experiment("true").ended;
  expect(limited.code).toBe(2);
  expect(limited.stderr).toContain("network.allow needs a sandbox: bubblewrap is not installed");
  rmSync(join(place.repo, ".github"), { recursive: true });
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
