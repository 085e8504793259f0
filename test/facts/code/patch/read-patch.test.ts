import { expect, test } from "vitest";
import { basePathsOf, readPatch } from "../../../../src/facts/code/patch/read-patch.js";
import type { BaseFile } from "../../../../src/model/code.js";

const edit = (path: string, from = "a", to = "b") =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const fresh = (path: string, ...lines: string[]) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
const gone = (path: string, ...lines: string[]) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}\n`).join("")}`;

const base = (files: Record<string, string>) =>
  new Map<string, BaseFile>(Object.entries(files).map(([path, text]) => [path, { text }]));
const states = (patch: string, files: Record<string, string> = {}) => readPatch(patch, base(files)).state;
const unread = (patch: string, files: ReadonlyMap<string, BaseFile> | null) =>
  readPatch(patch, files).files.map((file) => [file.path, file.unread]);

test("a file has its text before and after, and its lines are counted", () => {
  expect(readPatch(edit("src/b.py") + fresh("src/a.py", "x"), base({ "src/b.py": "a\nc\n" }))).toEqual({
    state: "changed",
    reason: null,
    files: [
      {
        path: "src/a.py",
        oldPath: null,
        status: "added",
        fileClass: "source",
        added: 1,
        deleted: 0,
        before: null,
        after: "x\n",
        unread: null,
      },
      {
        path: "src/b.py",
        oldPath: null,
        status: "modified",
        fileClass: "source",
        added: 1,
        deleted: 1,
        before: "a\nc\n",
        after: "b\nc\n",
        unread: null,
      },
    ],
  });
});

test("files of a class that is only counted have no texts and no reason", () => {
  const { files } = readPatch(edit("yarn.lock") + fresh("build/lib/a.py", "x") + edit("README.md"), null);
  expect(files.map(({ fileClass, after, unread, added }) => [fileClass, after, unread, added])).toEqual([
    ["docs", null, null, 1],
    ["generated", null, null, 1],
    ["lock", null, null, 1],
  ]);
});

test("a patch as a whole is what its weightiest files are", () => {
  expect(states("")).toBe("no patch");
  expect(states(edit("src/a.py") + edit("tests/test_a.py"), { "src/a.py": "a\n", "tests/test_a.py": "a\n" })).toBe(
    "changed",
  );
  expect(states(edit("tests/test_a.py") + fresh("repro.py", "x"), { "tests/test_a.py": "a\n" })).toBe("tests only");
  expect(states(fresh("reproduce_bug.py", "x"))).toBe("scratch only");
  expect(states(fresh("build/a.py", "x") + edit("go.sum"))).toBe("generated only");
  expect(states(edit("README.md") + edit("go.sum"))).toBe("other files only");
});

test("one file that does not apply is told, and the others are read", () => {
  const reading = readPatch(edit("src/a.py") + edit("src/b.py"), base({ "src/a.py": "a\n", "src/b.py": "other\n" }));
  expect([reading.state, reading.reason]).toEqual(["does not apply", "`src/b.py` does not apply at line 1"]);
  expect(reading.files.map(({ after, unread: why }) => [after, why])).toEqual([
    ["b\n", null],
    [null, "does not apply at line 1"],
  ]);
});

test("text that is no patch does not apply", () => {
  expect(readPatch("sorry, I could not do it\n", null)).toMatchObject({ state: "does not apply", files: [] });
});

test("without base new and deleted files are read, edited ones are not", () => {
  const patch = edit("a.py") + gone("src/b.py", "x", "y") + fresh("src/c.py", "z");
  expect(readPatch(patch, null).files.map((file) => [file.path, file.before, file.after, file.unread])).toEqual([
    ["a.py", null, null, "no base text"],
    ["src/b.py", "x\ny\n", null, null],
    ["src/c.py", null, "z\n", null],
  ]);
});

test("a file has its reason for having no text", () => {
  const long = "x".repeat(100_001);
  const files = new Map<string, BaseFile>([
    ["src/nul.py", { text: "a\n\0\n" }],
    ["src/long.py", { text: `a\n${long}\n` }],
    ["src/large.py", { text: `a\n${"x\n".repeat(500_000)}` }],
    ["src/told.py", { unread: "binary" }],
    ["src/there.py", { text: "a\n" }],
  ]);
  const link = fresh("src/link.py", "to").replace("100644", "120000");
  const patch = [...files.keys()]
    .slice(0, 4)
    .map((path) => edit(path))
    .join("");
  expect(unread(patch + fresh("src/there.py", "b") + link + gone("src/other.py", "x"), files)).toEqual([
    ["src/large.py", "too large"],
    ["src/link.py", "symbolic link"],
    ["src/long.py", "lines too long"],
    ["src/nul.py", "binary"],
    ["src/other.py", null],
    ["src/there.py", "does not apply: the file is there already"],
    ["src/told.py", "binary"],
  ]);
});

