import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branchOf } from "../../../src/isolate/workspace/workspace.js";
import { runIds } from "../../../src/model/ids.js";
import { createRepository, gitAt, repositoryAt } from "../../support/repository.js";
import { experiment, holder, openWorkspaces } from "../../support/workspace.js";

test("a workspace is a clean private clone at base on the run's own branch", async () => {
  const user = createRepository({ "src/a.ts": "1\n" });
  const base = user.git("rev-parse", "HEAD");
  user.write("src/a.ts", "later\n");
  user.commit("later");
  const { workspaces, work } = await openWorkspaces(user.path, base);

  const workspace = await workspaces.acquire(holder("r01"));

  const agent = repositoryAt(workspace.repo);
  expect(workspace.folder).toBe(join(work, "r01-1"));
  expect(agent.git("status", "--porcelain=v2", "--branch")).toBe(
    `# branch.oid ${base}\n# branch.head multirun/${experiment}/r01`,
  );
  expect(readFileSync(join(workspace.repo, "src/a.ts"), "utf8")).toBe("1\n");
  expect(readdirSync(workspace.folder).sort()).toEqual(["git", "home", "repo", "tmp"]);
  expect(statSync(workspace.folder).mode & 0o777).toBe(0o700);
});

test("none of the user's branches, tags, remotes, hooks and settings reach a run", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const base = user.git("rev-parse", "HEAD");
  user.git("branch", "the-answer");
  user.git("tag", "v1");
  user.git("remote", "add", "origin", "https://example.com/x.git");
  user.git("config", "alias.x", "status");
  writeFileSync(join(user.path, ".git/hooks/post-checkout"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const { workspaces } = await openWorkspaces(user.path, base);

  const { repo } = await workspaces.acquire(holder("r01"));

  expect(gitAt(repo, "for-each-ref", "--format=%(refname)")).toBe(`refs/heads/multirun/${experiment}/r01`);
  expect(gitAt(repo, "remote")).toBe("");
  expect(gitAt(repo, "config", "--local", "--list")).not.toContain("alias");
  expect(existsSync(join(repo, ".git/hooks"))).toBe(false);
});

test("an agent can look at history, commit, stash and branch as usual", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  user.write("a.txt", "2\n");
  const base = user.commit("second");
  const { workspaces } = await openWorkspaces(user.path, base);
  const { repo } = await workspaces.acquire(holder("r01"));
  // As the agent has it: no name, no author in the environment.
  const run = (...args: string[]) => gitAt(repo, ...args);

  writeFileSync(join(repo, "a.txt"), "3\n");
  run("stash");
  expect(run("status", "--porcelain")).toBe("");
  run("stash", "pop");
  run("switch", "--quiet", "--create", "feature");
  run("commit", "--quiet", "--all", "--message", "third");

  expect(run("log", "--format=%s")).toBe("third\nsecond\nfirst");
  expect(run("config", "user.name")).toBe("multirun");
  run("gc", "--quiet");
  run("fsck", "--no-dangling");
});

test("acquiring twice gives the same workspace with the agent's work in it", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspaces } = await openWorkspaces(user.path, user.git("rev-parse", "HEAD"));
  const first = await workspaces.acquire(holder("r01"));
  writeFileSync(join(first.repo, "a.txt"), "2\n");

  expect(await workspaces.acquire(holder("r01"))).toEqual(first);
  expect(readFileSync(join(first.repo, "a.txt"), "utf8")).toBe("2\n");
});

test("what a crash left of an unfinished acquire is made anew", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspaces, work } = await openWorkspaces(user.path, user.git("rev-parse", "HEAD"));
  mkdirSync(join(work, "r01-1/repo/.git/objects"), { recursive: true });
  writeFileSync(join(work, "r01-1/repo/half.txt"), "");

  const { repo } = await workspaces.acquire(holder("r01"));

  expect(gitAt(repo, "status", "--porcelain")).toBe("");
  expect(existsSync(join(repo, "half.txt"))).toBe(false);
});

test("an acquire that fails leaves no folder", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const base = user.git("rev-parse", "HEAD");
  const { workspaces, work } = await openWorkspaces(user.path, base);
  const blob = user.git("rev-parse", "HEAD:a.txt");
  const object = join(user.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  writeFileSync(object, "no object");

  await expect(workspaces.acquire(holder("r01"))).rejects.toThrow(/read-tree/);
  expect(readdirSync(work)).toEqual([".multirun.json"]);
});

test("a base that is not there is refused by its sha", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspaces } = await openWorkspaces(user.path, "1".repeat(40));

  await expect(workspaces.acquire(holder("r01"))).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("1".repeat(40)),
  });
});

test("release removes folders the agent made read-only and follows no link out of them", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspaces, temporary, work } = await openWorkspaces(user.path, user.git("rev-parse", "HEAD"));
  const { repo } = await workspaces.acquire(holder("r01"));
  const outside = join(temporary, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "kept.txt"), "kept");
  chmodSync(outside, 0o500);
  symlinkSync(outside, join(repo, "link"));
  mkdirSync(join(repo, "deep/er"), { recursive: true });
  writeFileSync(join(repo, "deep/er/file"), "");
  writeFileSync(Buffer.concat([Buffer.from(`${repo}/deep/`), Buffer.from([0xff, 0xfe])]), "");
  for (const folder of ["deep/er", "deep"]) chmodSync(join(repo, folder), 0o000);

  await workspaces.release(holder("r01"));
  await workspaces.release(holder("r01"));

  expect(readdirSync(work)).toEqual([".multirun.json"]);
  expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("kept");
  expect(statSync(outside).mode & 0o777).toBe(0o500);
});

test("list finds the workspaces of every experiment with our marker and nothing else", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspaces, work, temporary } = await openWorkspaces(user.path, user.git("rev-parse", "HEAD"));
  await workspaces.acquire(holder("r02", 3));
  await workspaces.acquire(holder("base"));
  mkdirSync(join(work, "postgres"));
  mkdirSync(join(temporary, "multirun-stranger/r01-1"), { recursive: true });

  expect(await workspaces.list()).toEqual([
    { kind: "workspace", id: join(work, "base-1"), holder: { experiment, run: "base", attempt: 1 } },
    { kind: "workspace", id: join(work, "r02-3"), holder: { experiment, run: "r02", attempt: 3 } },
  ]);
});

test("names of 256 runs clash neither by letter case nor as a prefix of a ref", () => {
  const runs = [...runIds(256), "base" as const];
  const branches = runs.map((run) => branchOf({ experiment, run }));

  expect(new Set(branches.map((name) => name.toLowerCase())).size).toBe(257);
  for (const name of branches) {
    expect(branches.some((other) => other.startsWith(`${name}/`))).toBe(false);
  }
  const user = createRepository();
  for (const name of branches) user.git("branch", name);
  expect(user.git("branch", "--list", "multirun/*").split("\n")).toHaveLength(257);
});
