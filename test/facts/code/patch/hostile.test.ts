import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePatch } from "../../../../src/facts/code/patch/parse.js";
import { readPatch } from "../../../../src/facts/code/patch/read-patch.js";
import type { BaseFile } from "../../../../src/model/code.js";

const head = (path: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;

function timed<T>(work: () => T): { result: T; ms: number } {
  const start = performance.now();
  const result = work();
  return { result, ms: performance.now() - start };
}

test.each([
  ["a line of 10 MB", `${head("src/a.py")}@@ -1 +1 @@\n-a\n+${"x".repeat(10_000_000)}\n`],
  ["a head of 10 MB", `diff --git a/${"x".repeat(10_000_000)} b/x\n@@ -1 +1 @@${"x".repeat(10_000_000)}\n-a\n+b\n`],
  ["a name of 10 MB", head(`src/${"\\".repeat(10_000_000)}`)],
  ["a quoted name of 10 MB without an end", `diff --git "a/${'\\"'.repeat(5_000_000)}\n`],
  ["a million hunks", head("src/a.py") + "@@ -1 +1 @@\n-a\n+b\n".repeat(1_000_000)],
  ["a million names", "--- a/x\n+++ b/x\n".repeat(1_000_000)],
  ["a million heads", "diff --git a/x b/x\n".repeat(1_000_000).slice(0, 2_000_000)],
  ["NUL bytes", `${head("src/a.py")}@@ -1 +1 @@\n-a\n+${"\0".repeat(1_000_000)}\n`],
  ["a million empty lines", "\n".repeat(1_000_000)],
])("a patch with %s is read in bounded time", (_, patch) => {
  const base = new Map<string, BaseFile>([["src/a.py", { text: "a\n".repeat(100_000) }]]);
  const { result, ms } = timed(() => readPatch(patch, base));
  expect(["does not apply", "changed", "other files only", "no patch"]).toContain(result.state);
  expect(result.files.every(({ after }) => after === null)).toBe(true);
  expect(ms).toBeLessThan(5_000);
});

test("a patch cut off anywhere gives states, never an error", () => {
  const whole = `${head("src/a.py")}@@ -1,2 +1,2 @@\n-a\n+é\n c\n${head("src/b.py")}@@ -1 +1 @@\n-a\n+b\n`;
  const bytes = Buffer.from(whole);
  const base = new Map<string, BaseFile>([
    ["src/a.py", { text: "a\nc\n" }],
    ["src/b.py", { text: "a\n" }],
  ]);
  for (let length = 0; length < bytes.length; length++) {
    const { files } = readPatch(bytes.subarray(0, length).toString("utf8"), base);
    for (const { fileClass, after, unread } of files) {
      if (fileClass === "source" && unread === null) expect(["é\nc\n", "b\n"]).toContain(after);
    }
  }
});

test("whatever a patch holds, it is read without an error and the same way twice", () => {
  const piece = fc.constantFrom(
    "diff --git a/src/a.py b/src/a.py\n",
    "--- a/src/a.py\n",
    "+++ b/src/a.py\n",
    "+++ /dev/null\n",
    "--- /dev/null\n",
    "@@ -1 +1 @@\n",
    "@@ -0,0 +1,2 @@\n",
    "@@ -5,3 +1,0 @@ x\n",
    "-a\n",
    "+b\n",
    " a\n",
    "\n",
    "\r\n",
    "\\ No newline\n",
    "rename from x\n",
    "rename to y\n",
    "copy to src/a.py\n",
    "new file mode 120000\n",
    "deleted file mode 100644\n",
    "GIT binary patch\n",
    "Binary files differ\n",
    "index 1..2\n",
    '--- "a/\\377"\n',
    "\0",
    "-- \n",
    "+",
  );
  const base = new Map<string, BaseFile>([
    ["src/a.py", { text: "a\na\n" }],
    ["x", { unread: "binary" }],
  ]);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const patch = pieces.join("");
      const reading = readPatch(patch, base);
      expect(readPatch(patch, base)).toEqual(reading);
      for (const { before, after, unread } of reading.files) {
        if (unread !== null) expect([before, after]).toEqual([null, null]);
      }
    }),
    { numRuns: 2_000 },
  );
});

/** Public patches, which lie beside the project where they lie at all. */
const shared = fileURLToPath(new URL("../../../../../shared/nway/patches/", import.meta.url));

test.skipIf(!existsSync(shared))("every file of the public patches can be taken apart", () => {
  const broken = readdirSync(shared).flatMap((task) =>
    readdirSync(join(shared, task))
      .filter((name) => name.endsWith(".patch"))
      .flatMap((name) =>
        parsePatch(readFileSync(join(shared, task, name), "utf8"))
          .filter(({ path, body }) => path === "" || body.broken !== null)
          .map(({ path }) => `${task}/${name}: ${path}`),
      ),
  );
  expect(broken).toEqual([]);
});
