import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRepository, gitAt, type Repository, temporaryFolder } from "../../support/repository.js";
import { openRun, treeAfter, treeOf } from "../../support/workspace.js";

const root = process.getuid?.() === 0;

/** Fills a git directory with everything that makes git run a program, each of them leaving a file behind. */
function plant(gitDir: string, canaries: string): void {
  const script = (name: string) => {
    const path = join(canaries, `${name}.sh`);
    writeFileSync(path, `#!/bin/sh\ntouch ${join(canaries, `${name}.ran`)}\ncat\n`, { mode: 0o755 });
    return path;
  };
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  for (const name of ["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "pre-applypatch"]) {
    symlinkSync(script(`hook-${name}`), join(gitDir, "hooks", name));
  }
  const included = join(canaries, "included");
  const settings = (prefix: string) =>
    [
      `[core]\n\tfsmonitor = ${script(`${prefix}fsmonitor`)}\n\thooksPath = ${join(gitDir, "hooks")}`,
      `\tpager = ${script(`${prefix}pager`)}\n\tsshCommand = ${script(`${prefix}ssh`)}`,
      `[diff]\n\texternal = ${script(`${prefix}external`)}`,
      `[diff "x"]\n\ttextconv = ${script(`${prefix}textconv`)}\n\tcommand = ${script(`${prefix}driver`)}`,
      `[filter "x"]\n\tclean = ${script(`${prefix}clean`)}\n\tsmudge = ${script(`${prefix}smudge`)}`,
      `\tprocess = ${script(`${prefix}process`)}\n\trequired = true\n`,
    ].join("\n");
  writeFileSync(included, settings("included-"));
  writeFileSync(join(gitDir, "config"), `${settings("")}[include]\n\tpath = ${included}\n`, { flag: "a" });
  mkdirSync(join(gitDir, "info"), { recursive: true });
  writeFileSync(join(gitDir, "info/attributes"), "* filter=x diff=x\n");
}

function ran(canaries: string): string[] {
  return readdirSync(canaries).filter((name) => name.endsWith(".ran"));
}

test("hooks, monitors, filters, converters, external diffs and includes an agent planted do not run", async () => {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n", "b.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "lib");
  user.commit();
  const { agent, workspace, capture } = await openRun(user);
  const canaries = temporaryFolder();
  agent.write("a.txt", "2\n");
  agent.write("new.txt", "2\n");
  agent.write("lib/l.txt", "2\n");
  agent.write(".gitattributes", "* filter=x diff=x\n");
  for (const gitDir of [".git", ".git/modules/lib", "nested/.git"]) plant(join(agent.path, gitDir), temporaryFolder());
  // The harness's own directory can be found by an agent that looks for it.
  for (const gitDir of [workspace.gitDir, join(workspace.gitDir, "modules/lib")]) plant(gitDir, canaries);
  for (const gitDir of [".git", ".git/modules/lib"]) {
    rmSync(join(agent.path, gitDir, "hooks"), { recursive: true });
    plant(join(agent.path, gitDir), canaries);
  }

  const patch = await capture();

  expect(ran(canaries)).toEqual([]);
  expect(patch.changed.map(({ path }) => path)).toEqual([".gitattributes", "a.txt", "new.txt"]);
  expect(patch.text).toContain("-1\n+2\n");
  // The traps work: git as a person has it falls into them.
  expect(() => gitAt(agent.path, "status")).toThrow("clean filter");
  expect(ran(canaries)).toContain("included-process.ran");
});

test("no attribute of the agent's turns its source into a binary blob", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.ts": "1\n" }));
  agent.write("a.ts", "2\n");
  agent.write(".gitattributes", "*.ts binary -diff\n");

  const patch = await capture();

  expect(patch.text).toContain("-1\n+2\n");
  expect(patch.changed).toContainEqual({ path: "a.ts", oldPath: null, status: "modified", added: 1, deleted: 1 });
});

test("a folder replaced by a link is captured as the link and nothing behind it is read", async () => {
  const user = createRepository({ "src/passwd": "1\n", "src/deep/a.txt": "1\n", "b.txt": "1\n" });
  const { agent, capture } = await openRun(user);
  agent.write("forced/passwd", "mine\n");
  agent.git("add", "--force", "forced/passwd");
  for (const name of ["src", "forced"]) {
    rmSync(join(agent.path, name), { recursive: true });
    symlinkSync("/etc", join(agent.path, name));
  }

  const patch = await capture();

  expect(patch.text).not.toContain("root:");
  expect(patch.applies).toBe(true);
  expect(patch.changed.map(({ path, status }) => `${status} ${path}`)).toEqual([
    "added forced",
    "added src",
    "deleted src/deep/a.txt",
    "deleted src/passwd",
  ]);
  expect(treeAfter(user, patch.file)).toBe(treeOf(agent));
});

test("a link in place of the whole work tree is refused", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  renameSync(agent.path, `${agent.path}-moved`);
  symlinkSync("/etc", agent.path);

  await expect(capture()).rejects.toMatchObject({
    code: "failed",
    message: expect.stringContaining("removed or replaced"),
  });
});

