import { expect, test } from "vitest";
import { hunksOf } from "../../../../src/facts/code/patch/hunks.js";
import { type FileChange, parsePatch } from "../../../../src/facts/code/patch/parse.js";

const head = (file: FileChange) => [file.status, file.oldPath, file.path];
const linesOf = ({ body, crlf }: FileChange) =>
  [...hunksOf(body, crlf)].flatMap(({ lines }) => lines.map(({ sign, text }) => `${sign}${text}`));

test("modes, links, submodules and binary files are told apart by git's headers", () => {
  const files = parsePatch(`diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/link b/link
new file mode 120000
index 0000000..1de5659
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+target
\\ No newline at end of file
diff --git a/sub b/sub
index 1111111..2222222 160000
--- a/sub
+++ b/sub
@@ -1 +1 @@
-Subproject commit 1111111
+Subproject commit 2222222
diff --git a/a.png b/a.png
new file mode 100644
index 0000000..1234567
GIT binary patch
literal 10
RcmZQz0000000000000000000

literal 0
HcmV?d00001

diff --git a/b.png b/b.png
index 1234567..89abcde 100644
Binary files a/b.png and b/b.png differ
`);
  expect(files.map((file) => [...head(file), file.kind, file.binary])).toEqual([
    ["modified", null, "run.sh", "file", false],
    ["added", null, "link", "link", false],
    ["modified", null, "sub", "submodule", false],
    ["added", null, "a.png", "file", true],
    ["modified", null, "b.png", "file", true],
  ]);
});

test("names with blanks, quotes and bytes in octal are read as they are", () => {
  const files = parsePatch(`diff --git a/with blank.py b/with blank.py
old mode 100644
new mode 100755
diff --git "a/\\303\\244\\t.py" "b/\\303\\244\\t.py"
deleted file mode 100644
diff --git a/x b/c b/x b/c
new file mode 100644
diff --git "a/say \\"hi\\"" b/plain
similarity index 100%
rename from "say \\"hi\\""
rename to plain
diff --git a/one b/two
similarity index 90%
copy from one
copy to two
`);
  expect(files.map(head)).toEqual([
    ["modified", null, "with blank.py"],
    ["deleted", null, "ä\t.py"],
    ["added", null, "x b/c"],
    ["renamed", 'say "hi"', "plain"],
    ["copied", "one", "two"],
  ]);
});

test("a patch of plain diff is read, with times behind the names and without prefixes", () => {
  const files = parsePatch(`Only in new: other
diff -ru old/src/a.py new/src/a.py
--- old/src/a.py\t2026-01-01 00:00:00.000000000 +0000
+++ new/src/a.py\t2026-01-02 00:00:00.000000000 +0000
@@ -1,2 +1,2 @@
--- gone
+++ come
 same
--- /dev/null\t1970-01-01
+++ b/fresh.py\t2026-01-01
@@ -0,0 +1 @@
+x
--- same.py
+++ same.py
@@ -1 +0,0 @@
-x
`);
  expect(files.map(head)).toEqual([
    ["modified", null, "src/a.py"],
    ["added", null, "fresh.py"],
    ["modified", null, "same.py"],
  ]);
  expect(files.map(linesOf)).toEqual([["--- gone\n", "+++ come\n", " same\n"], ["+x\n"], ["-x\n"]]);
});

test("prefixes of all settings of git's are taken off, and none where there is none", () => {
  const patch = (old: string, now: string) =>
    `diff --git ${old} ${now}\nindex 1..2 100644\n--- ${old}\n+++ ${now}\n@@ -1 +1 @@\n-a\n+b\n`;
  const names = [
    ["a/src/x.py", "b/src/x.py"],
    ["i/src/x.py", "w/src/x.py"],
    ["src/x.py", "src/x.py"],
    ["a/x.py", "a/x.py"],
  ] as const;
  const paths = names.map(([old, now]) => parsePatch(patch(old, now)).map(({ path }) => path));
  expect(paths).toEqual([["src/x.py"], ["src/x.py"], ["src/x.py"], ["a/x.py"]]);
});

test("line ends of a patch that came by mail are none of the file's", () => {
  const patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";
  const [file] = parsePatch(patch.replaceAll("\n", "\r\n"));
  expect(file && [file.crlf, file.path, linesOf(file)]).toEqual([true, "a.py", ["-a\n", "+b\n", " c\n"]]);
  const [other] = parsePatch(patch.replace("-a\n+b\n", "-a\r\n+b\r\n"));
  expect(other && [other.crlf, linesOf(other)]).toEqual([false, ["-a\r\n", "+b\r\n", " c\n"]]);
});

test("an empty context line may have lost its blank, and a mail its end", () => {
  const [file, ...more] = parsePatch(
    "From: x\n\n---\n a.py | 2 +-\n\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n-- \n2.39.5\n",
  );
  expect(more).toEqual([]);
  expect(file && [file.body.broken, linesOf(file)]).toEqual([null, ["-a\n", "+b\n", "\n", " c\n"].map(withSign)]);
});

function withSign(text: string): string {
  return text === "\n" ? " \n" : text;
}

test.each([
  ["cut off in a hunk", "@@ -7,3 +7,3 @@\n a\n-b\n"],
  ["with more lines than its head says", "@@ -7 +7 @@\n-a\n+b\n+c\n"],
  ["with other lines than its head says", "@@ -7,2 +7 @@\n+a\n+b\n"],
  ["with a head that is none", "@@ -7,x +7 @@\n-a\n+b\n"],
  ["that promises more lines than there are numbers", `@@ -7,${"9".repeat(400)} +7 @@\n-a\n`],
])("a file %s is broken, and the next one is whole", (_, hunk) => {
  const rest = "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+y\n";
  const files = parsePatch(`diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n${hunk}${rest}`);
  expect(files.map(({ path, body }) => [path, body.broken === null])).toEqual([
    ["a.py", false],
    ["b.py", true],
  ]);
});

test("a file whose part ends behind its header is broken, unless the header says all", () => {
  const cut = (...lines: string[]) => parsePatch(lines.map((each) => `${each}\n`).join(""))[0]?.body.broken;
  const first = "diff --git a/a.py b/a.py";
  const hash = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
  expect(cut(first)).toBe(1);
  expect(cut(first, "index 1234567..89abcde 100644")).toBe(1);
  expect(cut(first, "new file mode 100644", `index ${"0".repeat(40)}..${hash.replace("e", "f")}`)).toBe(1);
  expect(cut(first, "new file mode 100644", `index ${"0".repeat(40)}..${hash}`)).toBe(null);
  expect(cut(first, "deleted file mode 100644", `index ${hash}..${"0".repeat(40)}`)).toBe(null);
  expect(cut(first, "old mode 100644", "new mode 100755")).toBe(null);
});

test("lines are counted without being kept", () => {
  const [file] = parsePatch(
    "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n@@ -9 +10,0 @@\n-e\n",
  );
  expect(file && [file.body.added, file.body.deleted]).toEqual([2, 2]);
});
