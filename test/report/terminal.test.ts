import { expect, test } from "vitest";
import { renderTerminal } from "../../src/report/terminal.js";
import { widthOf, wrap } from "../../src/report/width.js";
import { demoBase, demoRuns } from "../support/demo.js";
import { hostileNames, hostileReport } from "../support/hostile.js";
import { reportOf } from "../support/report.js";

test.each([40, 80, 120])("no line is wider than %i columns, whatever things are called", (columns) => {
  for (const name of hostileNames) {
    const text = renderTerminal(hostileReport(name), { columns, where: `/a/${name}/report.md` });
    for (const line of text.split("\n")) {
      expect({ line, width: widthOf(line) <= columns }).toEqual({ line, width: true });
    }
  }
});

test("no control, bidirectional or hidden character of a name reaches the terminal", () => {
  for (const name of hostileNames) {
    const text = renderTerminal(hostileReport(name), { where: name });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  }
});

test("colour is off unless asked for, and changes no word", () => {
  const report = reportOf(demoRuns(), demoBase);
  const plain = renderTerminal(report);
  expect(plain).not.toContain("\u001b");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  expect(renderTerminal(report, { color: true }).replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
  expect(renderTerminal(report, { color: true })).toContain("\u001b[33m");
});

test.each([
  ["team", 4],
  ["表", 2],
  ["🎉", 2],
  ["e\u0301", 1],
  ["⚠ ✔ ✖ ⏱", 7],
  ["한글", 4],
])("%s takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("words are wrapped whole, and a word that is too wide is cut", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap(`a ${"x".repeat(20)} b`, 10, 2)).toEqual(["a", "  xxxxxxx…", "  b"]);
});

test("what was not given back is named", () => {
  const resources = { acquired: 3, released: 2, leaked: ["multirun_demo_r01_1"], kept: [] };
  const text = renderTerminal(reportOf(demoRuns(), demoBase, { resources }));
  expect(text).toContain("2 of 3 resources given back");
  expect(text).toContain("not given back: multirun_demo_r01_1");
});
