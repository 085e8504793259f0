import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { type AgentResult, runAgent } from "../../src/execute/agent.js";
import type { AgentAdapter } from "../../src/execute/agents/adapter.js";
import { findAgent } from "../../src/execute/agents/find.js";
import { adapterOf } from "../../src/execute/agents.js";
import { type AgentName, traceEvent } from "../../src/model/agent.js";
import type { RunOutcome } from "../../src/model/record.js";
import { Secret, urlSecrets } from "../../src/model/secret.js";
import { type TestRun, testRun } from "../execute/support.js";
import { type Step, usageOf } from "../support/models/script.js";
import { type Stub, startStub, type Trouble } from "../support/models/stub.js";
import { queryAt, useServer } from "../support/postgres.js";

export interface Expected {
  /** As the variant would name it, and as the maker knows it. */
  model: string;
  id: string;
  /** True where the agent tells what it cost. */
  priced: boolean;
  /** When it tells what it used: on the way, with its last word, or only where all went well. */
  tells: "on the way" | "last" | "well";
  /** Long enough for it to start on a busy machine, write its file, and give up if it ever does. */
  patienceMs: number;
  /** How it ends where no answer ever comes: `timed_out` for those that try again without end. */
  trouble: Record<keyof typeof troubles, { outcome: RunOutcome; reason: RegExp }>;
}

const token = "token-0123456789abcdef";

const troubles = {
  "too many requests": { refusal: { status: 429, kind: "rate_limit", message: "slow down" }, retryAfterS: 1 },
  "an overloaded server": { refusal: { status: 529, kind: "overloaded", message: "Overloaded" } },
  "a stream that is cut": "cut",
  "a server that never answers": "silent",
  "a server that is gone": "gone",
} as const satisfies Record<string, Trouble>;

/** What every agent with an adapter must do, shown with the real program and a model that follows a script. */
export function behaves(name: AgentName, expected: Expected): void {
  const adapter = adapterOf(name);
  if (!adapter) throw new Error(`there is no adapter ${name}`);
  const programs = inject("programs")[name];
  const there = test.skipIf(programs === undefined);
  const server = useServer();
  const at = (options: Partial<Scene>) => play({ adapter, programs: programs ?? "", expected, ...options });

  there(`${name} is found with its version`, async () => {
    const found = await findAgent(adapter, searchPath(programs ?? ""));
    expect(found.version).toMatch(/\d+\.\d+\.\d+/);
    expect(found.file).toBe(join(programs ?? "", name));
  });

  there(`${name} writes a file, migrates the database and tells what it used`, async () => {
    const { url } = await server.database();
    const { run, stub, result } = await at({ databaseUrl: url, migrate: true });
    expect(result).toMatchObject({ outcome: "completed", reason: null, denied: 0 });
    expect(await readFile(join(run.paths.repo, "made.txt"), "utf8")).toBe("made\n");
    expect(await queryAt(url, "SELECT name FROM teams")).toEqual([{ name: "red" }]);
    expect(result.usage.tokens).toEqual(answered(stub));
    expect(result.usage.atLeast).toBeUndefined();
    if (expected.priced) expect(result.usage.costUsd).toBeGreaterThan(0);
    else expect(result.usage.costUsd).toBeNull();
    const events = (await run.read("trace.jsonl"))
      .trimEnd()
      .split("\n")
      .map((line) => traceEvent.parse(JSON.parse(line)));
    expect(new Set(events.map(({ kind }) => kind))).toContain("tool");
    expect(events).toContainEqual({ kind: "text", text: "All done." });
    for (const file of ["trace.jsonl", "stdout.log", "stderr.log"]) expect(await run.read(file)).not.toContain(token);
  });

  there(`${name} with a wrong key has crashed, with the reason`, async () => {
    const { result } = await at({ token: "token-of-somebody-else" });
    expect(result).toMatchObject({ outcome: "crashed", reason: expect.stringMatching(/api.key|401/i) });
  });

  there(`${name} with a model nobody knows has crashed, with the reason`, async () => {
    const { result } = await at({ model: expected.model.replace(expected.id, "nonsense-1") });
    expect(result).toMatchObject({ outcome: "crashed", reason: expect.stringContaining("nonsense-1") });
  });

  const kinds = Object.keys(troubles) as (keyof typeof troubles)[];
  there.for(kinds)(`${name} that meets %s ends truthfully, its work is there`, async (kind) => {
    const { outcome, reason } = expected.trouble[kind];
    const { run, result } = await at({ trouble: { from: 1, what: troubles[kind] } });
    expect(result).toMatchObject({ outcome, reason: expect.stringMatching(reason) });
    expect(await readFile(join(run.paths.repo, "made.txt"), "utf8")).toBe("made\n");
    const told = expected.tells === "on the way" || (expected.tells === "last" && outcome === "crashed");
    if (told) expect(result.usage.tokens?.input).toBeGreaterThan(0);
    else expect(result.usage).toEqual({ costUsd: null, tokens: null });
  });
}

interface Scene {
  adapter: AgentAdapter;
  programs: string;
  expected: Expected;
  databaseUrl?: Secret;
  migrate?: boolean;
  token?: string;
  model?: string;
  trouble?: { from: number; what: Trouble };
}

/** One run of the real program on a script of three steps: write a file, run a command, say so. */
async function play(scene: Scene): Promise<{ run: TestRun; stub: Stub; result: AgentResult }> {
  const { adapter, expected, databaseUrl } = scene;
  const run = await testRun();
  const pg = fileURLToPath(import.meta.resolve("pg"));
  await writeFile(join(run.paths.repo, "migrate.mjs"), migration(pg));
  const steps: Step[] = [
    { write: join(run.paths.repo, "made.txt"), content: "made\n" },
    { run: scene.migrate ? "node migrate.mjs" : "true" },
    { say: "All done." },
  ];
  const { trouble } = scene;
  const stub = await startStub({ key: token, models: [expected.id], steps, ...(trouble ? { trouble } : {}) });
  onTestFinished(() => stub.close());
  const secret = new Secret(scene.token ?? token);
  const result = await runAgent({
    invocation: adapter.invocation({
      model: scene.model ?? expected.model,
      access: { urls: stub.urls, token: secret },
    }),
    parser: adapter.parser,
    variant: { timeoutMs: expected.patienceMs, graceMs: 2_000, stallMs: 600_000, firstSignMs: 600_000 },
    task: "Add teams.\n",
    paths: run.paths,
    environment: {
      ...run.environment,
      ...unreachable,
      PATH: searchPath(scene.programs),
      ...(databaseUrl ? { DATABASE_URL: databaseUrl.reveal() } : {}),
    },
    secrets: [secret, ...(databaseUrl ? urlSecrets(databaseUrl) : [])],
  });
  return { run, stub, result };
}

/** Whatever else they try to reach is refused at once. */
const unreachable = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

function searchPath(programs: string): string {
  return `${programs}:${process.env["PATH"]}`;
}

function migration(pg: string): string {
  return `import pg from ${JSON.stringify(pg)};
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("CREATE TABLE teams (name text); INSERT INTO teams VALUES ('red')");
await client.end();
`;
}

/** The sum over what the stub answered: each request's figures are its own, so that none can stand for another. */
function answered(stub: Stub): { input: number; output: number; cached: number } {
  const all = stub.requests.flatMap(({ status }, index) => (status === 200 ? [usageOf(index + 1)] : []));
  const sum = (key: "input" | "output" | "cached") => all.reduce((total, each) => total + each[key], 0);
  return { input: sum("input"), output: sum("output"), cached: sum("cached") };
}
