import { expect, test } from "vitest";
import { reader } from "./kinds/reading.js";

const { changes, facts } = await reader(["python", "typescript", "go"]);

const told = (before: string, after: string) =>
  facts("a.py", before, after).filter((each) => !/^-?(?:name|literal) /.test(each));

test("A comment, a layout or a docstring changes the text only", () => {
  const before = "def f(x):\n    return g(x, 1)\n";
  const after = 'def f(x):\n    """Says something."""\n    # why\n    return g(\n        x,\n        1,\n    )\n';
  expect(changes("a.py", before, after)).toMatchObject([{ name: "f", status: "text", facts: [] }]);
});

test("A symbol that did not change is not told of", () => {
  const [change, ...others] = changes(
    "a.py",
    "def f():\n    a()\n\ndef g():\n    b()\n",
    "def f():\n    a()\n\ndef g():\n    c()\n",
  );
  expect(others).toEqual([]);
  expect(change).toMatchObject({ name: "g", kind: "function", status: "edited", line: 4, endLine: 5 });
});

test("A function that is new says so, with all it does", () => {
  expect(told("", "def f(x):\n    g(x)\n")).toEqual([
    "param x = required",
    "call g = called",
    "symbol f = function added",
  ]);
});

test("A function that is removed says what it no longer refuses, not what it called", () => {
  const text = "def f(x):\n    if x:\n        raise ValueError(x)\n    g(x)\n";
  expect(told(text, "")).toEqual([
    "-symbol f = removed",
    "-reject rejects = ValueError when x",
    "-raise raises = ValueError",
  ]);
});

test("A line that is only indented says nothing new", () => {
  const before = "def f(x):\n    g(x)\n    h(x)\n";
  expect(told(before, "def f(x):\n    if x:\n        g(x)\n        h(x)\n")).toEqual(["cond if x = tested"]);
});

test("A new local is no news, another value of an old one is", () => {
  const before = "def f(x):\n    a = 1\n    return x\n";
  expect(told(before, "def f(x):\n    a = 2\n    b = 3\n    return x\n")).toEqual(["assign a = 2"]);
});

test("What is passed is told where the call is made once before and after", () => {
  const body = (calls: string) => `def f(x):\n${calls}`;
  expect(told(body("    g(1)\n"), body("    g(2)\n"))).toEqual(["args g = 2"]);
  expect(told(body("    g(1)\n"), body("    g(2)\n    g(3)\n"))).toEqual(["again g = once more"]);
});

test("Code that is passed as a list is told by what the list gained", () => {
  const body = (list: string) => `def f(x):\n    run([${list}])\n`;
  expect(told(body('"a", "b"'), body('"a", "b", "c"'))).toEqual(['items ["a", …] = adds `"c"`']);
});

test("The statement a run inserted behind is the position of its change", () => {
  const before = "def f(x):\n    a()\n    b()\n";
  const position = (after: string) => changes("a.py", before, after)[0]?.position;
  expect(position("def f(x):\n    a()\n    c()\n    b()\n")).toBe("a()");
  expect(position("def f(x):\n    c()\n    a()\n    b()\n")).toBe("the start");
  expect(position("def f(x):\n    c()\n    b()\n")).toBeNull();
});

test("The names a change uses more or less often are told", () => {
  const [change] = changes("a.py", "def f(x):\n    a(x)\n", "def f(x):\n    b(x)\n");
  expect(change?.identifiers).toEqual(["a", "b"]);
});

test.each([
  ["a.py", "def test_a():\n    assert f()\n    assertEqual(1, 2)\n", 2],
  ["a.py", "def test_a():\n    with pytest.raises(E):\n        f()\n", 1],
  ["a.ts", 'test("a", () => { expect(f()).toBe(1); assert.equal(1, 2); });\n', 2],
  ["a.go", 'package a\n\nfunc TestA(t *testing.T) { require.NoError(t, err); t.Fatalf("no") }\n', 2],
  ["a.py", "def f():\n    error(1)\n    Equal()\n    raise Error()\n", 0],
])("Asserting calls of %s are counted: %s", (path, text, asserts) => {
  const before = path === "a.go" ? "package a\n" : "";
  expect(changes(path, before, text).reduce((sum, change) => sum + change.asserts, 0)).toBe(asserts);
});

test.each([
  ["a.py", "@pytest.mark.skip\ndef test_a():\n    f()\n", 1],
  ["a.ts", 'test.skip("a", () => {});\n', 1],
  ["a.ts", 'xit("a", () => {});\n', 1],
  ["a.go", "package a\n\nfunc TestA(t *testing.T) { t.Skip() }\n", 1],
  ["a.ts", "const rest = list.skip(1);\n", 0],
])("Marks of %s that skip a test are counted: %s", (path, text, skips) => {
  const before = path === "a.go" ? "package a\n" : "";
  expect(changes(path, before, text).reduce((sum, change) => sum + change.skips, 0)).toBe(skips);
});

test("A route whose parameter has another name is the same route, and what is new in it is told of it", () => {
  const route = (name: string, body: string) =>
    `app.get("/users/:${name}", (req, res) => {\n${body}  res.json(find(req.params.${name}));\n});\n`;
  const [change, ...others] = changes("a.ts", route("id", ""), route("userId", "  if (!res) refuse(req);\n"));
  expect(others).toEqual([]);
  expect(change).toMatchObject({ name: 'app.get("/users/:id")', status: "edited" });
  expect(change?.movedTo).toBeUndefined();
  expect(change?.facts).toContainEqual(expect.objectContaining({ kind: "call", slot: "refuse", gone: false }));
});
