import { expect, test } from "vitest";
import type { Language } from "../../../src/facts/code/syntax.js";
import { normal, reader } from "./reading.js";

const read = await reader();
const endings: Partial<Record<Language, string>> = {
  python: "py",
  typescript: "ts",
  go: "go",
  java: "java",
  rust: "rs",
  ruby: "rb",
  php: "php",
  "c-sharp": "cs",
};

/** One text in two spellings, as the normal form of a symbol. */
function forms(language: Language, symbol: string, ...texts: string[]): string[] {
  return texts.map((text) => {
    const form = normal(read(`a.${endings[language] ?? language}`, text), symbol);
    expect(form).not.toBe("");
    return form;
  });
}

function same(language: Language, symbol: string, one: string, other: string): void {
  const [first, second] = forms(language, symbol, one, other);
  expect(second).toBe(first);
}

function differ(language: Language, symbol: string, one: string, other: string): void {
  const [first, second] = forms(language, symbol, one, other);
  expect(second).not.toBe(first);
}

test("Comments, layout, quotes, trailing commas and docstrings mean nothing", () => {
  same(
    "python",
    "f",
    "def f(a):\n    return g('x', [1, 2])\n",
    'def f(a):\n  """Does."""\n  # why\n  return g(\n    "x",\n    [1, 2,],\n  )\n',
  );
  same(
    "typescript",
    "f",
    "function f() { return g('x', [1]) }",
    'function f() {\n  // why\n  return g("x", [1,],);\n}',
  );
  same("go", "f", "package p\nfunc f() { g(1) }", "package p\nfunc f() {\n\t// why\n\tg(\n\t\t1,\n\t)\n}");
  same(
    "java",
    "A.f",
    "class A { int f() { return 1; } }",
    "class A {\n  /** Doc. */\n  int f()\n  {\n    return 1; // one\n  }\n}",
  );
});

test("Parentheses mean something only where they say what belongs together", () => {
  same("python", "f", "def f(a):\n    return (a and b)\n", "def f(a):\n    return a and b\n");
  same("python", "f", "def f(a):\n    return (a * b) + c\n", "def f(a):\n    return a * b + c\n");
  differ("python", "f", "def f(a):\n    return a * (b + c)\n", "def f(a):\n    return a * b + c\n");
  same("typescript", "f", "const f = x => (x.y)", "const f = (x) => x.y");
  differ("typescript", "f", "async function f() { (await a).b }", "async function f() { await a.b }");
  same("python", "f", "def f():\n    return (1, 2)\n", "def f():\n    return 1, 2\n");
  differ("python", "f", "def f():\n    return (1,)\n", "def f():\n    return (1)\n");
});

test("Bound names are numbered, free names and parameters are kept", () => {
  same(
    "python",
    "f",
    "def f(a):\n    for i in a:\n        n = i\n    return n\n",
    "def f(a):\n    for k in a:\n        m = k\n    return m\n",
  );
  differ("python", "f", "def f(a): return a\n", "def f(b): return b\n");
  differ("python", "f", "def f(a): return g(a)\n", "def f(a): return h(a)\n");
  same(
    "typescript",
    "f",
    "function f(a) { const { x: y } = a; return y; }",
    "function f(a) { const { x: z } = a; return z; }",
  );
  differ(
    "typescript",
    "f",
    "function f(a) { const { x: y } = a; return y; }",
    "function f(a) { const { w: y } = a; return y; }",
  );
  same("go", "f", "package p\nfunc f() { v, err := g(); h(v, err) }", "package p\nfunc f() { w, e := g(); h(w, e) }");
  same(
    "java",
    "A.f",
    "class A { void f() { for (int i : xs) g(i); } }",
    "class A { void f() { for (int k : xs) g(k); } }",
  );
});

test("A name is numbered only where its binding reaches", () => {
  differ("typescript", "f", "function f() { { const x = 1; } g(x); }", "function f() { { const x = 1; } g(y); }");
  differ("java", "A.f", "class A { void f() { h(b -> b); g(b); } }", "class A { void f() { h(b -> b); g(c); } }");
  differ("python", "f", "def f():\n    global n\n    n = 1\n", "def f():\n    global m\n    m = 1\n");
  same(
    "python",
    "f",
    "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = 2\n    return n\n",
    "def f():\n    m = 1\n    def h():\n        nonlocal m\n        m = 2\n    return m\n",
  );
});

test("Members, keys and named arguments keep their names beside a local of the same name", () => {
  differ("python", "f", "def f():\n    x = 1\n    g(x=x)\n", "def f():\n    y = 1\n    g(y=y)\n");
  differ("python", "f", "def f(a):\n    x = a.x\n", "def f(a):\n    y = a.y\n");
  same(
    "typescript",
    "f",
    "function f() { const x = 1; return { x }; }",
    "function f() { const y = 1; return { x: y }; }",
  );
});

test("Blocks, the order of lists, and what a string holds mean something", () => {
  differ(
    "python",
    "f",
    "def f():\n    if a:\n        b()\n        c()\n",
    "def f():\n    if a:\n        b()\n    c()\n",
  );
  differ("python", "f", "def f(): return [1, 2]\n", "def f(): return [2, 1]\n");
  differ("python", "f", "def f(): return r'\\n'\n", "def f(): return '\\n'\n");
  differ("python", "f", "def f(): return b'a'\n", "def f(): return 'a'\n");
  differ("go", "f", "package p\nfunc f() { g('a') }", 'package p\nfunc f() { g("a") }');
  differ("go", "f", "package p\nfunc f() { g(`\\n`) }", 'package p\nfunc f() { g("\\n") }');
  differ("python", "f", "def f(a): return f'{a:>{b}}'\n", "def f(a): return f'{a:<{b}}'\n");
  same("python", "f", "def f(a):\n    return a + \\\n        1\n", "def f(a):\n    return a + 1\n");
  differ("typescript", "f", "function f() { return `a ${b}`; }", "function f() { return 'a ${b}'; }");
});

test("What a handler catches and a lambda takes are names of their own in every language", () => {
  const caught = (name: string) => `function f() { try { g(); } catch (${name}) { h(${name}); } }`;
  same("typescript", "f", caught("e"), caught("x"));
  const java = (name: string) => `class A { void f() { try { g(); } catch (B ${name}) { h(${name}); } } }`;
  same("java", "A.f", java("e"), java("x"));
  const sharp = (name: string) => `class A { void F() { G(${name} => $"b {${name}}"); } }`;
  same("c-sharp", "A.F", sharp("a"), sharp("z"));
  const ruby = (name: string) => `def f\n  g { |${name}| "b #{${name}}" }\nend\n`;
  same("ruby", "f", ruby("a"), ruby("z"));
  const rust = (name: string) => `fn f() { if let Some(${name}) = g() { h(|a| a + ${name}); } }`;
  same("rust", "f", rust("b"), rust("c"));
  differ("rust", "f", "fn f() { if let Some(a) = g() { h(a); } }", "fn f() { if let Ok(a) = g() { h(a); } }");
  const php = (name: string) => `<?php function f() { foreach (g() as $${name}) { h("b $${name}"); } }`;
  same("php", "f", php("a"), php("z"));
});
