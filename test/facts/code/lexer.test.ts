import { expect, test } from "vitest";
import { readText } from "../../../src/facts/code/read-text.js";

const read = (path: string, text: string) =>
  readText(path, text, () => {
    throw new Error("no grammar is asked for");
  });
const kinds = (path: string, text: string) =>
  Object.fromEntries([...read(path, text).symbols].map(([name, { kind }]) => [name, kind]));
const normal = (path: string, text: string) =>
  [...read(path, text).symbols.values()].map(({ normalForm }) => normalForm.join(" ")).join(" | ");

test("YAML falls into its top-level keys, comments and quote style aside, indentation kept", () => {
  const text = "# checks\nname: CI\non: [push, 'pull']\njobs:\n  build:\n    runs: \"x\" # fast\n";
  expect(kinds(".github/ci.yml", text)).toEqual({ name: "value", on: "value", jobs: "value" });
  expect(normal("a.yml", "a:\n    b: 'x'\n    c: 1")).toBe(normal("a.yml", 'a:\n  # why\n  b: "x"\n  c: 1\n'));
  expect(normal("a.yml", "a:\n  b:\n    c: 1")).not.toBe(normal("a.yml", "a:\n  b:\n  c: 1"));
});

test("TOML and INI keys are called by their section", () => {
  const text = 'top = 1\n[project]\nname = "x"\ndependencies = [\n  "a>=1", # why\n]\n[[tool.x]]\ny = { z = 1 }\n';
  expect(kinds("pyproject.toml", text)).toEqual({
    top: "value",
    project: "class",
    "project.name": "value",
    "project.dependencies": "value",
    "tool.x": "class",
    "tool.x.y": "value",
  });
});

test("JSON falls into its top-level keys, and a key after it changes none", () => {
  expect(kinds("package.json", '{ "name": "x", "scripts": { "a": "b" } }')).toMatchObject({
    name: "value",
    scripts: "value",
  });
  const alone = read("a.json", '{ "a": [1, 2] }').symbols.get("a")?.normalForm;
  expect(read("a.json", '{ "a": [1, 2], "b": 1 }').symbols.get("a")?.normalForm).toEqual(alone);
});

test("SQL statements are called by what they do to what", () => {
  const text = `-- users
CREATE TABLE IF NOT EXISTS public.users (id int, name text DEFAULT 'x;y');
create or replace function f() returns int as $$ begin; return 1; end $$ language sql;
insert into users values (1);
ALTER TABLE ONLY "users" ADD COLUMN a int;
select 1;
`;
  expect(kinds("db/schema.sql", text)).toEqual({
    "create table public.users": "value",
    "create function f": "function",
    "insert into users": "value",
    "alter table users": "value",
    "<code>": "code",
  });
  expect(read("a.sql", text).symbols.get("create table public.users")?.documentation).toBe("-- users");
});

test("Dockerfile instructions keep their continued lines", () => {
  const text = 'FROM node:20 AS build\nRUN npm ci && \\\n    npm test\nCOPY a b\nCMD ["node", "x.js"]\n';
  expect(kinds("Dockerfile", text)).toEqual({
    "FROM node": "value",
    "RUN npm": "value",
    "COPY a": "value",
    CMD: "value",
  });
});

test("A shell script falls into functions, variables and the rest, whose quotes mean something", () => {
  const text = '#!/bin/sh\nset -e\nNAME="x"\nbuild() {\n  if x; then y; fi\n}\nfunction go { ls; }\nbuild "$@"\n';
  expect(kinds("run", text)).toEqual({ "<code>": "code", NAME: "value", build: "function", go: "function" });
  expect(normal("a.sh", "echo '$x'")).not.toBe(normal("a.sh", 'echo "$x"'));
});

test("Makefile targets are symbols, and so are its variables", () => {
  expect(kinds("Makefile", "CC := gcc\nall: a b\n\t$(CC) -o x\n")).toEqual({ CC: "value", all: "function" });
});

test("Style sheets fall into rules by selector", () => {
  expect(kinds("a.css", "/* c */\n.a > b { color: red; }\n@media print { .c { d: e } }\n")).toEqual({
    ".a>b": "value",
    "@mediaprint": "value",
  });
});

test("C, Kotlin and Swift fall into functions, values, classes and what is in them", () => {
  const c = `#include <stdio.h>
#define MAX 3
static int total(const char *name, int n)
{
  return n > 1 ? 1 : 2; // n
}
int limit = 3;
void Foo::bar() const { }
`;
  expect(kinds("a.c", c)).toEqual({
    "<imports>": "imports",
    MAX: "value",
    total: "function",
    limit: "value",
    "Foo.bar": "function",
  });
  const kotlin = `import a.b
const val LIMIT = 3
data class Cart(val size: Int) : Base() {
    private val x: Int = 1
    override fun total(a: Int = 2): Int = a + x
}
fun open() {}
`;
  expect(kinds("a.kt", kotlin)).toEqual({
    "<imports>": "imports",
    LIMIT: "value",
    Cart: "class",
    "Cart.x": "value",
    "Cart.total": "function",
    open: "function",
  });
  const swift = "struct Cart: Codable {\n  let size: Int\n  func total(_ a: Int) -> Int { a }\n}\n";
  expect(kinds("a.swift", swift)).toEqual({ Cart: "class", "Cart.size": "value", "Cart.total": "function" });
});

test("Layout and comments change nothing in languages with braces", () => {
  const text = "int f(int a) {\n  /* why */ return a; // b\n}\n";
  expect(normal("a.c", text)).toBe(normal("a.c", "int f(int a)\n{\n\n    return a;\n}"));
  expect(normal("a.c", text)).not.toBe(normal("a.c", "int f(int a) { return b; }"));
});

test("A text too long for tokens is compared by its lines", () => {
  const text = "SELECT 1;\n".repeat(200_000);
  expect(read("a.sql", text).symbols.get("<code>")?.normalForm.length).toBe(200_000);
});

test("Open quotes, brackets and comments take no longer than the text is long", () => {
  const begun = performance.now();
  for (const piece of ['\\"', "'", "{", "/*", "$$", "-- x'\n", "insert into a values (1);\n", "a = 1\n"]) {
    for (const path of ["a.c", "a.sql", "a.toml", "a.yml", "a.sh", "a.json"]) {
      read(path, piece.repeat(Math.ceil(200_000 / piece.length)));
    }
  }
  // A quadratic pass over one of them would take minutes.
  expect(performance.now() - begun).toBeLessThan(60_000);
});

test("An option is one word, so that two words and an option are not the same command", () => {
  expect(normal("a.sh", "rm -rf x\n")).not.toBe(normal("a.sh", "rm - rf x\n"));
  expect(normal("a.sh", "rm  -rf   x\n")).toBe(normal("a.sh", "rm -rf x\n"));
});
