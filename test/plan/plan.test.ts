import { expect, test } from "vitest";
import { experimentId } from "../../src/model/ids.js";
import { readConfig } from "../../src/plan/config.js";
import { nameExperiment, type PlanInput, planExperiment } from "../../src/plan/plan.js";
import { readTask } from "../../src/plan/task.js";
import { errorOf } from "../support/expect.js";

const sha = "a".repeat(40);

function input(overrides: Partial<PlanInput> = {}): PlanInput {
  return {
    task: readTask("# Add teams\n\nUsers can be in teams.", "task.md"),
    base: { repo: "/repo", sha, dirty: false, checkoutBytes: 1 },
    file: {},
    flags: { command: "agent" },
    arms: {},
    readSeeds: (patterns) => patterns.map((path) => ({ path, sha256: "0", sql: "select 1" })),
    readPrompt: (path) => `prompt of ${path}`,
    now: new Date("2026-01-02T03:04:05Z"),
    id: experimentId.parse("add-teams"),
    work: "/tmp/multirun-add-teams",
    keep: false,
    scripted: false,
    server: null,
    chooseSandbox: () => "none",
    hasModelKey: true,
    ...overrides,
  };
}

test("a plan says what every run gets", () => {
  const plan = planExperiment(input());
  expect(plan.runs.map((run) => run.id)).toEqual([
    "r01",
    "r02",
    "r03",
    "r04",
    "r05",
    "r06",
    "r07",
    "r08",
    "r09",
    "r10",
  ]);
  expect(plan.variants).toMatchObject([{ name: "default", command: "agent", timeoutMs: 1_800_000 }]);
  expect(new Set(plan.runs.map((run) => run.portBase)).size).toBe(10);
  expect(plan.database).toMatchObject({ provider: "none", seeds: [] });
});

test("flags win over the task's front matter, which wins over the file; lists replace, mappings merge", () => {
  const task = readTask("---\nn: 3\nchecks: [task check]\nseed: a.sql\n---\nDo it.", "t.md");
  const file = {
    runs: 7,
    checks: ["file check"],
    timeout: 60_000,
    database: { provider: "embedded" as const, seed: ["b.sql"] },
  };
  const plan = planExperiment(input({ task, file, flags: { command: "agent", runs: 2, timeout: "90s" } }));
  expect(plan.runs).toHaveLength(2);
  expect(plan.variants[0]).toMatchObject({ timeoutMs: 90_000, checks: [{ id: "c1", command: "task check" }] });
  expect(plan.database).toMatchObject({ provider: "embedded", seeds: [{ path: "a.sql" }] });
});

test("a variant's own settings replace global ones for its runs only", () => {
  const file = {
    command: "global",
    checks: ["one"],
    contract: { allow: ["src/**"] },
    variants: [
      { name: "plain", runs: 1 },
      { name: "strict", runs: 1, checks: ["two", "one"], contract: { deny: ["db/**"] }, prompt: "p.md" },
    ],
  };
  const plan = planExperiment(input({ file, flags: {} }));
  expect(plan.runs.map((run) => run.variant)).toEqual(["plain", "strict"]);
  expect(plan.variants[1]).toMatchObject({
    command: "global",
    prompt: "prompt of p.md",
    contract: { allow: ["src/**"], deny: ["db/**"] },
  });
  // The same command is the same check in both.
  expect(plan.variants[1]?.checks).toMatchObject([{ id: "c2" }, { id: "c1" }]);
});

test("a check may declare a report; one command is one check in every variant", () => {
  const file = readConfig(`
command: agent
checks: ["npm run lint", { run: npm test, report: out/junit.xml, format: pytest }]
variants: [{ name: a, runs: 1 }, { name: b, runs: 1, checks: { run: npm test, report: "-" } }]
`);
  const plan = planExperiment(input({ file, flags: {} }));
  expect(plan.variants.map(({ checks }) => checks)).toEqual([
    [
      { id: "c1", title: "npm run lint", command: "npm run lint" },
      { id: "c2", title: "npm test", command: "npm test", report: { path: "out/junit.xml", format: "pytest" } },
    ],
    [{ id: "c2", title: "npm test", command: "npm test", report: { path: "-" } }],
  ]);
});

test("agents are shared out as asked and take their command lines from the file", () => {
  const file = { agents: { claude: { command: "claude -p" }, codex: { command: "codex exec" } } };
  const plan = planExperiment(input({ file, flags: {}, arms: { agent: "claude:3,codex:2" } }));
  expect(plan.runs.map((run) => run.variant)).toEqual(["claude", "claude", "claude", "codex", "codex"]);
  expect(plan.variants.map((variant) => variant.command)).toEqual(["claude -p", "codex exec"]);
});

test("models without counts share the runs evenly", () => {
  const plan = planExperiment(input({ arms: { model: "small,large" }, flags: { command: "agent", runs: 5 } }));
  expect(plan.runs.map((run) => run.variant)).toEqual(["small", "small", "large", "large", "large"]);
  expect(plan.variants.map((variant) => variant.model)).toEqual(["small", "large"]);
});

