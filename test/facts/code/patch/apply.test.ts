import { expect, test } from "vitest";
import { applyHunks } from "../../../../src/facts/code/patch/apply.js";
import { parsePatch } from "../../../../src/facts/code/patch/parse.js";

function apply(hunks: string, base: string, change = (patch: string) => patch) {
  const [file] = parsePatch(change(`--- a/a.py\n+++ b/a.py\n${hunks}`));
  return file && applyHunks(file, base);
}

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join("");

test("a hunk slides to the only place its lines stand at, and those behind it with it", () => {
  const hunks = "@@ -2,2 +2,2 @@\n line 2\n-line 3\n+three\n@@ -8 +8 @@\n-x\n+y\n";
  const base = `${numbered(5, 90)}${numbered(6)}7\nx\nx\n`;
  expect(apply(hunks, base)).toEqual({
    text: `${numbered(5, 90)}line 1\nline 2\nthree\nline 4\nline 5\nline 6\n7\ny\nx\n`,
  });
});

test("a hunk whose lines stand at two other places stays out", () => {
  expect(apply("@@ -5 +5 @@\n-x\n+y\n", "a\nx\nb\nx\nc\n")).toEqual({ line: 5 });
});

test("context is never ignored in part", () => {
  expect(apply("@@ -1,3 +1,3 @@\n line 1\n-line 2\n+two\n line three\n", numbered(3))).toEqual({ line: 1 });
});

test("a hunk does not go back before the one in front of it", () => {
  expect(apply("@@ -3 +3 @@\n-c\n+C\n@@ -4 +4 @@\n-a\n+A\n", "a\nb\nc\nd\n")).toEqual({ line: 4 });
});

test("equal lines are preferred to those equal but for blanks at their ends", () => {
  expect(apply("@@ -1 +1 @@\n-a\n+b\n", "a  \nx\na\n")).toEqual({ text: "a  \nx\nb\n" });
});

test("blanks at the ends of context lines stay as base has them", () => {
  expect(apply("@@ -1,2 +1,3 @@\n a\n+b\n c\n", "a  \nc\t\n")).toEqual({ text: "a  \nb\nc\t\n" });
});

test("a patch that came by mail keeps the line ends of the file", () => {
  const byMail = (patch: string) => patch.replaceAll("\n", "\r\n");
  expect(apply("@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "a\r\nc\r\n", byMail)).toEqual({ text: "b\r\nc\r\n" });
  expect(apply("@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "a\nc\n", byMail)).toEqual({ text: "b\nc\n" });
});

test("a last line without a newline is another one than the same with it", () => {
  expect(apply("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a")).toEqual({ text: "a\n" });
  expect(apply("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a\n")).toEqual({ line: 1 });
});

test("lines put in without context go behind the line they name", () => {
  expect(apply("@@ -2,0 +3,2 @@\n+x\n+y\n@@ -3 +5,0 @@\n-c\n", "a\nb\nc\n")).toEqual({ text: "a\nb\nx\ny\n" });
  expect(apply("@@ -9,0 +10 @@\n+x\n", "a\n")).toEqual({ line: 9 });
});

test("time grows with the text, also where every line is like every other", () => {
  // 18,000 lines that fit in part at every third place: comparing place by place would take 24 million steps a hunk.
  const period = "a\na\nb\n";
  const base = period.repeat(60_000);
  const old = `${period.repeat(6_000)}b\n`;
  const lines = old.replace(/^/gm, "-").slice(0, -1);
  const hunks = `@@ -90001,${18_001} +90001,0 @@\n${lines}`;
  const start = performance.now();
  expect(apply(hunks, base)).toEqual({ line: 90_001 });
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("hunks may all stand elsewhere, each by another distance, up to a thousand of them", () => {
  const hunk = (at: number) => {
    const line = 3 * at + 2;
    return `@@ -${line + (at % 2 === 0 ? 2 : 1)} +${line} @@\n-line ${line}\n+LINE ${line}\n`;
  };
  const hunks = (count: number) => Array.from({ length: count }, (_, at) => hunk(at)).join("");
  const base = numbered(60_000);
  const changed = base.replace(/^line (\d+)$/gm, (line, digits: string) =>
    Number(digits) % 3 === 2 && Number(digits) < 3 * 900 ? `LINE ${digits}` : line,
  );
  expect(apply(hunks(900), base)).toEqual({ text: changed });
  const start = performance.now();
  expect(apply(hunks(19_000), base)).toEqual({ line: 3 * 1_000 + 2 + 2 });
  expect(performance.now() - start).toBeLessThan(3_000);
});
