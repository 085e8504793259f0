import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quoteAlternate } from "../../../src/clients/git-dir.js";
import { createRepository, gitAt, type Repository, temporaryFolder } from "../../support/repository.js";
import { holder, openWorkspaces } from "../../support/workspace.js";

async function acquire(path: string, base: string) {
  const { workspaces } = await openWorkspaces(path, base);
  return workspaces.acquire(holder("r01"));
}

/** Clean for git, and the very tree of base. */
function expectWhole(repo: string, user: Pick<Repository, "git">, base: string) {
  expect(gitAt(repo, "status", "--porcelain")).toBe("");
  expect(gitAt(repo, "write-tree")).toBe(user.git("rev-parse", `${base}^{tree}`));
}

test("a linked worktree, a bare repository and a clone that borrows its own objects serve as parents", async () => {
  const user = createRepository({ "a.txt": "1\n", "b/c.txt": "2\n" });
  const base = user.git("rev-parse", "HEAD");
  const beside = temporaryFolder();
  user.git("worktree", "add", "--quiet", join(beside, "linked"), "-b", "side");
  user.git("clone", "--quiet", "--bare", user.path, join(beside, "bare"));
  user.git("clone", "--quiet", "--shared", user.path, join(beside, "borrower"));
  const alternates = join(beside, "borrower/.git/objects/info/alternates");
  writeFileSync(alternates, `${"../".repeat(20)}${user.path.slice(1)}/.git/objects\n`);

  for (const name of ["linked", "bare", "borrower"]) {
    const { repo } = await acquire(join(beside, name), base);
    expectWhole(repo, user, base);
  }
});

test("a repository may lie in a folder whose name holds a newline and quotes", async () => {
  const path = join(temporaryFolder(), '"odd\n#name" \\n');
  const user = createRepository({ "a.txt": "1\n" }, { path });
  const base = user.git("rev-parse", "HEAD");

  expectWhole((await acquire(path, base)).repo, user, base);
  expect(quoteAlternate('/a\n"b\\')).toBe('"/a\\n\\"b\\\\"');
  expect(quoteAlternate("/plain")).toBe("/plain");
});

test("a shallow parent gives a shallow workspace", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  user.write("a.txt", "2\n");
  const base = user.commit("second");
  const shallow = join(temporaryFolder(), "shallow");
  user.git("clone", "--quiet", "--depth=1", `file://${user.path}`, shallow);

  const { repo } = await acquire(shallow, base);

  expectWhole(repo, user, base);
  expect(gitAt(repo, "log", "--format=%s")).toBe("second");
});

test("a sparse parent gives a full checkout", async () => {
  const user = createRepository({ "in/a.txt": "1\n", "out/b.txt": "2\n" });
  const base = user.git("rev-parse", "HEAD");
  user.git("sparse-checkout", "set", "--sparse-index", "in");
  expect(existsSync(join(user.path, "out"))).toBe(false);

  const { repo } = await acquire(user.path, base);

  expectWhole(repo, user, base);
  expect(existsSync(join(repo, "out/b.txt"))).toBe(true);
});

test("a sha256 parent gives a sha256 workspace", async () => {
  const user = createRepository({ "a.txt": "1\n" }, { format: "sha256" });
  const base = user.git("rev-parse", "HEAD");
  expect(base).toHaveLength(64);

  expectWhole((await acquire(user.path, base)).repo, user, base);
});

test("base may be a tag or a commit no branch leads to", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const tagged = user.git("rev-parse", "HEAD");
  user.git("tag", "--annotate", "--message", "x", "v1");
  user.write("a.txt", "2\n");
  const lost = user.commit("lost");
  user.git("reset", "--quiet", "--hard", tagged);

  const tag = await acquire(user.path, user.git("rev-parse", "v1"));
  expect(gitAt(tag.repo, "rev-parse", "HEAD")).toBe(tagged);
  expectWhole((await acquire(user.path, lost)).repo, user, lost);
});

test("a partial clone with missing objects is refused with the command that brings them", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const base = user.git("rev-parse", "HEAD");
  user.git("config", "uploadpack.allowFilter", "true");
  const partial = join(temporaryFolder(), "partial");
  user.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", `file://${user.path}`, partial);

  await expect(acquire(partial, base)).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("partial clone"),
    hint: expect.stringContaining("fetch --refetch --no-filter origin"),
  });
  gitAt(partial, "fetch", "--quiet", "--refetch", "--no-filter", "origin");
  expectWhole((await acquire(partial, base)).repo, user, base);
});

