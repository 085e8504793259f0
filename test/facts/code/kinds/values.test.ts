import { expect, test } from "vitest";
import { reader } from "./reading.js";

const { of, facts } = await reader(["python", "typescript", "go", "java", "rust", "ruby", "php", "c-sharp"]);

test.each([
  ["a.py", "SIZE = 1\n", "SIZE = 2\n", "SIZE"],
  ["a.ts", "export const SIZE = 1;\n", "export const SIZE = 2;\n", "SIZE"],
  ["a.go", "package a\n\nconst Size = 1\n", "package a\n\nconst Size = 2\n", "Size"],
  ["A.java", "class A { static final int SIZE = 1; }\n", "class A { static final int SIZE = 2; }\n", "SIZE"],
  ["a.rs", "const SIZE: u32 = 1;\n", "const SIZE: u32 = 2;\n", "SIZE"],
  ["a.rb", "SIZE = 1\n", "SIZE = 2\n", "SIZE"],
  ["a.php", "<?php\nclass A { const SIZE = 1; }\n", "<?php\nclass A { const SIZE = 2; }\n", "SIZE"],
  ["A.cs", "class A { const int Size = 1; }\n", "class A { const int Size = 2; }\n", "Size"],
])("A constant of %s with another value is told with it", (path, before, after, name) => {
  expect(of("const", path, before, after)).toEqual([`const ${name} = 2`]);
});

test("Two long values that begin alike are two values", () => {
  const long = (end: string) => `TEXT = "${"a".repeat(500)}${end}"\n`;
  const [one] = of("const", "a.py", "TEXT = 1\n", long("b"));
  const [other] = of("const", "a.py", "TEXT = 1\n", long("c"));
  expect(one).not.toBe(other);
  expect(one).toBe(of("const", "a.py", "TEXT = 2\n", long("b").replaceAll('"', "'"))[0]);
});

test.each([
  ["a.py", 'KINDS = ["a", "b"]\n', 'KINDS = ["b", "c", "a"]\n'],
  ["a.py", 'KINDS = frozenset(("a", "b"))\n', 'KINDS = frozenset(("b", "c", "a"))\n'],
  ["a.ts", 'const KINDS = ["a", "b"];\n', "const KINDS = ['b', 'c', 'a'];\n"],
  ["a.ts", 'const KINDS = Object.freeze(["a", "b"]);\n', 'const KINDS = Object.freeze(["a", "b", "c"]);\n'],
  ["a.go", 'package a\n\nvar KINDS = []string{"a", "b"}\n', 'package a\n\nvar KINDS = []string{"c", "a", "b"}\n'],
  [
    "A.java",
    'class A { List<String> KINDS = List.of("a", "b"); }\n',
    'class A { List<String> KINDS = List.of("a", "b", "c"); }\n',
  ],
  ["a.rs", 'const KINDS: [&str; 2] = ["a", "b"];\n', 'const KINDS: [&str; 2] = ["a", "b", "c"];\n'],
  ["a.rb", 'KINDS = ["a", "b"].freeze\n', 'KINDS = ["a", "b", "c"].freeze\n'],
  ["a.php", "<?php\nclass A { const KINDS = ['a', 'b']; }\n", "<?php\nclass A { const KINDS = ['a', 'b', 'c']; }\n"],
  ["A.cs", 'class A { string[] KINDS = { "a", "b" }; }\n', 'class A { string[] KINDS = { "a", "b", "c" }; }\n'],
])("A collection in %s is told by what it gained, in whatever order: %s", (path, before, after) => {
  expect(facts(path, before, after).filter((each) => !/^(?:literal|name)/.test(each))).toEqual([
    'items KINDS = adds `"c"`',
  ]);
});

test("A map is told by what it gained and lost", () => {
  const map = (pairs: string) => `OPTIONS = {${pairs}}\n`;
  expect(of("items", "a.py", map('"a": 1, "b": 2'), map('"a": 1, "b": 3'))).toEqual([
    'items OPTIONS = adds `"b": 3`; drops `"b": 2`',
  ]);
});

