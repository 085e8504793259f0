import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { adapterOf } from "../../src/execute/agents.js";
import { dialects } from "../../src/execute/gateway/gateway.js";
import type { AgentName } from "../../src/model/agent.js";
import type { Report } from "../../src/model/report.js";
import { withoutSandbox } from "../isolate/sandbox/place.js";
import { reportIn, sandbox } from "../support/cli.js";
import type { Step } from "../support/models/script.js";
import { type Stub, startStub, type Trouble } from "../support/models/stub.js";

const key = "sk-real-0123456789abcdef";
const bases = { anthropic: "ANTHROPIC_BASE_URL", openai: "OPENAI_BASE_URL", gemini: "GOOGLE_GEMINI_BASE_URL" } as const;

/**
 * Whole experiments of three runs with the real program, the bundle, the gateway and, where there is one, the sandbox.
 */
export function experiments(name: AgentName, { model, id, waiting = "stalled", limit = "25s" }: Expected): void {
  const programs = inject("programs")[name];
  const there = test.skipIf(programs === undefined);
  const at = (more: Partial<Scene>) => play({ name, programs: programs ?? "", model, id, ...more });

  there(
    `three runs of ${name} edit, migrate and are compared; what they used is known, and the key is nowhere`,
    async () => {
      const { report, stub, out, said } = await at({});
      expect(report.runs.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual(
        Array(3).fill({ outcome: "completed", reason: null }),
      );
      expect(report.agreed.map(({ title }) => title).join()).toContain("teams");
      for (const run of report.runs) {
        expect(run.costUsd).toBeGreaterThan(0);
        expect(run.tokens?.output).toBeGreaterThan(0);
        expect(run.agentVersion).toMatch(/\d+\.\d+\.\d+/);
        expect(run.usageAtLeast).toBeUndefined();
      }
      const answered = stub.requests.filter(({ status }) => status === 200).length;
      const tokens = report.runs.reduce((sum, run) => sum + (run.tokens?.cached ?? 0), 0);
      expect(tokens).toBe(200 * answered);
      expect(said).not.toContain(key);
      expect(() => execFileSync("grep", ["-rlF", key, out])).toThrow();
    },
  );

  test.skipIf(programs === undefined || withoutSandbox)(
    `${name} works where it reaches its model and its database and nothing else`,
    async () => {
      const { report } = await at({ settings: { network: { allow: [] } } });
      expect(report.runs.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual(
        Array(3).fill({ outcome: "completed", reason: null }),
      );
      expect(report.agreed.map(({ title }) => title).join()).toContain("teams");
      expect(report.experiment).toMatchObject({ network: [], notEnforced: [] });
    },
  );

  there(`the budget of all runs ends ${name}, and what was done is kept`, async () => {
    const { report } = await at({ flags: ["--budget", "0.0001", "--parallel", "1"] });
    const outcomes = report.runs.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["over_budget"]));
    expect(report.runs[0]?.reason).toBe("the budget of $0.00 for all runs is used up");
    expect(report.runs[0]?.costUsd).toBeGreaterThan(0);
    expect(report.runs[2]?.costUsd).toBe(0);
  });

  there(`a wrong key refuses all runs of ${name} at the first call, in one line`, async () => {
    const { report, stub, said } = await at({ key: "sk-wrong-0123456789", code: 1 });
    expect(new Set(report.runs.map(({ outcome }) => outcome))).toEqual(new Set(["refused"]));
    expect(report.runs[0]?.reason).toMatch(/^the key in \w+ was refused \(401\)/);
    // Runs that had called before the answer came are no storm.
    expect(stub.requests.length).toBeLessThanOrEqual(3);
    expect(said.match(/warning: no further call to /g)).toHaveLength(1);
  });

  there(`a model nobody knows refuses the runs of ${name} by its name`, async () => {
    const { report } = await at({ model: model.replace(id, "nonsense-1"), code: 1 });
    expect(new Set(report.runs.map(({ outcome }) => outcome))).toEqual(new Set(["refused"]));
    expect(report.runs[0]?.reason).toContain('"nonsense-1" is not known to its maker (404)');
  });

  const busy = { refusal: { status: 429, kind: "rate_limit", message: "slow down" }, retryAfterS: 1 } as const;
  const over = { refusal: { status: 529, kind: "overloaded", message: "Overloaded" } } as const;
  there.for<[string, Trouble, string]>([
    ["a storm of 429", busy, "overloaded"],
    ["a maker that is overloaded", over, "overloaded"],
    ["a maker that is gone", "gone", "overloaded"],
    ["a maker that answers no byte", "silent", waiting],
  ])(`${name} that meets %s ends in time and in truth, and its work is kept as partial`, async ([, what, outcome]) => {
    // What ends by its silence needs the time to begin, also where the machine is busy.
    const timeout = what === "silent" && outcome === "stalled" ? "60s" : limit;
    const flags = ["--timeout", timeout, "--stall", "9s", "--first-sign", "9s"];
    const { report } = await at({ trouble: { from: 1, what }, flags });
    expect(report.runs.map((run) => run.outcome)).toEqual(Array(3).fill(outcome));
    expect(report.runs.map(({ partial }) => partial)).toEqual([true, true, true]);
    expect(report.runs[0]?.patch?.files).toBe(1);
  });

  there(
    `${name} whose answers are cut in the middle never counts as done, and its work is kept as partial`,
    async () => {
      const { report } = await at({ trouble: { from: 1, what: "cut" }, flags: ["--timeout", "25s"] });
      for (const run of report.runs) expect(["crashed", "timed_out", "stalled", "overloaded"]).toContain(run.outcome);
      expect(report.runs.map(({ partial }) => partial)).toEqual([true, true, true]);
      expect(report.runs[0]?.usageAtLeast).toBe(true);
    },
  );
}