test.each([
  "../x.py",
  "/etc/x.py",
  "a/../../x.py",
  ".git/hooks/x.py",
  "a//x.py",
  "a/./x.py",
  `${"a/".repeat(3_000)}x.py`,
])("a path that leads out of the tree is not read: %s", (path) => {
  const patch = `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n${edit("src/a.py")}`;
  const files = new Map<string, BaseFile>([
    [path, { text: "a\n" }],
    ["src/a.py", { text: "a\n" }],
  ]);
  const reading = readPatch(patch, files);
  expect(reading.files.filter(({ after }) => after !== null).map((file) => file.path)).toEqual(["src/a.py"]);
  expect(reading.files.find(({ after }) => after === null)?.unread).toBe("its path leads out of the tree");
  expect(basePathsOf(patch)).toEqual(["src/a.py"]);
});

test("names every object has are files like others", () => {
  const names = ["__proto__", "constructor", "toString"].map((name) => `src/${name}.py`);
  const patch = [...names, "__proto__/a.py", "hasOwnProperty/x.py"].map((path) => fresh(path, "x")).join("");
  const { files } = readPatch(patch, new Map());
  expect(files.map(({ after }) => after)).toEqual(files.map(() => "x\n"));
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

test("a file that several parts of a patch change is read as one change", () => {
  const move = "diff --git a/src/b.py b/src/c.py\nsimilarity index 100%\nrename from src/b.py\nrename to src/c.py\n";
  const link = gone("src/e.py", "a") + fresh("src/e.py", "c.py").replace("100644", "120000");
  const patch =
    edit("src/b.py") + move + edit("src/c.py", "b", "c") + fresh("src/d.py", "a") + gone("src/d.py", "a") + link;
  const { files } = readPatch(patch, base({ "src/b.py": "a\n", "src/e.py": "a\n" }));
  expect(files).toMatchObject([
    { path: "src/c.py", oldPath: "src/b.py", status: "renamed", before: "a\n", after: "c\n", added: 2, deleted: 2 },
    { path: "src/e.py", status: "modified", after: null, unread: "symbolic link" },
  ]);
});

test("two files that change places, or a new one in the place of a moved one, are read from base", () => {
  const move = (from: string, to: string) =>
    `diff --git a/${from} b/${to}\nsimilarity index 50%\nrename from ${from}\nrename to ${to}\n--- a/${from}\n+++ b/${to}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  const files = base({ "src/a.py": "src/a.py\nx\n", "src/b.py": "src/b.py\ny\n" });
  expect(readPatch(move("src/a.py", "src/b.py") + move("src/b.py", "src/a.py"), files).files).toMatchObject([
    { path: "src/a.py", oldPath: "src/b.py", status: "renamed", before: "src/b.py\ny\n", after: "src/a.py\ny\n" },
    { path: "src/b.py", oldPath: "src/a.py", status: "renamed", before: "src/a.py\nx\n", after: "src/b.py\nx\n" },
  ]);
  expect(readPatch(move("src/a.py", "src/c.py") + fresh("src/a.py", "new"), files).files).toMatchObject([
    { path: "src/a.py", status: "added", after: "new\n", unread: null },
    { path: "src/c.py", status: "renamed", after: "src/c.py\nx\n" },
  ]);
});

test("a new program another file brings in is no scratch, nor is one that is all there is", () => {
  const classes = (patch: string) => readPatch(patch, null).files.map(({ path, fileClass }) => `${path} ${fileClass}`);
  const user = edit("src/a.py", "a", "from helper import x");
  expect(classes(fresh("helper.py", "x") + user)).toEqual(["helper.py source", "src/a.py source"]);
  expect(classes(fresh("helper.py", "x") + edit("src/a.py"))).toEqual(["helper.py scratch", "src/a.py source"]);
  expect(classes(fresh("helper.py", "x"))).toEqual(["helper.py source"]);
  expect(classes(fresh("reproduce.py", "import helper") + fresh("helper.py", "x"))).toEqual([
    "helper.py source",
    "reproduce.py scratch",
  ]);
});

test("a new test beside the README is one where the project's own code lies there, else scratch", () => {
  expect(states(fresh("test_foo.py", "x"))).toBe("scratch only");
  expect(states(fresh("test_foo.py", "x") + edit("testing/test_a.py"), { "testing/test_a.py": "a\n" })).toBe(
    "tests only",
  );
  const { files } = readPatch(fresh("test_app.py", "x") + edit("app.py"), null);
  expect(files.map(({ fileClass }) => fileClass)).toEqual(["source", "test"]);
});

test("base texts are asked for where a file that is read was there before", () => {
  const move =
    "diff --git a/src/old.py b/src/new.py\nsimilarity index 100%\nrename from src/old.py\nrename to src/new.py\n";
  const patch =
    edit("src/a.py") + fresh("src/b.py", "x") + edit("go.sum") + gone("src/c.py", "x") + move + edit("src/a.py");
  expect(basePathsOf(patch)).toEqual(["src/a.py", "src/c.py", "src/old.py"]);
});
