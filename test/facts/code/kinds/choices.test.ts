import { expect, test } from "vitest";
import { reader } from "./reading.js";

const { of, facts } = await reader(["python", "typescript", "go", "java", "rust", "ruby", "php", "c-sharp"]);

const shells: Record<string, [open: string, close: string]> = {
  "a.py": ["def f(self, x, y):\n    g()\n    ", "\n"],
  "a.ts": ["export function f(x: any, y: any) {\n  g();\n  ", "\n}\n"],
  "a.go": ["package a\n\nfunc f(x string, y int) {\n\tg()\n\t", "\n}\n"],
  "A.java": ["class A {\n  void f(String x, int y) {\n    g();\n    ", "\n  }\n}\n"],
  "a.rs": ["fn f(x: Option<u32>, y: u32) {\n    g();\n    ", "\n}\n"],
  "a.rb": ["def f(x, y)\n  g\n  ", "\nend\n"],
  "a.php": ["<?php\nfunction f($x, $y) {\n  g();\n  ", "\n}\n"],
  "A.cs": ["class A {\n  void F(object x, int y) {\n    G();\n    ", "\n  }\n}\n"],
};
function added(kind: string, path: string, body: string): string[] {
  const [open, close] = shells[path] ?? ["", ""];
  return of(kind, path, open + close, open + body + close);
}

test.each([
  ["a.py", 'self.a = x or "d"', 'x = "d"'],
  ["a.py", 'if self.a is None:\n        self.a = "d"', 'a = "d"'],
  ["a.py", "z = 3 if x is None else x", "x = 3"],
  ["a.py", 'z = getattr(x, "name", None)', "name = null"],
  ["a.py", 'z = options.get("size", 10)', "size = 10"],
  ["a.py", 'z = os.environ.get("HOME", "/")', 'HOME = "/"'],
  ["a.py", "h(x) if x else h()", "x = h() without it"],
  ["a.ts", "const z = x ?? 3;", "x = 3"],
  ["a.ts", "const z = x === undefined ? 3 : x;", "x = 3"],
  ["a.ts", "x.size ||= 3;", "size = 3"],
  ["a.ts", "const { size = 3 } = x;", "size = 3"],
  ["a.ts", 'const z = process.env.PORT || "80";', 'PORT = "80"'],
  ["a.go", 'if x == "" {\n\t\tx = "d"\n\t}', 'x = "d"'],
  ["a.go", "if y == 0 {\n\t\ty = 30\n\t}", "y = 30"],
  ["A.java", 'String z = options.getOrDefault("k", "d");', 'k = "d"'],
  ["A.java", 'String z = name.orElse("d");', 'name = "d"'],
  ["A.java", 'String z = x != null ? x : "d";', 'x = "d"'],
  ["a.rs", "let z = x.unwrap_or(5);", "x = 5"],
  ["a.rs", 'let z = std::env::var("HOME").unwrap_or_else(|_| home());', "HOME = home()"],
  ["a.rb", 'z = x || "d"', 'x = "d"'],
  ["a.rb", "z = options.fetch(:size, 5)", "size = 5"],
  ["a.rb", 'x = "d" if x.nil?', 'x = "d"'],
  ["a.php", "if (empty($x)) { $x = 'd'; }", '$x = "d"'],
  ["a.php", "$z = $x ?? 'd';", '$x = "d"'],
  ["a.php", "$z = $x ?: 'd';", '$x = "d"'],
  ["A.cs", 'var z = x ?? "d";', 'x = "d"'],
])("What is taken in %s where something is missing is a fallback: %s", (path, body, expected) => {
  expect(added("fallback", path, body)).toEqual([`fallback ${expected}`]);
});

test.each([
  ["a.py", "if x or y:\n        h()"],
  ["a.py", "return x == 1 or y.startswith('a')"],
  ["a.py", "requests.get(x, y)"],
  ["a.ts", "return isReady(x) || hasMore(y);"],
  ["a.ts", 'app.get("/x", handler);'],
  ["a.go", "z := x == y || ready"],
  ["A.java", "boolean z = ready || done;"],
])("What only asks in %s falls back to nothing: %s", (path, body) => {
  expect(added("fallback", path, body)).toEqual([]);
});