interface Expected {
  model: string;
  id: string;
  /** How it ends that waits for its model for ever: some stay busy meanwhile. */
  waiting?: "stalled" | "timed_out";
  /** Its time where its model fails it: some take long to begin. */
  limit?: string;
}

interface Scene {
  name: AgentName;
  programs: string;
  model: string;
  id: string;
  key?: string;
  trouble?: { from: number; what: Trouble };
  flags?: string[];
  /** Of the configuration file. */
  settings?: Record<string, unknown>;
  /** The exit code: 1 where no run could be counted. */
  code?: number;
}

async function play(scene: Scene): Promise<{ report: Report; stub: Stub; out: string; said: string }> {
  const protocol = adapterOf(scene.name)?.protocol(scene.model) ?? "anthropic";
  const steps: Step[] = [{ run: "echo made > made.txt" }, { run: "node migrate.mjs" }, { say: "All done." }];
  const { trouble } = scene;
  const stub = await startStub({ key, models: [scene.id], steps, ...(trouble ? { trouble } : {}) });
  onTestFinished(() => stub.close());
  const place = sandbox({
    PATH: `${scene.programs}:${process.env["PATH"]}`,
    [dialects[protocol].keyVariable]: scene.key ?? key,
    [bases[protocol]]: stub.urls[protocol],
  });
  const pg = fileURLToPath(import.meta.resolve("pg"));
  const modules = dirname(pg.slice(0, pg.lastIndexOf("/node_modules/") + "/node_modules/x".length));
  const config = join(place.repo, ".github");
  mkdirSync(config);
  const prices = { [scene.id]: { input: 3, output: 15 } };
  place.write("repo/.github/multirun.yml", JSON.stringify({ prices, ...scene.settings }));
  place.write("repo/migrate.mjs", migration(pg));
  const git = (...args: string[]) => execFileSync("git", ["-C", place.repo, ...args], { stdio: "pipe" });
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=migration");
  const seed = place.write("seed.sql", "CREATE TABLE users (id int PRIMARY KEY);\n");
  const flags = ["--seed", seed, "--expose", modules, "--timeout", "90s", ...(scene.flags ?? [])];
  const agent = ["--agent", scene.name, "--model", scene.model, "--task", place.write("task.md", "Add teams.\n")];
  const ended = await place.run(
    "run",
    ...agent,
    "-n",
    "3",
    "--repo",
    place.repo,
    "--out",
    place.out,
    "--json",
    ...flags,
  );
  const said = `${ended.stdout}${ended.stderr}`;
  expect(ended.code, said).toBe(scene.code ?? 0);
  expect(place.left()).toEqual([]);
  const report = reportIn(ended);
  expect(JSON.parse(readFileSync(join(place.out, "report.json"), "utf8"))).toEqual(report);
  return { report, stub, out: place.out, said };
}

function migration(pg: string): string {
  return `import pg from ${JSON.stringify(pg)};
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("CREATE TABLE teams (name text)");
await client.end();
`;
}
