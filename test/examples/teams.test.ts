import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Choice, choices, type Role } from "../../examples/teams/choices.mjs";
import {
  type AgentEnd,
  example,
  failures,
  type Place,
  prepare,
  readRows,
  readSchema,
  readTask,
  runAgent,
  type Schema,
} from "./attempt.js";
import { type Server, startServer } from "./server.js";

const args = ["--seed", "1", "--runs", "10"];

interface Attempt {
  choice: Choice;
  place: Place;
  end: AgentEnd;
  schema: Schema;
  /** `command: test` for each test that failed in one of the task's checks. */
  failed: string[];
  /** Failures of the tests it added itself; undefined where it never got to add any. */
  failedOwn: string[] | undefined;
}

let server: Server;
let temporary: string;
let task: Awaited<ReturnType<typeof readTask>>;
let attempts: Attempt[];

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "multirun-teams-"));
  task = await readTask();
  server = await startServer();
  await server.query("postgres", "create database base");
  for (const file of task.seed) {
    await server.query("base", await readFile(join(example, "app", file), "utf8"));
  }
  attempts = [];
  const queue = choices(1, 10);
  const worker = async () => {
    for (let choice = queue.shift(); choice !== undefined; choice = queue.shift()) {
      attempts.push(await attempt(choice));
    }
  };
  await Promise.all([worker(), worker(), worker()]);
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await rm(temporary, { recursive: true, force: true });
});

async function attempt(choice: Choice): Promise<Attempt> {
  const place = await prepare(server, temporary, choice.run);
  const end = await runAgent(place, choice.run, args, task.text);
  const schema = await readSchema(server, choice.run, choice);
  const failed = await failedChecks(place);
  const own = `node --test test/${choice.role === "renames" ? "groups" : "teams"}.test.js`;
  const failedOwn = end.hung ? undefined : await failures(place, own);
  return { choice, place, end, schema, failed, failedOwn };
}

async function failedChecks(place: Place): Promise<string[]> {
  const failed: string[] = [];
  for (const command of task.checks) {
    failed.push(...(await failures(place, command)).map((name) => `${command}: ${name}`));
  }
  return failed;
}

