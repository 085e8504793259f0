import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentEnvironment } from "../../src/execute/environment.js";
import { runProgram } from "../../src/execute/program.js";
import { experimentId, runId } from "../../src/model/ids.js";
import { Secret } from "../../src/model/secret.js";
import { testRun } from "./support.js";

const holder = { experiment: experimentId.parse("teams-1a2b"), run: runId.parse("r07"), attempt: 2 };
const paths = {
  repo: "/w/r07-2/repo",
  home: "/w/r07-2/home",
  tmp: "/w/r07-2/tmp",
  taskFile: "/w/r07-2/task.md",
  claimsFile: "/w/r07-2/claims.json",
  out: "/w/r07-2/out",
};
const deadline = Date.UTC(2030, 0, 2, 3, 4, 5);
const caller = { PATH: "/usr/bin:/bin", LANG: "de_DE.UTF-8", TERM: "xterm", CANARY_TOKEN: "canary" };

test("every variable an agent gets, and no other", () => {
  const databaseUrl = new Secret("postgres://u:p@127.0.0.1/db");
  expect(agentEnvironment({ caller, holder, paths, databaseUrl, portBase: 20_140, deadline })).toEqual({
    PATH: "/usr/bin:/bin",
    LANG: "de_DE.UTF-8",
    TERM: "xterm",
    HOME: "/w/r07-2/home",
    TMPDIR: "/w/r07-2/tmp",
    XDG_CACHE_HOME: "/w/r07-2/home/.cache",
    PIP_CACHE_DIR: "/w/r07-2/home/.cache/pip",
    npm_config_cache: "/w/r07-2/home/.npm",
    DATABASE_URL: "postgres://u:p@127.0.0.1/db",
    MULTIRUN_EXPERIMENT: "teams-1a2b",
    MULTIRUN_RUN: "r07",
    MULTIRUN_TASK_FILE: "/w/r07-2/task.md",
    MULTIRUN_CLAIMS_FILE: "/w/r07-2/claims.json",
    MULTIRUN_DEADLINE: "2030-01-02T03:04:05.000Z",
    MULTIRUN_PORT_BASE: "20140",
    MULTIRUN_NAMESPACE: "multirun-teams-1a2b-r07-2",
  });
});

test("without a database and a terminal there is no DATABASE_URL and a terminal that can do nothing", () => {
  const environment = agentEnvironment({ caller: {}, holder, paths, portBase: 20_000, deadline });
  expect(environment).not.toHaveProperty("DATABASE_URL");
  expect(environment).toMatchObject({ LANG: "C.UTF-8", TERM: "dumb" });
  expect(environment["PATH"]).toContain("/usr/bin");
});

test("a real program sees exactly these variables and not the caller's secrets", async () => {
  const run = await testRun();
  process.env["CANARY_TOKEN"] = "canary-1234";
  try {
    const dump = 'require("fs").writeFileSync("env.json", JSON.stringify(process.env))';
    const program = { file: process.execPath, args: ["-e", dump] };
    expect((await runProgram(run.options("", { program }))).exitCode).toBe(0);
  } finally {
    delete process.env["CANARY_TOKEN"];
  }
  expect(JSON.parse(await readFile(join(run.paths.repo, "env.json"), "utf8"))).toEqual(run.environment);
});