test("odd names, links, case clashes, line endings and modes arrive as committed", async () => {
  const user = createRepository({
    "-dash": "1\n",
    "new\nline": "2\n",
    "ünï çode 🦦": "3\n",
    Case: "4\n",
    case: "5\n",
    "crlf.txt": "a\r\nb\r\n",
    "eol.txt": "a\nb\n",
    ".gitattributes": "eol.txt eol=crlf\n",
    [`${"long/".repeat(60)}name`]: "6\n",
  });
  const outside = join(temporaryFolder(), "outside.txt");
  writeFileSync(outside, "kept");
  user.git("update-index", "--add", "--cacheinfo", `120000,${blob(user, outside)},link`);
  user.git("update-index", "--chmod=+x", "--", "-dash");
  user.git("commit", "--quiet", "--message", "odd");
  const base = user.git("rev-parse", "HEAD");

  const { repo } = await acquire(user.path, base);

  expectWhole(repo, user, base);
  expect(readlinkSync(join(repo, "link"))).toBe(outside);
  expect(readFileSync(outside, "utf8")).toBe("kept");
  expect(readFileSync(join(repo, "eol.txt"), "utf8")).toBe("a\r\nb\r\n");
  expect(readFileSync(join(repo, "Case"), "utf8") + readFileSync(join(repo, "case"), "utf8")).toBe("4\n5\n");
});

function blob(user: Repository, content: string): string {
  const path = join(user.path, ".git/blob");
  writeFileSync(path, content);
  return user.git("hash-object", "-w", path);
}

test("filters of the user's configuration are not run: pointers of git-lfs stay pointers", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
  const user = createRepository({
    "big.bin": pointer,
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
  });
  const base = user.git("rev-parse", "HEAD");
  const canary = join(temporaryFolder(), "ran");
  for (const name of ["smudge", "clean", "process"]) user.git("config", `filter.lfs.${name}`, `touch ${canary}`);
  user.git("config", "filter.lfs.required", "true");

  const { repo } = await acquire(user.path, base);

  expectWhole(repo, user, base);
  expect(readFileSync(join(repo, "big.bin"), "utf8")).toBe(pointer);
  expect(existsSync(canary)).toBe(false);
});

test("submodules are filled from the parent's objects, nested ones too", async () => {
  const inner = createRepository({ "inner.txt": "1\n" });
  const middle = createRepository({ "middle.txt": "1\n" });
  middle.git("submodule", "--quiet", "add", inner.path, "inner");
  middle.commit();
  const user = createRepository({ "a.txt": "1\n" });
  user.git("submodule", "--quiet", "add", "--name", "other name", middle.path, "lib/middle");
  const base = user.commit();
  user.git("submodule", "--quiet", "update", "--init", "--recursive");

  const { repo, submodules, warnings } = await acquire(user.path, base);

  expectWhole(repo, user, base);
  expect(readFileSync(join(repo, "lib/middle/inner/inner.txt"), "utf8")).toBe("1\n");
  expect(gitAt(repo, "submodule", "status", "--recursive")).toMatch(/^ \S+ lib\/middle .*\n \S+ lib\/middle\/inner /);
  expect({ submodules, warnings }).toEqual({ submodules: ["lib/middle", "lib/middle/inner"], warnings: [] });
});

test("a submodule whose objects are missing stays empty and is named once for all runs", async () => {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "lib");
  const base = user.commit();
  rmSync(join(user.path, ".git/modules"), { recursive: true });
  const { workspaces, warnings } = await openWorkspaces(user.path, base);

  const first = await workspaces.acquire(holder("r01"));
  const second = await workspaces.acquire(holder("r02"));

  expect(readdirSync(join(first.repo, "lib"))).toEqual([]);
  expect(second.warnings).toEqual([
    expect.stringMatching(/^submodule lib is left empty: .*git submodule update --init/),
  ]);
  expect(warnings).toEqual(second.warnings);
});

test("a submodule name that climbs out of its folder is refused", async () => {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "lib");
  rmSync(join(user.path, ".gitmodules"));
  appendFileSync(join(user.path, ".gitmodules"), `[submodule "../modules/lib"]\n\tpath = lib\n\turl = x\n`);
  const base = user.commit();

  expect((await acquire(user.path, base)).warnings).toEqual([expect.stringContaining("is not allowed")]);
});