test.each([
  ["a.py", "def f(x):\n    g()\n", "def f(x, *, size: int = 10):\n    g()\n", "size = default 10"],
  ["a.ts", "function f(x: string) { g(); }\n", "function f(x: string, size = 10) { g(); }\n", "size = default 10"],
  ["a.ts", "function f({ x }: P) { g(); }\n", "function f({ x, size = 10 }: P) { g(); }\n", "size = default 10"],
  ["a.go", "package a\n\nfunc F(x int) { g() }\n", "package a\n\nfunc F(x, size int) { g() }\n", "size = required"],
  [
    "A.java",
    "class A { void f(int x) { g(); } }\n",
    "class A { void f(int x, int size) { g(); } }\n",
    "size = required",
  ],
  [
    "a.ts",
    "function f(db, { name }) { g(); }\n",
    "function f(db, { name, size = null }) { g(); }\n",
    "size = default null",
  ],
  ["a.rs", "fn f(x: u32) { g(); }\n", "fn f(x: u32, size: u32) { g(); }\n", "size = required"],
  ["a.rb", "def f(x)\n  g\nend\n", "def f(x, size: 10)\n  g\nend\n", "size = default 10"],
  [
    "a.php",
    "<?php\nfunction f($x) { g(); }\n",
    "<?php\nfunction f($x, int $size = 10) { g(); }\n",
    "$size = default 10",
  ],
  [
    "A.cs",
    "class A { void F(int x) { G(); } }\n",
    "class A { void F(int x, int size = 10) { G(); } }\n",
    "size = default 10",
  ],
])("A parameter that is new in %s is told with its default: %s", (path, before, after, expected) => {
  expect(of("param", path, before, after)).toEqual([`param ${expected}`]);
});

test.each([
  ["a.py", "def f(x):\n    g(x)\n", "def f(x):\n    g(x, deep=True)\n", "g(deep=) = true"],
  ["a.rb", "def f(x)\n  g(x)\nend\n", "def f(x)\n  g(x, deep: true)\nend\n", "g(deep=) = true"],
  ["a.php", "<?php\nfunction f($x) { g($x); }\n", "<?php\nfunction f($x) { g($x, deep: true); }\n", "g(deep=) = true"],
  ["A.cs", "class A { void F() { G(1); } }\n", "class A { void F() { G(1, deep: true); } }\n", "G(deep=) = true"],
])("A value that is passed by name in %s is told with the name", (path, before, after, expected) => {
  expect(of("kwarg", path, before, after)).toEqual([`kwarg ${expected}`]);
});

test.each([
  ["a.py", "def f(x):\n    return x\n", "def f(x):\n    return str(x)\n", "str(x)"],
  ["a.ts", "function f(x) { return x; }\n", "function f(x) { return String(x); }\n", "String(x)"],
  [
    "a.go",
    "package a\n\nfunc f(x int) int { return x }\n",
    "package a\n\nfunc f(x int) int { return x + 1 }\n",
    "x + 1",
  ],
  ["A.java", "class A { int f(int x) { return x; } }\n", "class A { int f(int x) { return x + 1; } }\n", "x + 1"],
])("What is returned in %s is told as text", (path, before, after, expected) => {
  expect(of("return", path, before, after)).toEqual([`return returns = ${expected}`]);
});

test("A function that begins to hand out its values one by one is told, a new one that does is not", () => {
  const [before, after] = ["def f(x):\n    return [x]\n", "def f(x):\n    yield x\n"];
  expect(of("generator", "a.py", before, after)).toEqual(["generator f = generator"]);
  expect(of("generator", "a.py", null, after)).toEqual([]);
  expect(of("generator", "a.py", before, "def f(x):\n    return [(yield_(x))]\n")).toEqual([]);
});

test.each([
  ["a.py", "def f(x):\n    g()\n", "async def f(x):\n    g()\n", "f"],
  ["a.ts", "export function f() { g(); }\n", "export async function f() { g(); }\n", "f"],
  ["a.ts", "export const f = () => g();\n", "export const f = async () => g();\n", "f"],
  ["a.ts", "class A { f() { g(); } }\n", "class A { async f() { g(); } }\n", "A.f"],
  ["a.rs", "pub fn f() { g(); }\n", "pub async fn f() { g(); }\n", "f"],
  ["A.cs", "class A { public void F() { G(); } }\n", "class A { public async void F() { G(); } }\n", "A.F"],
])("A function of %s that must now be waited for is told: %s", (path, before, after, name) => {
  expect(of("async", path, before, after)).toEqual([`async ${name} = async`]);
  expect(of("async", path, after, before)).toEqual([`-async ${name} = async`]);
});

