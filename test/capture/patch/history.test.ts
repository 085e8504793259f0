import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createRepository, type Repository } from "../../support/repository.js";
import { openRun, treeAfter } from "../../support/workspace.js";

function twoCommits(): Repository {
  const user = createRepository({ "a.txt": "1\n", "b.txt": "1\n" });
  user.write("b.txt", "2\n");
  user.commit("second");
  return user;
}

/** The same end state, on whatever way an agent came to it. */
function work(agent: Repository) {
  agent.write("a.txt", "changed\n");
  agent.write("new.txt", "new\n");
}

test.each<[string, (agent: Repository) => void]>([
  ["left its work uncommitted", () => {}],
  ["staged a part", (agent) => agent.git("add", "new.txt")],
  ["committed everything", (agent) => agent.commit()],
  ["committed a part", (agent) => agent.git("commit", "--quiet", "--message", "part", "a.txt")],
  [
    "amended base",
    (agent) => {
      agent.git("add", "--all");
      agent.git("commit", "--quiet", "--amend", "--message", "other");
    },
  ],
  ["rewound its branch and kept its work", (agent) => agent.git("reset", "--quiet", "--soft", "HEAD~1")],
  ["rewound branch and index", (agent) => agent.git("reset", "--quiet", "--mixed", "HEAD~1")],
  ["went to another branch", (agent) => agent.git("switch", "--quiet", "--create", "other")],
  ["detached HEAD", (agent) => agent.git("checkout", "--quiet", "--detach")],
  ["went to an orphan branch", (agent) => agent.git("checkout", "--quiet", "--orphan", "alone")],
  [
    "committed, packed and pruned",
    (agent) => {
      agent.commit();
      agent.git("gc", "--quiet", "--prune=now");
    },
  ],
  ["made the index forget all", (agent) => agent.git("rm", "--quiet", "-r", "--cached", ".")],
  ["marked files as unchanged", (agent) => agent.git("update-index", "--assume-unchanged", "--", "a.txt")],
  ["marked files as left out", (agent) => agent.git("update-index", "--skip-worktree", "--", "a.txt")],
  ["split its index", (agent) => agent.git("update-index", "--split-index")],
])("the patch is the same when the agent %s", async (_, act) => {
  const user = twoCommits();
  const { agent, capture } = await openRun(user);
  work(agent);
  act(agent);

  const patch = await capture();

  expect(patch.changed.map(({ path, status }) => `${status} ${path}`)).toEqual(["modified a.txt", "added new.txt"]);
  expect(patch.applies).toBe(true);
  user.write("a.txt", "changed\n");
  user.write("new.txt", "new\n");
  user.git("add", "--all");
  expect(treeAfter(user, patch.file)).toBe(user.git("write-tree"));
});

test.each<[state: string, target: string, put: (path: string) => void]>([
  ["removed", "", () => {}],
  ["emptied", "", (path) => mkdirSync(path)],
  ["overwritten with a file", "", (path) => writeFileSync(path, "gitdir: /")],
  ["turned into a link", "", (path) => symlinkSync("/etc", path)],
  ["left with a broken index", "index", (path) => writeFileSync(path, "DIRC garbage")],
  ["left with a link as index", "index", (path) => symlinkSync("/etc/passwd", path)],
])("the patch is whole when the agent's git directory is %s", async (_, target, put) => {
  const { agent, capture } = await openRun(twoCommits());
  work(agent);
  const path = join(agent.path, ".git", target);
  rmSync(path, { recursive: true });
  put(path);

  const patch = await capture();

  expect(patch.changed.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
  expect(patch).toMatchObject({ applies: true, warnings: [expect.stringContaining("agent's own index")] });
});

test("ignored files are no part of the patch, unless the agent staged or committed them by force", async () => {
  const user = createRepository({ ".gitignore": "*.log\nbuild/\n", "a.txt": "1\n" });
  const { agent, capture } = await openRun(user);
  for (const name of [
    "ignored.log",
    "build/ignored.txt",
    "staged.log",
    "build/committed.txt",
    "gone.log",
    "intent.log",
  ]) {
    agent.write(name, `${name}\n`);
  }
  agent.git("add", "--force", "build/committed.txt", "gone.log");
  agent.git("commit", "--quiet", "--message", "by force");
  agent.git("add", "--force", "staged.log");
  agent.git("add", "--force", "--intent-to-add", "intent.log");
  rmSync(join(agent.path, "gone.log"));
  agent.write("build/committed.txt", "as it stands\n");

  const patch = await capture();

  expect(patch.changed.map(({ path }) => path)).toEqual(["build/committed.txt", "intent.log", "staged.log"]);
  expect(patch.text).toContain("+as it stands");
  expect(patch).toMatchObject({ applies: true, warnings: [] });
});

test("a tracked file stays in the patch when the agent ignores it", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("a.txt", "2\n");
  agent.write("b.txt", "2\n");
  appendFileSync(join(agent.path, ".gitignore"), "*.txt\n");

  expect((await capture()).changed.map(({ path }) => path)).toEqual([".gitignore", "a.txt"]);
});

test("a second capture sees what changed since the first", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("b.txt", "2\n");
  const first = await capture();
  rmSync(join(agent.path, "b.txt"));

  expect([first.files, (await capture()).files]).toEqual([1, 0]);
});

test("a change of equal size in the very second of the checkout is seen later too", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("a.txt", "2\n");
  const second = () => Math.floor(Date.now() / 1000);
  const written = second();
  await vi.waitUntil(() => second() > written, { timeout: 5000, interval: 20 });

  expect((await capture()).files).toBe(1);
});
