import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Report } from "../../../src/model/report.js";
import { readCodeOf } from "../../../src/pipeline/code.js";
import { gatherFolder } from "../../../src/pipeline/compare/compare.js";
import { reportOf } from "../../../src/pipeline/compare/gathered.js";
import { renderMarkdown } from "../../../src/report/markdown.js";
import { renderTerminal } from "../../../src/report/terminal.js";
import { benchOf } from "../../support/compare.js";

const base = 'def size(box):\n    count = box.count\n    return count\n\n\ndef name(box):\n    return box.name or ""\n';
const head = (path: string) =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
const raising = (error: string) =>
  `${head("src/box.py")}@@ -1,3 +1,5 @@\n def size(box):\n     count = box.count\n+    if count < 0:\n+        raise ${error}(count)\n     return count\n`;
const fresh = (path: string, content: string) => {
  const lines = content.split("\n");
  const body = lines.map((line) => `+${line}\n`).join("");
  return `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..3333333\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
};

interface Compared {
  report: Report;
  /** Of the run in question: the state of its patch, and for each file why it was not read. */
  state: string | undefined;
  files: string[];
  ms: number;
}

/** Three sound patches and the one in question. */
async function compareWith(odd: string | Uint8Array, withBase = true): Promise<Compared> {
  const bench = await benchOf({
    "a.patch": raising("ValueError"),
    "b.patch": raising("ValueError"),
    "c.patch": raising("TypeError"),
    "odd.patch": odd,
  });
  if (withBase) {
    const path = join(bench.from, "base", "src", "box.py");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, base);
  }
  const begun = performance.now();
  const gathered = await gatherFolder(bench);
  const report = await reportOf(gathered);
  const ms = performance.now() - begun;
  const reading = (await readCodeOf(gathered.runs, gathered.base)).find(({ run }) => run === "r04");
  expect(readdirSync(bench.temporary)).toEqual([]);
  expect(readdirSync(bench.from).sort()).toEqual([
    "a.patch",
    "b.patch",
    ...(withBase ? ["base"] : []),
    "c.patch",
    "odd.patch",
  ]);
  expect(JSON.stringify(report).length + renderTerminal(report).length).toBeLessThan(100_000);
  expect(renderMarkdown(report).length).toBeLessThan(100_000);
  expect(JSON.stringify(report)).toContain("ValueError");
  const files = reading?.files.map(({ path, unread }) => `${path.slice(0, 40)}: ${unread}`) ?? [];
  return { report, state: reading?.state, files, ms };
}

const deep = `x = ${"(".repeat(200_000)}1${")".repeat(200_000)}`;
const wide = `x = "${"y".repeat(10_000_000)}"`;

const cases: [name: string, odd: string | Uint8Array, state: string, file: string][] = [
  [
    "does not apply",
    `${head("src/box.py")}@@ -1 +1 @@\n-never there\n+x = 1\n`,
    "does not apply",
    "src/box.py: does not apply at line 1",
  ],
  ["holds a line of 10 MB", fresh("src/wide.py", wide), "changed", "src/wide.py: too large"],
  ["holds NUL bytes", fresh("src/nul.py", "x = 1\ny = '\0'"), "changed", "src/nul.py: binary"],
  ["is nested deeply", fresh("src/deep.py", deep), "changed", "src/deep.py: lines too long"],
  [
    "is nested deeply line by line",
    fresh("src/deep.py", `x = (\n${"(\n".repeat(20_000)}1\n${")\n".repeat(20_000)})`),
    "changed",
    "src/deep.py: null",
  ],
  [
    "is of several encodings",
    Buffer.concat([Buffer.from(raising("KeyError")), Buffer.from(fresh("src/latin.py", "x = '\xe9\xff'"), "latin1")]),
    "changed",
    "src/latin.py: null",
  ],
  [
    "has a file twice",
    `${raising("KeyError")}${head("src/box.py")}@@ -8,2 +8,1 @@\n def name(box):\n-    return box.name or ""\n`,
    "changed",
    "src/box.py: null",
  ],
];

test.each(cases)("a patch that %s is its own run's trouble, and the report comes", async (_, odd, state, file) => {
  const compared = await compareWith(odd);
  expect(compared.state).toBe(state);
  expect(compared.files).toContain(file);
  expect(compared.ms).toBeLessThan(60_000);
});

const outside = join(tmpdir(), `multirun-escaped-${process.pid}.py`);

test.each([
  ["a path that leads out", fresh(`../../../../..${outside}`, "x = 1")],
  ["an absolute path", `--- ${outside}\n+++ ${outside}\n@@ -1 +1 @@\n-a\n+b\n`],
  ["a path into .git", fresh(".git/hooks/post-checkout", `touch ${outside}`)],
])("%s is followed nowhere", async (_, odd) => {
  const { report } = await compareWith(odd);
  expect(report.runs).toHaveLength(4);
  expect(existsSync(outside)).toBe(false);
});

test("a patch that is cut anywhere has its state, and the others are compared", async () => {
  const whole = raising("KeyError");
  for (const length of [20, 90, 110, 150, whole.length - 1]) {
    const { report, state } = await compareWith(whole.slice(0, length));
    const unreadable = report.runs.find(({ variant }) => variant === "odd")?.unreadable ?? [];
    expect(unreadable.length > 0 || state === "does not apply", `cut at ${length}`).toBe(true);
  }
});

test("a million hunks are read in bounded time, with base's text and without", async () => {
  const hunks = Array.from({ length: 1_000_000 }, (_, at) => `@@ -${at + 1} +${at + 1} @@\n-a\n+b\n`).join("");
  const odd = `${head("src/many.py")}${hunks}`;
  for (const withBase of [true, false]) {
    const { files, ms } = await compareWith(odd, withBase);
    expect(files).toEqual([expect.stringMatching(/^src\/many\.py: (?:no base text|too large)/)]);
    expect(ms).toBeLessThan(90_000);
  }
});