test.each([
  ["a.ts", "function f() { g(); }\n", "export function f() { g(); }\n", "f"],
  ["A.java", "public class A { void f() { g(); } }\n", "public class A { public void f() { g(); } }\n", "A.f"],
  ["a.rs", "fn f() { g(); }\n", "pub fn f() { g(); }\n", "f"],
])("A function of %s that other files may now use is told", (path, before, after, name) => {
  expect(of("export", path, before, after)).toEqual([`export ${name} = exported`]);
  expect(of("export", path, after, before)).toEqual([`-export ${name} = exported`]);
});

test.each([
  ["a.py", "def f(x) -> str:\n    g()\n", "def f(x) -> int:\n    g()\n", "f = int"],
  ["a.ts", "function f(): string { g(); }\n", "function f(): Promise<string> { g(); }\n", "f = Promise<string>"],
  ["A.java", "class A { int f() { g(); } }\n", "class A { long f() { g(); } }\n", "A.f = long"],
  ["a.rs", "fn f() -> u32 { g() }\n", "fn f() -> Option<u32> { g() }\n", "f = Option<u32>"],
])("A function of %s that says it returns another type is told with it", (path, before, after, expected) => {
  expect(of("result", path, before, after)).toEqual([`result ${expected}`]);
});

test.each([
  ["a.py", "def f(x):\n    g()\n", "@cache\ndef f(x):\n    g()\n", "@cache"],
  ["a.ts", "class A { f() { g(); } }\n", "class A { @memoize() f() { g(); } }\n", "@memoize()"],
  ["A.java", "class A { void f() { g(); } }\n", "class A { @Override void f() { g(); } }\n", "@Override"],
  ["a.rs", "fn f() { g(); }\n", "#[inline]\nfn f() { g(); }\n", "#[inline]"],
])("A decorator in %s is told as it is written", (path, before, after, slot) => {
  expect(of("decorator", path, before, after)).toEqual([`decorator ${slot} = there`]);
});

test.each([
  ["a.py", "import os\n", "import os\nimport numpy as np\n", ["numpy"]],
  ["a.py", "import os\n", "import os\nfrom a.b import (c as d, e)\n", ["a.b c", "a.b e"]],
  ["a.ts", 'import a from "a";\n', 'import a from "a";\nimport { b as c } from "@x/b";\n', ["@x/b b"]],
  ["a.ts", 'const a = require("a");\n', 'const a = require("a");\nconst b = require("b");\n', ["b"]],
  ["a.go", 'package a\n\nimport "fmt"\n', 'package a\n\nimport (\n\t"fmt"\n\tx "errors"\n)\n', ["errors"]],
  ["A.java", "import a.B;\nclass A {}\n", "import a.B;\nimport a.C;\nclass A {}\n", ["a.C"]],
  ["a.rs", "use a::B;\n", "use a::B;\nuse c::D;\n", ["c::D"]],
  ["a.rb", 'require "a"\n', 'require "a"\nrequire "b"\n', ["b"]],
  ["a.php", "<?php\nuse A\\B;\n", "<?php\nuse A\\B;\nuse C\\D as E;\n", ["C\\D"]],
  ["A.cs", "using System;\nclass A {}\n", "using System;\nusing X.Y;\nclass A {}\n", ["X.Y"]],
])("What a file of %s begins to import is told by the module's own name", (path, before, after, slots) => {
  expect(of("import", path, before, after)).toEqual(slots.map((slot) => `import ${slot} = imported`));
});

test("Words for people are wording, whatever speaks them", () => {
  const body = (words: string) =>
    `def f(x):\n    log.warning(${words})\n    parser.add(help=${words})\n    raise Missing(${words})\n`;
  const told = facts("a.py", body('"a"'), body('"b"'));
  expect(told).toEqual(['message warning() = "b"', 'message help= = "b"', 'message Missing = "b"']);
});
