import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { reportIn, type Sandbox, sandbox } from "../support/cli.js";
import { type NeonEmulator, type NeonOptions, startNeon } from "../support/neon/neon.js";
import { useServer } from "../support/postgres.js";

const server = useServer();

beforeEach(async () => {
  await server.query("DO $$ BEGIN CREATE ROLE app_owner LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
  await server.query(`ALTER ROLE app_owner PASSWORD '${server.site.admin.password}'`);
});

interface Scene {
  neon: NeonEmulator;
  place: Sandbox;
  /** The parent's own database. */
  parent: string;
}

const pg = fileURLToPath(import.meta.resolve("pg"));
const modules = dirname(pg.slice(0, pg.lastIndexOf("/node_modules/") + "/node_modules/x".length));

async function scene(more: Partial<NeonOptions> = {}, settings: Record<string, unknown> = {}): Promise<Scene> {
  const { name: parent } = await server.database({
    sql: "CREATE TABLE users (id int PRIMARY KEY, name text); INSERT INTO users VALUES (1, 'real')",
  });
  await server.query(`ALTER DATABASE ${parent} OWNER TO app_owner`);
  await server.query("ALTER TABLE users OWNER TO app_owner; ALTER SCHEMA public OWNER TO app_owner", parent);
  const neon = await startNeon({ site: server.site, parentDatabase: parent, ...more });
  onTestFinished(() => neon.close());
  const place = sandbox({ NEON_API_KEY: neon.apiKey, NEON_API_URL: neon.url });
  mkdirSync(join(place.repo, ".github"));
  const database = {
    provider: "neon",
    project: neon.project,
    parent: "main",
    database: "app",
    role: "app_owner",
    ...settings,
  };
  writeFileSync(join(place.repo, ".github", "multirun.yml"), JSON.stringify({ database }));
  return { neon, place, parent };
}

/** An agent that says which table it wants, as r01 does and the others do. */
function agent(place: Sandbox): string {
  const program = place.write(
    "agent.mjs",
    `import pg from ${JSON.stringify(pg)};
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query(process.env.MULTIRUN_RUN === "r01" ? "CREATE TABLE teams (id int)" : "CREATE TABLE groups (id int)");
await client.query("DELETE FROM users");
await client.end();
`,
  );
  return `node ${program} && echo done > app.txt`;
}

test("runs work on branches of a base that was seeded once, the parent is not touched, and no branch is left", async () => {
  const { neon, place, parent } = await scene();
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int);\n");
  const ended = await place.experiment(agent(place), { runs: 3, flags: ["--seed", seed, "--expose", modules] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  expect(report.runs.map(({ outcome }) => outcome)).toEqual(Array(3).fill("completed"));
  expect(report.resources).toMatchObject({ leaked: [] });
  expect(report.risks.map(({ title }) => title).join()).toContain("users");
  expect([...neon.state.branches.values()].map(({ name }) => name)).toEqual(["main"]);
  expect(await server.query("SELECT * FROM users", parent)).toEqual([{ id: 1, name: "real" }]);
  expect(
    await server.query("SELECT relname FROM pg_class WHERE relname IN ('notes', 'teams', 'groups')", parent),
  ).toEqual([]);
  const made = neon.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/branches"));
  expect(made.length).toBe(4);
  // Neither the key nor a password is anywhere.
  const password = server.site.admin.password;
  for (const secret of [neon.apiKey, password]) {
    expect(() => execFileSync("grep", ["-rlF", secret, place.out])).toThrow();
    expect(ended.stdout + ended.stderr).not.toContain(secret);
  }
  expect(place.left()).toEqual([]);
});

test("locks, rates, failures and lost answers pass, and what an answer was lost of is found and used, not made twice", async () => {
  const { neon, place } = await scene();
  neon.faults.push(
    { method: "GET", path: /\/branches$/, status: 503 },
    { method: "POST", path: /\/branches$/, status: 0, after: true },
    { method: "POST", path: /\/branches$/, status: 423 },
    { method: "POST", path: /\/branches$/, status: 429, headers: { "retry-after": "0" } },
    { method: "GET", path: /connection_uri$/, status: 500 },
    { method: "DELETE", path: /./, status: 502, after: true },
    { method: "DELETE", path: /./, status: 0 },
  );
  const ended = await place.experiment(agent(place), { runs: 2, flags: ["--expose", modules] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(neon.faults).toEqual([]);
  expect(reportIn(ended).resources).toMatchObject({ leaked: [] });
  expect([...neon.state.branches.values()].map(({ name }) => name)).toEqual(["main"]);
});

test("what Neon begins and does not finish is begun again: branches, the password of base, deletions", async () => {
  const { neon, place } = await scene();
  const actions: string[] = [];
  const { operate } = neon.state;
  neon.state.operate = (action, ...rest) => {
    neon.state.fails = () => !actions.includes(action) && actions.push(action) > 0;
    return operate.call(neon.state, action, ...rest);
  };
  const ended = await place.experiment(agent(place), { runs: 2, flags: ["--expose", modules] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(actions.sort()).toEqual(["apply_config", "create_branch", "delete_timeline"]);
  expect(reportIn(ended).resources).toMatchObject({ leaked: [] });
  expect([...neon.state.branches.values()].map(({ name }) => name)).toEqual(["main"]);
});

test("where there is room for fewer branches than runs they wait for each other, and a plan without expiry is told", async () => {
  const { neon, place } = await scene({ branchLimit: 3, knowsExpiry: false });
  const ended = await place.experiment(agent(place), { runs: 3, flags: ["--expose", modules] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const told = "The database had room for 1 runs at once, not 3: the others waited.";
  expect(ended.stderr).toContain(told);
  expect(reportIn(ended).experiment.notes).toEqual([told]);
  expect(readFileSync(join(place.out, "report.md"), "utf8")).toContain(told);
  expect(ended.stderr).toContain("knows no expires_at");
  expect(reportIn(ended).runs.map(({ outcome }) => outcome)).toEqual(Array(3).fill("completed"));
  expect(neon.state.branches.size).toBe(1);
});

test("a branch of our name that is not ours is neither used nor deleted", async () => {
  const { neon, place } = await scene();
  const [main] = neon.state.branches.values();
  const running = place.experiment(agent(place), { runs: 1, flags: ["--expose", modules] });
  // Whoever makes it first: our own is then refused as taken.
  const read = () =>
    existsSync(join(place.out, "experiment.json")) ? readFileSync(join(place.out, "experiment.json"), "utf8") : "";
  await expect.poll(read, { timeout: 20_000, interval: 5 }).toContain('"id"');
  const { id } = JSON.parse(read());
  if (main) await neon.state.fork(main, { name: `multirun/${id}/base`, expiresAt: null, annotation: {} });
  const ended = await running.ended;
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain("is not ours: it does not bear our annotation");
  expect([...neon.state.branches.values()].map(({ name }) => name)).toContain(`multirun/${id}/base`);
});

test.each([
  ["a wrong key", { NEON_API_KEY: "napi_wrong" }, {}, "NEON_API_KEY was refused (401"],
  [
    "a key without rights",
    { NEON_API_KEY: "napi_restricted_0123456789" },
    {},
    'database.project: "quiet-rain-123456" cannot be used with this key (403',
  ],
  ["no key", { NEON_API_KEY: "" }, {}, "NEON_API_KEY is not set"],
  ["an unknown project", {}, { project: "no-such" }, 'database.project: "no-such" cannot be used with this key (404'],
  ["an unknown parent", {}, { parent: "mian" }, 'has no branch "mian"'],
  ["an unknown database", {}, { database: "apq" }, 'has no database "apq"'],
  ["an unknown role", {}, { role: "nobody" }, 'has no role "nobody"'],
])("%s is exit code 2 before anything is made", async (_, environment, settings, message) => {
  const { neon, place } = await scene({}, settings);
  const other = sandbox({ NEON_API_KEY: neon.apiKey, NEON_API_URL: neon.url, ...environment });
  mkdirSync(join(other.repo, ".github"));
  writeFileSync(join(other.repo, ".github", "multirun.yml"), readFileSync(join(place.repo, ".github", "multirun.yml")));
  const ended = await other.experiment("true").ended;
  expect(ended.code, ended.stderr).toBe(2);
  expect(ended.stderr).toContain(message);
  expect(neon.state.branches.size).toBe(1);
});

test("no room for base and one run is exit code 2 with the numbers", async () => {
  const { place } = await scene({ branchLimit: 2 });
  const ended = await place.experiment("true").ended;
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("has 1 of 2 branches, and an experiment takes 2 at least");
});

test("after kill -9 sweep lists what was left, then gives back what is ours and nobody's any more, and nothing else", async () => {
  const { neon, place } = await scene();
  const running = place.experiment("echo half > app.txt; sleep 300", { runs: 2 });
  const names = () => [...neon.state.branches.values()].map(({ name }) => name).sort();
  await expect.poll(() => names().length, { timeout: 40_000 }).toBe(4);
  await expect.poll(() => place.left().join("\n"), { timeout: 20_000 }).toContain("sleep");
  running.child.kill("SIGKILL");
  await running.ended;
  const [main] = [...neon.state.branches.values()].filter(({ isDefault }) => isDefault);
  if (!main) throw new Error("no parent");
  const foreign = async (experiment: string, expires: string, annotation: Record<string, string> | null) => {
    const own = {
      multirun: "1",
      "multirun-experiment": experiment,
      "multirun-run": "base",
      "multirun-expires": expires,
    };
    const more = { name: `multirun/${experiment}/base`, expiresAt: null, annotation: annotation ?? own };
    return (await neon.state.fork(main, more)).branch;
  };
  const over = await foreign("over-20260101-000000-aaaa", "2026-01-01T01:00:00Z", null);
  await neon.state.fork(over, { name: "made-by-an-agent", expiresAt: null, annotation: {} });
  await foreign("alive-20260101-000000-bbbb", "2099-01-01T00:00:00Z", null);
  await foreign("alike-20260101-000000-cccc", "2026-01-01T01:00:00Z", { owner: "somebody" });
  const before = names();
  const listed = await place.run("sweep", "--neon", neon.project, "--repo", place.repo, place.out);
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).toContain("r01-1");
  expect(names()).toEqual(before);
  const own = await place.run("sweep", "--neon", neon.project, "--repo", place.repo, place.out, "--yes");
  expect(own.code, own.stderr).toBe(0);
  const all = await place.run("sweep", "--neon", neon.project, "--repo", place.repo, "--yes");
  expect(all.code, all.stderr).toBe(0);
  expect(all.stdout).toContain("alive-20260101-000000-bbbb is alive: not touched");
  expect(names()).toEqual([
    "main",
    "multirun/alike-20260101-000000-cccc/base",
    "multirun/alive-20260101-000000-bbbb/base",
  ]);
  expect(place.left()).toEqual([]);
});