test("a link in place of the patch file is replaced, not written through", async () => {
  const { agent, workspace, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("a.txt", "2\n");
  const outside = join(temporaryFolder(), "outside");
  writeFileSync(outside, "kept");
  symlinkSync(outside, join(workspace.tmp, "patch.diff"));

  expect((await capture()).text).toContain("+2\n");
  expect(readFileSync(outside, "utf8")).toBe("kept");
});

test("a file over the limit is left out and named with size and sha256", async () => {
  const user = createRepository({ "a.txt": "1\n", "grown.bin": "1\n" });
  const { agent, capture } = await openRun(user);
  const large = "x".repeat(2001);
  agent.write("large.bin", large);
  agent.write("grown.bin", large);
  agent.write("fits.bin", "x".repeat(2000));

  const patch = await capture({ fileBytes: 2000 });

  const sha256 = createHash("sha256").update(large).digest("hex");
  expect(patch.changed.map(({ path }) => path)).toEqual(["fits.bin"]);
  expect(patch.warnings).toEqual(
    ["grown.bin", "large.bin"].map(
      (name) => `"${name}" is not part of the patch: 2001 bytes, over the limit of 2000; sha256 ${sha256}`,
    ),
  );
});

test("pipes and sockets are skipped with a warning, also where base has a file", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n", ".gitignore": "ignored/\n" }));
  rmSync(join(agent.path, "a.txt"));
  mkdirSync(join(agent.path, "deep/er"), { recursive: true });
  mkdirSync(join(agent.path, "ignored"));
  for (const name of ["a.txt", "deep/er/pipe", "ignored/pipe"]) execFileSync("mkfifo", [join(agent.path, name)]);
  const server = createServer().listen(join(agent.path, "s.sock"));
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());

  const patch = await capture();

  expect(patch.changed.map(({ path, status }) => `${status} ${path}`)).toEqual(["deleted a.txt"]);
  expect(patch.warnings).toEqual([
    '"deep/er/pipe" is a named pipe: not part of the patch',
    '"s.sock" is a socket: not part of the patch',
    '"a.txt" is a named pipe now: deleted in the patch',
  ]);
});

test.skipIf(root)("what cannot be read is named and the rest is captured (root can read everything)", async () => {
  const user = createRepository({ "a.txt": "1\n", "folder/b.txt": "1\n", "closed.txt": "1\n" });
  const { agent, capture } = await openRun(user);
  for (const name of ["a.txt", "new.txt", "secret.txt", "folder/b.txt"]) agent.write(name, "2\n");
  chmodSync(join(agent.path, "secret.txt"), 0);
  chmodSync(join(agent.path, "closed.txt"), 0);
  chmodSync(join(agent.path, "folder"), 0);

  const patch = await capture();

  expect(patch.changed.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
  expect(patch.applies).toBe(true);
  for (const name of ["secret.txt", "closed.txt", "folder/"]) {
    expect(patch.warnings).toContainEqual(
      expect.stringMatching(new RegExp(`^"${name}" .*(Permission|permission) denied`)),
    );
  }
});

test("an attribute no file can satisfy costs the files it names, with a warning, and no others", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("a.txt", "2\n");
  agent.write("bad.utf", "odd");
  agent.write(".gitattributes", "*.utf text working-tree-encoding=UTF-16\n");

  const patch = await capture();

  expect(patch.changed.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
  expect(patch.warnings).toEqual([expect.stringMatching(/^"bad.utf" is not part of the patch: .*UTF-16/)]);
});

test("a name git refuses is named in a warning", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  agent.write("git~1/config", "1\n");

  expect(await capture()).toMatchObject({ files: 0, warnings: [expect.stringMatching(/git~1.*git refuses the name/)] });
});

test("repositories inside are named and not followed, with commits and without", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "1\n" }));
  createRepository({ "n.txt": "1\n" }, { path: join(agent.path, "nested") });
  agent.write("fresh/f.txt", "1\n");
  gitAt(join(agent.path, "fresh"), "init", "--quiet");

  expect(await capture()).toMatchObject({
    files: 0,
    warnings: [
      '"fresh/" is a repository of its own: not part of the patch',
      '"nested/" is a repository of its own: not part of the patch',
    ],
  });
});

function withSubmodules(): Repository {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n" });
  for (const name of ["kept", "gone", "file", "changed"]) user.git("submodule", "--quiet", "add", library.path, name);
  user.commit();
  return user;
}

test("submodules stay as in base: removed ones are in the patch, changes inside are named", async () => {
  const user = withSubmodules();
  const { agent, capture } = await openRun(user);
  for (const name of ["gone", "file"]) rmSync(join(agent.path, name), { recursive: true });
  agent.write("file", "no module\n");
  agent.write("changed/l.txt", "2\n");

  const patch = await capture();

  expect(patch.changed.map(({ path, status }) => `${status} ${path}`)).toEqual(["type_changed file", "deleted gone"]);
  expect(patch).toMatchObject({
    applies: true,
    warnings: ['submodule "changed": changes inside are not part of the patch'],
  });
});

test("a submodule behind a link the agent planted is not looked at", async () => {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "libs/one");
  user.commit();
  const { agent, capture } = await openRun(user);
  rmSync(join(agent.path, "libs"), { recursive: true });
  const outside = temporaryFolder();
  mkdirSync(join(outside, "one"));
  symlinkSync(outside, join(agent.path, "libs"));

  const patch = await capture();

  expect(patch.changed.map(({ path, status }) => `${status} ${path}`)).toEqual(["added libs", "deleted libs/one"]);
  expect(existsSync(join(outside, "one"))).toBe(true);
});
