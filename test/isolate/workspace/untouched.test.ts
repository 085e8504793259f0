import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { createRepository, repositoryAt, temporaryFolder } from "../../support/repository.js";
import { holder, openRun, openWorkspaces } from "../../support/workspace.js";

/** Everything below a folder: kind, mode and content of each file, and the times of all but shared objects. */
function fingerprint(root: string): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stats = lstatSync(path, { bigint: true });
    const content = stats.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    // Git touches an object somebody has just written again, so that it is not collected: its time may change.
    const time = relative(root, path).startsWith(".git/objects/") ? "" : stats.mtimeNs;
    lines[relative(root, path)] = `${stats.mode} ${time} ${content}`;
  }
  return lines;
}

test("the user's repository is bit-identical before and after", async () => {
  const user = createRepository({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
  const library = createRepository({ "l.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "lib");
  user.commit("second");
  user.git("branch", "other");
  user.git("pack-refs", "--all");
  user.git("tag", "v1");
  user.git("worktree", "add", "--quiet", join(temporaryFolder(), "gone"), "-b", "side");
  user.write("a.txt", "stashed\n");
  user.git("stash");
  user.write("b.txt", "staged\n");
  user.git("add", "b.txt");
  user.write("c.txt", "unstaged\n");
  user.write("untracked.txt", "new\n");
  writeFileSync(join(user.path, ".git/hooks/post-index-change"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  const before = fingerprint(user.path);

  const { workspace, agent, capture } = await openRun(user);
  agent.write("a.txt", "agent\n");
  agent.commit("agent");
  // An object the user's store has already.
  agent.write("d.txt", "1\n");
  const patch = await capture();
  const { workspaces } = await openWorkspaces(user.path, user.git("rev-parse", "HEAD"));
  await workspaces.acquire(holder("r02"));
  await workspaces.release(holder("r02"));

  expect(patch.files).toBe(2);
  expect(repositoryAt(workspace.repo).git("status", "--porcelain")).toBe("?? d.txt");
  expect(fingerprint(user.path)).toEqual(before);
});