test.each<[string, Partial<PlanInput>, string]>([
  ["no agent at all", { flags: {} }, "no agent"],
  [
    "an agent nobody described",
    { flags: {}, arms: { agent: "cluade" }, file: { agents: { claude: { command: "c" } } } },
    'did you mean "claude"?',
  ],
  ["an inherited name", { flags: {}, arms: { agent: "constructor" } }, 'agent "constructor" has no command line'],
  ["zero runs", { flags: { command: "a", runs: 0 } }, "runs: 0: must be from 1 to 256"],
  ["too many runs", { flags: { command: "a", runs: 257 } }, "runs: 257: must be from 1 to 256"],
  [
    "counts that do not fit",
    { arms: { model: "a:3,b:3" }, flags: { command: "a", runs: 10 } },
    "ask for 6 runs, planned are 10",
  ],
  ["counts beyond the limit", { arms: { model: "a:200,b:200" } }, "ask for 400 runs"],
  ["two lists at once", { arms: { model: "a,b", agent: "c,d" } }, "both list several arms"],
  ["one arm twice", { arms: { model: "a:3,a:2" } }, 'variant "a" is listed twice'],
  ["an impossible duration", { flags: { command: "a", timeout: "-1s" } }, '"-1s" is no duration'],
  ["an unknown provider", { flags: { command: "a", database: { provider: "mysql" } } }, "database.provider"],
  [
    "Neon without a project",
    { flags: { command: "a", database: { provider: "neon" } } },
    "database: neon needs database.project",
  ],
  [
    "Neon without a role",
    { flags: { command: "a" }, file: { database: { provider: "neon" as const, project: "p", database: "app" } } },
    "database: neon needs database.role",
  ],
  [
    "seeds without a database",
    { flags: { command: "a", database: { provider: "none", seed: "a.sql" } } },
    "yet there are seed files",
  ],
  ["a server without an address", { flags: { command: "a", database: { provider: "postgres" } } }, "needs the URL"],
  [
    "a limit nothing keeps",
    { flags: { agent: "claude", modelAccess: "direct", budget: { total: 1 } } },
    "--budget: claude reaches its model directly",
  ],
])("%s is refused before anything starts", async (_, overrides, message) => {
  const error = await errorOf(() => planExperiment(input(overrides)));
  expect(error).toMatchObject({ code: "bad_input" });
  expect(error.message).toContain(message);
  expect(error.hint).toBeTruthy();
});

test("a shared file's limits that nothing keeps yet are written down", () => {
  const file = { agent: "codex", modelAccess: "direct" as const, budget: { total: 5 }, network: { allow: ["npm"] } };
  const plan = planExperiment(input({ file, flags: {} }));
  expect(plan.notEnforced).toEqual(["budget", "network"]);
});

test("the hosts that may be reached stand in the plan where a sandbox keeps to them; a wrong one is refused", () => {
  const wishes: unknown[] = [];
  const chooseSandbox: PlanInput["chooseSandbox"] = (wish) => {
    wishes.push(wish);
    return "bwrap";
  };
  const file = { agent: "codex", network: { allow: ["npm", "localhost:6379"] } };
  const plan = planExperiment(input({ file, flags: {}, chooseSandbox }));
  expect(plan).toMatchObject({ network: { allow: ["npm", "localhost:6379"] }, notEnforced: [] });
  expect(planExperiment(input({ file: { agent: "codex", network: {} }, flags: {}, chooseSandbox })).network).toBeNull();
  expect(wishes).toEqual([
    { kind: "auto", closedNetwork: true },
    { kind: "auto", closedNetwork: false },
  ]);
  const wrong = { agent: "codex", network: { allow: ["npn"] } };
  expect(() => planExperiment(input({ file: wrong, flags: {} }))).toThrow('network.allow: "npn"');
});

test("where branches of a Neon project are made stands in the plan", () => {
  const database = { provider: "neon" as const, project: "p", database: "app", role: "owner", parentAt: "0/1A2B" };
  const plan = planExperiment(input({ file: { database }, flags: { command: "a" } }));
  expect(plan.database).toMatchObject({
    provider: "neon",
    neon: { project: "p", parent: null, at: "0/1A2B", database: "app", role: "owner" },
  });
});

test("budgets and limits stand in the plan, and nothing of them is left open", () => {
  const file = { agent: "claude", budget: { total: 15, perRun: 2 }, stall: 60_000 };
  const plan = planExperiment(input({ file, flags: {}, chooseSandbox: () => "bwrap" }));
  expect(plan).toMatchObject({ sandbox: "bwrap", budgetUsd: 15, notEnforced: [] });
  expect(plan.variants[0]).toMatchObject({
    agent: "claude",
    command: null,
    budgetUsd: 2,
    stallMs: 60_000,
    firstSignMs: 60_000,
  });
});

test("an agent's own command line goes before the adapter of its name", () => {
  const file = { agent: "claude", agents: { claude: { command: "my-claude" } } };
  expect(planExperiment(input({ file, flags: {} })).variants[0]).toMatchObject({
    agent: "claude",
    command: "my-claude",
  });
});

test("an experiment is named by what and when", () => {
  const named = nameExperiment({ title: "Add teams", now: new Date("2026-01-02T03:04:05Z"), nonce: "x7k2" });
  expect(named).toBe("add-teams-20260102-030405-x7k2");
});

test.each(["#1", '"quoted"', "🎉", "x".repeat(300), "a/../b", "-"])("the title %s makes a safe id", (title) => {
  expect(nameExperiment({ title, now: new Date(0), nonce: "ab12" })).toMatch(/^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$/);
});
