import { expect, test } from "vitest";
import { readForeignPatch } from "../../../src/capture/patch/foreign.js";
import { withEmptyRepository } from "../../../src/pipeline/compare/patches.js";
import { compareDeps } from "../../support/compare.js";
import { errorOf } from "../../support/expect.js";
import { temporaryFolder } from "../../support/folder.js";

async function read(patch: string | Uint8Array) {
  const temporary = await temporaryFolder();
  return withEmptyRepository({ temporary }, ({ cwd, gitDir }) =>
    readForeignPatch({ git: compareDeps().git, patch: Buffer.from(patch), scratch: { cwd, gitDir } }),
  );
}

const hunk = "@@ -1,2 +1,3 @@\n one\n+1\n two\n";

test("files that are new, changed, deleted, moved and binary are told apart", async () => {
  const { changed, files, added, deleted, applies } = await read(
    [
      `diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n${hunk}`,
      "diff --git a/new one.txt b/new one.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new one.txt\t\n@@ -0,0 +1 @@\n+x\n",
      "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      "diff --git a/old.txt b/now.txt\nsimilarity index 100%\nrename from old.txt\nrename to now.txt\n",
      "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n",
      'diff --git "a/\\303\\274.txt" "b/\\303\\274.txt"\nnew file mode 100644\n--- /dev/null\n+++ "b/\\303\\274.txt"\n@@ -0,0 +1 @@\n+x\n',
    ].join(""),
  );
  expect(changed.map(({ path, oldPath, status }) => [path, oldPath, status])).toEqual([
    ["src/a.txt", null, "modified"],
    ["new one.txt", null, "added"],
    ["gone.txt", null, "deleted"],
    ["now.txt", "old.txt", "renamed"],
    ["empty", null, "added"],
    ["ü.txt", null, "added"],
  ]);
  expect({ files, added, deleted, applies }).toEqual({ files: 6, added: 3, deleted: 1, applies: null });
});

test("lines of a file that look like headers are lines of a file", async () => {
  const text = "--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n--- /dev/null\n+++ b/x.txt\n one\n";
  expect((await read(text)).changed).toMatchObject([{ path: "x.txt", status: "modified", added: 1, deleted: 1 }]);
});

test("an empty patch changes nothing and applies", async () => {
  expect(await read("\n")).toMatchObject({ files: 0, applies: true, changed: [] });
});

test.each([
  ["prose", "I could not do it.\n", "no patch that git can read: No valid patches in input"],
  ["a patch that is cut off", `--- a/x\n+++ b/x\n${hunk.slice(0, -6)}`, "no patch that git can read: corrupt patch"],
  ["a path that leads out", `--- a/../../x\n+++ b/../../x\n${hunk}`, "leads out of the work tree"],
  ["a path into a git directory", `--- a/.git/config\n+++ b/.git/config\n${hunk}`, "leads out of the work tree"],
  ["NUL bytes", "\0".repeat(100), "no patch that git can read"],
])("%s is refused with the reason, which names no folder of ours", async (_name, patch, said) => {
  const error = await errorOf(() => read(patch));
  expect(error.code).toBe("bad_artifact");
  expect(error.message).toContain(said);
  expect(error.message).not.toContain("multirun-");
});
