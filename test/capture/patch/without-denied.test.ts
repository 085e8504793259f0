import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePatch } from "../../../src/facts/code/patch/parse.js";
import { createRepository, gitAt, temporaryFolder } from "../../support/repository.js";
import { openRun } from "../../support/workspace.js";

const long = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");

/** What the offered patch touches, and the files of base with it applied. */
async function offer(files: Record<string, string>, deny: string[], work: (repo: string) => void) {
  const user = createRepository(files);
  const { agent, captureWithout } = await openRun(user);
  work(agent.path);
  const captured = await captureWithout(deny);
  expect(captured.applies).toBe(true);
  expect(captured.warnings).toEqual([]);
  if (captured.offered === undefined) return { captured, touched: null, tree: null };
  const text = readFileSync(captured.offeredFile, "utf8");
  const touched = parsePatch(text).flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  const tree = filesAfter(user.path, captured.offeredFile);
  return { captured, touched, tree };
}

/** What a person gets who applies it to base. */
function filesAfter(repo: string, patch: string): string {
  const clone = join(temporaryFolder(), "clone");
  gitAt(repo, "clone", "--quiet", "--no-local", repo, clone);
  if (readFileSync(patch).length > 0) gitAt(clone, "apply", "--index", "--binary", patch);
  return gitAt(clone, "ls-files", "-z");
}

const put = (repo: string, path: string, content = "new\n") => {
  mkdirSync(join(repo, path, ".."), { recursive: true });
  writeFileSync(join(repo, path), content);
};

test.each([
  ["in other letters", ".github/**", ".GitHub/workflows/a.yml"],
  ["with letters that only capitals make alike", "secrets/**", "\u017fecrets/key"],
  ["with a trailing slash in the rule", "secrets/", "secrets/key"],
  ["with an accent of its own", "caf\u00e9/**", "cafe\u0301/menu"],
  ["with the end of a line in its name", "secrets/**", "secrets/a\nb"],
  ["with a name that reads like a header", "secrets/**", "secrets/x\n+++ b/src/y"],
  ["with quotes and blanks", "secrets/**", 'secrets/a "b" \t\\c'],
])("a denied path stays out of what is offered, %s", async (_, deny, path) => {
  const { captured, touched } = await offer({ "a.txt": "1\n" }, [deny], (repo) => {
    put(repo, path);
    put(repo, "a.txt", "2\n");
  });
  expect(captured.changed.map((each) => each.path)).toContain(path);
  expect(captured.files).toBe(2);
  expect(captured.offered).toMatchObject({ files: 1, added: 1, deleted: 1 });
  expect(touched).toEqual(["a.txt"]);
});

test("what comes out of a denied folder under another name stays out, and the denied file stays", async () => {
  const { captured, touched, tree } = await offer({ "secrets/key": long, "a.txt": "1\n" }, ["secrets"], (repo) => {
    renameSync(join(repo, "secrets/key"), join(repo, "open.txt"));
    put(repo, "b.txt");
  });
  expect(captured.changed).toContainEqual(expect.objectContaining({ oldPath: "secrets/key", path: "open.txt" }));
  expect(touched).toEqual(["b.txt"]);
  expect(tree).toContain("secrets/key");
  expect(tree).not.toContain("open.txt");
});

test("what goes into a denied folder stays where it was", async () => {
  const { touched, tree } = await offer({ "a.txt": long }, [".github/**"], (repo) => {
    mkdirSync(join(repo, ".github"));
    renameSync(join(repo, "a.txt"), join(repo, ".github/a.txt"));
  });
  expect(touched).toEqual([]);
  expect(tree).toContain("a.txt");
});

test("a denied file that became a link, a folder that became a link, and a deleted one are as base has them", async () => {
  const base = { "secrets/key": "1\n", ".github/a": "1\n", "deny.txt": "1\n", "a.txt": "1\n" };
  const { touched, tree } = await offer(base, ["secrets/**", ".github/**", "deny.txt"], (repo) => {
    rmSync(join(repo, "secrets/key"));
    symlinkSync("/etc/passwd", join(repo, "secrets/key"));
    rmSync(join(repo, ".github"), { recursive: true });
    symlinkSync("src", join(repo, ".github"));
    rmSync(join(repo, "deny.txt"));
    put(repo, "a.txt", "2\n");
  });
  expect(touched).toEqual(["a.txt"]);
  for (const path of Object.keys(base)) expect(tree).toContain(path);
});

test("what stands where a denied file was goes, and the denied file is back", async () => {
  const { touched, tree } = await offer({ "conf/deny": "1\n", "a.txt": "1\n" }, ["conf/deny"], (repo) => {
    rmSync(join(repo, "conf"), { recursive: true });
    put(repo, "conf", "a file now\n");
    put(repo, "a.txt", "2\n");
  });
  expect(touched).toEqual(["a.txt"]);
  expect(tree).toContain("conf/deny");
});

test("a denied submodule is not pointed anywhere else", async () => {
  const library = createRepository({ "l.txt": "1\n" });
  const user = createRepository({ "a.txt": "1\n" });
  user.git("submodule", "--quiet", "add", library.path, "lib");
  user.commit();
  const { agent, captureWithout } = await openRun(user);
  rmSync(join(agent.path, "lib"), { recursive: true, force: true });
  put(agent.path, "lib", "no module any more\n");
  put(agent.path, "a.txt", "2\n");
  const { offered, offeredFile, files } = await captureWithout(["lib"]);
  expect(files).toBeGreaterThan(1);
  expect(offered).toMatchObject({ files: 1 });
  expect(parsePatch(readFileSync(offeredFile, "utf8")).map(({ path }) => path)).toEqual(["a.txt"]);
});

test("without a denied path among the changes the patch itself is what is offered", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { agent, captureWithout } = await openRun(user);
  put(agent.path, "a.txt", "2\n");
  const { offered, offeredFile } = await captureWithout(["secrets/**"]);
  expect(offered).toBeUndefined();
  expect(existsSync(offeredFile)).toBe(false);
});
