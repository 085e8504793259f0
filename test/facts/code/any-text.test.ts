import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type SyntaxNode, walk } from "../../../src/facts/code/syntax.js";
import { reader } from "./reading.js";

const read = await reader();
const samples = new URL("./samples/", import.meta.url);
const files = readdirSync(samples).map((file) => ({
  name: file.replace(/\.txt$/, ""),
  text: readFileSync(new URL(file, samples), "utf8"),
}));
const others = [
  "a.yml",
  "a.toml",
  "a.json",
  "a.sql",
  "a.sh",
  "Dockerfile",
  "Makefile",
  "a.css",
  "a.c",
  "a.kt",
  "a",
  "a.md",
];
const paths = [...files.map(({ name }) => name), ...others];

test("Any text is read, whatever its name says it is", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(..."(){}[]<>;:,.=\"'`#/*-+\\\n\t $@&|?!ab1"), maxLength: 200 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), text, (path, written) => holds(path, written)),
    { numRuns: 300 },
  );
});

test("Real code with pieces cut out, doubled or moved is read", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.nat(60), fc.nat(), fc.nat(2)), { minLength: 1, maxLength: 4 }),
      ({ name, text }, changes) => {
        let mutated = text;
        for (const [from, length, to, kind] of changes) {
          const at = from % (mutated.length + 1);
          const piece = mutated.slice(at, at + length);
          const rest = kind === 0 ? mutated : mutated.slice(0, at) + mutated.slice(at + length);
          const target = to % (rest.length + 1);
          mutated = kind === 1 ? rest : rest.slice(0, target) + piece + rest.slice(target);
        }
        holds(name, mutated);
      },
    ),
    { numRuns: 300 },
  );
});

test("Code nested as deep as the parser lets through is read as a tree, deeper code by its tokens", () => {
  for (const path of ["a.py", "a.ts", "a.go", "a.rb", "a.rs"]) {
    const nested = (depth: number) => `x = ${"f(".repeat(depth)}${")".repeat(depth)}\n`;
    holds(path, nested(300));
    const deep = read(path, nested(3000));
    expect(deep.unread).toMatch(/nested more than 1000 levels deep|did not come to an end/);
    expect(deep.language).toBe(null);
    expect(deep.symbols.size).toBe(1);
  }
  holds("a.js", `x = ${"a + ".repeat(900)}1`);
});

/** What is true of every reading: names are keys, nodes lie inside their parents and come in order. */
function holds(path: string, text: string): void {
  const { root, symbols, broken } = read(path, text);
  for (const [name, symbol] of symbols) {
    expect(symbol.name).toBe(name);
    expect(symbol.line).toBeGreaterThan(0);
    expect(symbol.endLine).toBeGreaterThanOrEqual(symbol.line);
  }
  expect([...broken].sort((a, b) => a - b)).toEqual(broken);
  if (root) for (const node of walk(root)) inOrder(node);
}

function inOrder(node: SyntaxNode): void {
  let last = node.start;
  for (const child of node.children) {
    if (child.parent !== node || child.start < last || child.end > node.end)
      throw new Error(`${child.type} at ${child.start} is out of place in ${node.type}`);
    last = child.start;
  }
}