function withRole(role: Role): Attempt {
  const found = attempts.filter((each) => each.choice.role === role);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${found.length} runs with the role "${role}"`);
  }
  return only;
}

const runsThat = (check: (attempt: Attempt) => boolean) =>
  attempts
    .filter(check)
    .map((each) => each.choice.run)
    .sort();
const chosen = (check: (choice: Choice) => boolean) => runsThat((each) => check(each.choice));

test("every check passes on the untouched app", async () => {
  const place = await prepare(server, temporary, "base_copy");
  expect(task.checks.length).toBe(3);
  expect(await failedChecks(place)).toEqual([]);
});

test("every agent but the one that hangs ends well, and says that it is scripted", () => {
  expect(attempts.filter((each) => each.end.exitCode !== 0).map((each) => each.choice.role)).toEqual(["hangs"]);
  expect(withRole("hangs").end.hung).toBe(true);
  for (const { end } of attempts) {
    expect(end.stderr).toBe("");
    expect(end.stdout).toMatch(/^scripted agent, r\d\d: replays prepared edits, no model\n/);
  }
});

test("all ten build the same tables and columns, names aside", () => {
  const [first] = attempts;
  expect(first?.schema.columns).toEqual(
    expect.arrayContaining([
      "projects team_id integer YES NO",
      "team_members team_id integer NO NO",
      "team_members user_id integer NO NO",
      "teams id integer NO YES",
      "teams name text NO NO",
      "teams owner_id integer NO NO",
    ]),
  );
  const neutral = (rule: string) => rule.replace(/ ON DELETE (CASCADE|SET NULL)/, "");
  for (const { schema } of attempts) {
    expect(schema.columns).toEqual(first?.schema.columns);
    expect(schema.constraints.map(neutral)).toEqual(first?.schema.constraints.map(neutral));
  }
});

test("five delete a team's projects with it and five keep them", () => {
  const cascading = ({ schema }: Attempt) =>
    schema.constraints.some((each) => /^projects .*\(team_id\) .* ON DELETE CASCADE$/.test(each));
  const keeping = ({ schema }: Attempt) =>
    schema.constraints.some((each) => /^projects .*\(team_id\) .* ON DELETE SET NULL$/.test(each));
  expect(runsThat(cascading)).toHaveLength(5);
  expect(runsThat(cascading)).toEqual(chosen((choice) => choice.onTeamDelete === "cascade"));
  expect(runsThat(keeping)).toEqual(chosen((choice) => choice.onTeamDelete === "set null"));
});

test("five give each of the twelve users a team of their own and five do nothing", async () => {
  const personal: string[] = [];
  for (const { choice } of attempts) {
    const word = choice.role === "renames" ? "group" : "team";
    const teams = await server.query<{ owner_id: number; user_id: number }>(
      choice.run,
      `select t.owner_id, m.user_id from ${word}s t full join ${word}_members m on m.${word}_id = t.id order by 1, 2`,
    );
    expect([0, 12]).toContain(teams.length);
    expect(teams).toEqual(teams.map((_, index) => ({ owner_id: index + 1, user_id: index + 1 })));
    if (teams.length > 0) {
      personal.push(choice.run);
    }
  }
  expect(personal).toHaveLength(5);
  expect(personal.sort()).toEqual(chosen((choice) => choice.existingUsers === "personal team"));
});

test("the run that renames says group wherever the others say team", async () => {
  const { place, choice } = withRole("renames");
  const columns = await server.query<{ name: string }>(
    choice.run,
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
  );
  const names = columns.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["groups.name", "group_members.group_id", "projects.group_id"]));
  expect(names.filter((name) => name.includes("team"))).toEqual([]);
  expect(await readdir(join(place.folder, "src"))).toContain("groups.js");
  expect(await readdir(join(place.folder, "test"))).toContain("groups.test.js");
});

test("the run that hangs leaves its schema and half of the code", async () => {
  const { place } = withRole("hangs");
  const store = await readFile(join(place.folder, "src/store.js"), "utf8");
  expect(store).toContain("teamId");
  expect(store).not.toContain("team_members");
  expect(await readdir(join(place.folder, "src"))).not.toContain("teams.js");
  expect(await readdir(join(place.folder, "db/migrations"))).toEqual(["001_teams.sql"]);
});

test("one run alone adds an index", () => {
  const indexed = runsThat(({ schema }) => schema.indexes.some((each) => each.includes("projects_team_id")));
  expect(indexed).toEqual(chosen((choice) => choice.role === "adds an index"));
});

test("one run alone breaks a test, one single test, and brings back archived projects by it", () => {
  expect(runsThat(({ failed }) => failed.length > 0)).toEqual(chosen((choice) => choice.role === "breaks a test"));
  expect(withRole("breaks a test").failed).toEqual([
    "node --test test/projects.test.js: takes an archived project off the list",
  ]);
});

test("the tests that the agents add pass", () => {
  const own = attempts.map(({ choice, failedOwn }) => [choice.role, failedOwn]);
  expect(own.filter(([, failed]) => failed === undefined)).toEqual([["hangs", undefined]]);
  expect(own.filter(([role]) => role !== "hangs").flatMap(([, failed]) => failed)).toEqual([]);
});

test("neither agents nor checks change a row the app started with", async () => {
  const base = await readRows(server, "base");
  expect(base).toHaveLength(12 + 9 + 17);
  for (const { choice } of attempts) {
    expect(await readRows(server, choice.run)).toEqual(base);
  }
});

test("an agent that is started anew does the same again", async () => {
  const { choice, place } = withRole("adds an index");
  const again = await prepare(server, temporary, "again");
  await runAgent(again, choice.run, args, task.text);
  for (const file of ["db/migrations/001_teams.sql", "src/store.js", "src/teams.js", "test/teams.test.js"]) {
    const [first, second] = [place, again].map((each) => readFile(join(each.folder, file), "utf8"));
    expect(await second).toBe(await first);
  }
  expect(await readSchema(server, "again", choice)).toEqual(await readSchema(server, choice.run, choice));
});

test("an agent refuses a folder that is not the app, and a run that is not one of its own", async () => {
  const place: Place = { folder: temporary, databaseUrl: server.url("base") };
  const elsewhere = await runAgent(place, "r01", args, task.text);
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([1, expect.stringContaining("holds no src/store.js")]);
  const stranger = await runAgent(place, "r11", args, task.text);
  expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("must be one of r01 to r10")]);
});
