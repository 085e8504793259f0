import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportIn, type Sandbox, sandbox, until } from "../support/cli.js";

function folderOf(place: Sandbox, files: Record<string, string>): string {
  const folder = join(place.folder, "runs");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const users = "CREATE TABLE users (id int PRIMARY KEY, email text";
const sql = {
  "opus-2.sql": `${users} NOT NULL);`,
  "opus-10.sql": `${users});`,
  "sonnet.sql": `${users} NOT NULL);`,
  "haiku.sql": `${users} NOT NUL);`,
};

test("a folder of SQL becomes a report in which runs have their names, and a decision can be explained", async () => {
  const place = sandbox();
  const from = folderOf(place, sql);
  const out = join(place.folder, "out");
  const ended = await place.run("compare", "--from", from, "--out", out, "--json");
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  expect(report.runs.map(({ variant }) => variant)).toEqual(["haiku", "opus-2", "opus-10", "sonnet"]);
  expect(report.runs[0]).toMatchObject({ outcome: "unreadable", reason: expect.stringContaining("haiku.sql line 1") });
  const [decision] = report.decisions;
  expect(decision?.missing).toEqual(["r01"]);
  expect(place.left()).toEqual([]);
  expect(readdirSync(place.temporary)).toEqual([]);
  const again = reportIn(await place.run("synthesize", out, "--json"));
  expect(again).toEqual(report);
  const explained = await place.run("synthesize", out, "--explain", "D1");
  expect(explained).toMatchObject({ code: 0, stderr: "" });
  expect(explained.stdout).toContain(`D1  ${decision?.title.replaceAll("`", "")}`);
  expect(explained.stdout).toContain("r03  opus-10");
  expect(explained.stdout).toContain("r03  runs/r03/schema.json, opus-10.sql:1\n");
  expect((await place.run("status", out)).stdout).toContain("4/4 done\n  r01 done\n");
  const refused = await place.run("cancel", out);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("It is over") });
  const unknown = await place.run("synthesize", out, "--explain", "D9");
  expect(unknown).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("D1") });
});

test("branches are compared without a checkout, beside a reference", async () => {
  const place = sandbox();
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", place.repo, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args]);
  for (const name of ["try-1", "try-2", "try-3"]) {
    git("checkout", "--quiet", "-b", name, "main");
    writeFileSync(join(place.repo, "app.txt"), `${name}\n`);
    git("commit", "--quiet", "--all", "--message=x");
  }
  git("checkout", "--quiet", "main");
  const ended = await place.run(
    "compare",
    "--repo",
    place.repo,
    "--base",
    "main",
    "try-1",
    "try-2",
    "--reference",
    "try-3",
  );
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("r01 try-1 ✔");
  expect(ended.stdout).toContain("r03 try-3 (reference) ✔");
  expect(readdirSync(place.temporary)).toEqual([]);
});

test("an interrupted comparison gives everything back", async () => {
  const place = sandbox();
  const from = folderOf(place, { "a.sql": "SELECT pg_sleep(3600);", "b.sql": "SELECT pg_sleep(3600);" });
  const { child, ended } = place.start("compare", "--from", from);
  const started = () =>
    readdirSync(place.temporary).some((name) => existsSync(join(place.temporary, name, "postgres.json")));
  await until("a server starts", started);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(place.left()).toEqual([]);
  expect(readdirSync(place.temporary)).toEqual([]);
});

test("what a killed comparison left is found and given back, the account of it too", async () => {
  const place = sandbox();
  const from = folderOf(place, { "a.sql": "SELECT pg_sleep(3600);" });
  const { child, ended } = place.start("compare", "--from", from);
  const started = () =>
    readdirSync(place.temporary).some((name) => existsSync(join(place.temporary, name, "postgres.json")));
  await until("a server starts", started);
  // By name: other tests have processes of their own on this machine.
  const id = readdirSync(place.temporary)
    .find((name) => name.endsWith(".account"))
    ?.replace(/^multirun-|\.account$/g, "");
  const sweep = (...flags: string[]) => place.run("sweep", id ?? "", "--repo", place.repo, ...flags);
  expect((await sweep("--yes")).stdout).toBe(`${id} is alive: not touched\n`);
  child.kill("SIGKILL");
  await ended;
  expect((await sweep()).stdout).toContain("found    account ");
  expect(readdirSync(place.temporary).length).toBeGreaterThan(0);
  expect(await sweep("--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("removed  account ") });
  expect(readdirSync(place.temporary)).toEqual([]);
  expect((await sweep()).stdout).toBe("nothing left behind\n");
});

test.each([
  ["neither files nor branches", [], "neither --from nor --base"],
  ["a folder and refs", ["--from", ".", "--base", "main", "try-1"], "goes with no refs"],
  ["an explanation as JSON", ["--from", ".", "--explain", "D1", "--json"], "--explain"],
  ["a folder that is not there", ["--from", "no-such"], '--from: "'],
])("%s is exit code 2 with rule and next action", async (_name, args, said) => {
  const ended = await sandbox().run("compare", ...args);
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
  expect(ended.stderr.trim().split("\n").length).toBeGreaterThan(1);
});