test.each([
  ["a.py", "if isinstance(x, (list, dict)):\n        h()", ["list", "dict"]],
  ["a.py", 'if hasattr(x, "__iter__"):\n        h()', ["Iterable"]],
  ["a.py", "if type(x) is dict:\n        h()", ["dict"]],
  ["a.py", "match x:\n        case Point(a, b):\n            h()", ["Point"]],
  ["a.ts", "if (Array.isArray(x)) h();", ["Array"]],
  ["a.ts", 'if (typeof x === "function") h();', ["function"]],
  ["a.ts", "if (x instanceof Date) h();", ["Date"]],
  ["a.go", "switch v := x.(type) {\n\tcase []string, *int:\n\t\th(v)\n\t}", ["[]string", "*int"]],
  ["a.go", "m, ok := x.(map[string]any)\n\th(m, ok)", ["map[string]any"]],
  ["A.java", "if (x instanceof Foo) h();", ["Foo"]],
  ["a.rs", "if let Some(z) = x { h(z); }", ["Some"]],
  ["a.rs", "let z = matches!(x, Kind::Other);", ["Kind::Other"]],
  ["a.rb", "h if x.is_a?(Hash)", ["Hash"]],
  ["a.rb", "case x\n  when Hash then h\n  end", ["Hash"]],
  ["a.php", "if (is_array($x)) { h(); }", ["array"]],
  ["a.php", "if ($x instanceof Foo) { h(); }", ["Foo"]],
  ["A.cs", "if (x is Foo foo) H();", ["Foo"]],
])("A type that is told from others in %s: %s", (path, body, expected) => {
  expect(added("typetest", path, body)).toEqual(expected.map((each) => `typetest type test = ${each}`));
});

test.each([
  ["a.py", "if x > 3 and y:\n        h()", "if 3 < x and y"],
  ["a.py", "while not x:\n        h()", "while not x"],
  ["a.py", "if not (x == 1 or y):\n        h()", "if x != 1 and not y"],
  ["a.py", "assert x == 1, 'no'", "assert x == 1"],
  ["a.ts", 'if (x !== null && y === "a") h();', 'if x != null and y == "a"'],
  ["a.go", "if y > 3 {\n\t\th()\n\t}", "if 3 < y"],
  ["A.java", "if (!x.isEmpty()) h();", "if not x.isEmpty()"],
  ["a.rs", "if y > 3 { h(); }", "if 3 < y"],
  ["a.rb", "h unless y", "if not y"],
  ["a.php", "if ($y > 3) { h(); }", "if 3 < $y"],
  ["A.cs", "if (y > 3) H();", "if 3 < y"],
])("A test in %s is told in the same words in all languages: %s", (path, body, expected) => {
  expect(added("cond", path, body)).toEqual([`cond ${expected} = tested`]);
});

test.each([
  ["a.py", "x.h(y)"],
  ["a.ts", "x.h(y);"],
  ["a.go", "pkg.h(x)"],
  ["A.java", "x.h(y);"],
  ["a.rs", "x.h(y);"],
  ["a.rb", "x.h(y)"],
  ["a.php", "$x->h($y);"],
  ["A.cs", "x.h(y);"],
])("A call in %s is told by its last name: %s", (path, body) => {
  expect(added("call", path, body)).toEqual(["call h = called"]);
});

test("A call that is made more often than before is told as once more", () => {
  const body = (calls: string) => `def f(x):\n    if x:\n${calls}`;
  expect(facts("a.py", body("        h(1)\n"), body("        h(1)\n        h(2)\n"))).toContain("again h = once more");
});

test.each([
  ["a.py", "self.size = x", "self.size"],
  ["a.py", 'x["k"] = y', 'x["k"]'],
  ["a.ts", "x.size = y;", "x.size"],
  ["a.go", "s.size = y", "s.size"],
  ["A.java", "this.size = y;", "this.size"],
  ["a.rs", "self.size = y;", "self.size"],
  ["a.rb", "@size = y", "@size"],
  ["a.rb", "self.size = y", "self.size"],
  ["a.php", "$this->size = $y;", "$this->size"],
  ["A.cs", "this.size = y;", "this.size"],
])("An attribute or key that is set in %s: %s", (path, body, slot) => {
  expect(added("set", path, body)).toEqual([`set ${slot} = assigned`]);
});
