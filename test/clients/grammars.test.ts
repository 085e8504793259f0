import { expect, test } from "vitest";
import { loadGrammars } from "../../src/clients/grammars.js";

const { parse } = await loadGrammars(["python", "rust"]);

test("A tree is plain nodes with fields, offsets and lines counted from 1", () => {
  const parsed = parse("python", "x = 1\nif x:\n    y()\n");
  if ("unread" in parsed) throw new Error(parsed.unread);
  const [first, second] = parsed.root.children;
  expect(first).toMatchObject({ type: "expression_statement", start: 0, end: 5, line: 1, endLine: 1, named: true });
  expect(second).toMatchObject({ type: "if_statement", line: 2, endLine: 3, parent: parsed.root });
  expect(second?.children.map(({ part }) => part)).toEqual([null, "condition", null, "consequence"]);
  expect(parsed.broken).toEqual([]);
});

test("Offsets count UTF-16 units, as slices of the text do", () => {
  const text = "'😀é'; x\n";
  const parsed = parse("python", text);
  if ("unread" in parsed) throw new Error(parsed.unread);
  expect(parsed.root.children.filter(({ named }) => named).map(({ start, end }) => text.slice(start, end))).toEqual([
    "'😀é'",
    "x",
  ]);
});

test("Lines that do not parse are told, missing words among them", () => {
  expect(parse("python", "x = 1\ndef f(:\n    pass\n")).toMatchObject({ broken: [2] });
  expect(parse("rust", "fn f() {\n  let x = 1\n}\n")).toMatchObject({ broken: [2] });
});

test("A text nested too deeply, one too long and a grammar that was not loaded come back with the reason", () => {
  expect(parse("python", "[".repeat(3000) + "]".repeat(3000))).toEqual({ unread: "nested more than 1000 levels deep" });
  expect(parse("python", " ".repeat(1_000_001))).toEqual({ unread: "longer than 1000000 characters" });
  expect(parse("ruby" as "rust", "x")).toEqual({ unread: "its grammar (ruby) was not loaded" });
});

test("Another text can be read after one that the parser gave up", () => {
  parse("python", "(".repeat(200_000));
  expect(parse("python", "x\n")).toMatchObject({ broken: [] });
});
