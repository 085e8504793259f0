import { expect, test } from "vitest";
import { reader } from "./reading.js";

const { of } = await reader(["python", "typescript", "go", "java", "rust", "ruby", "php", "c-sharp"]);

/** What stands in `{}` is the body of a function in that language. */
const shells: Record<string, string> = {
  "a.py": "def f(x, y):\n{}\n",
  "a.ts": "export function f(x: string, y: number) {\n{}\n}\n",
  "a.go": "package a\n\nfunc f(x string, y int) error {\n{}\n}\n",
  "A.java": "class A {\n  void f(String x, int y) {\n{}\n  }\n}\n",
  "a.rs": "fn f(x: &str, y: u32) -> Result<u32, E> {\n{}\n}\n",
  "a.rb": "def f(x, y)\n{}\nend\n",
  "a.php": "<?php\nfunction f($x, $y) {\n{}\n}\n",
  "A.cs": "class A {\n  void F(string x, int y) {\n{}\n  }\n}\n",
};
const inside = (path: string, body: string) => (shells[path] ?? "").replace("{}", () => body);
const calm: Record<string, string> = { "a.py": "    g()", "a.rb": "  g", "a.rs": "    g()" };
const added = (kind: string, path: string, body: string) =>
  of(kind, path, inside(path, calm[path] ?? "    g();"), inside(path, `${body}\n${calm[path] ?? "    g();"}`));

test.each([
  ["a.py", "    if not x:\n        raise ValueError('no')", "ValueError when not x"],
  [
    "a.py",
    "    if x:\n        pass\n    elif y:\n        pass\n    else:\n        raise KeyError(x)",
    "KeyError when not y",
  ],
  ["a.ts", "    if (y > 3) throw new RangeError(`bad ${y}`);", "RangeError when 3 < y"],
  ["a.ts", "    switch (x) { case 'a': throw new TypeError(); }", 'TypeError when x == "a"'],
  ["a.go", '    if x == "" {\n        return fmt.Errorf("empty")\n    }', 'error when x == ""'],
  ["a.go", "    if y > 3 {\n        return nil, ErrTooBig\n    }", "ErrTooBig when 3 < y"],
  [
    "A.java",
    '    if (x == null) { throw new IllegalArgumentException("x"); }',
    "IllegalArgumentException when x == null",
  ],
  ["a.rs", "    if y == 0 { return Err(AppError::Empty(x.into())); }", "AppError::Empty when y == 0"],
  ["a.rs", '    if x.is_empty() { bail!("empty"); }', "error when x.is_empty()"],
  ["a.rb", '  raise ArgumentError, "no" if x.nil?', "ArgumentError when x.nil?"],
  ["a.rb", "  raise Missing.new(x) unless y", "Missing when not y"],
  ["a.php", '    if (!$x) { throw new NotFound("x"); }', "NotFound when not $x"],
  ["A.cs", '    if (y == 0) throw new ArgumentException("y");', "ArgumentException when y == 0"],
  ["A.cs", "    var z = x ?? throw new KeyNotFoundException();", "KeyNotFoundException when x == null"],
])("An error in %s is told with the test it depends on: %s", (path, body, expected) => {
  expect(added("reject", path, body)).toEqual([`reject rejects = ${expected}`]);
});

test.each([
  ["a.py", "    raise errors.NotFound(x)", "NotFound"],
  ["a.py", "    try:\n        g()\n    except OSError as e:\n        raise", "re-raise"],
  ["a.ts", "    return Promise.reject(new TimeoutError());", "TimeoutError"],
  ["a.ts", '    throw Object.assign(new Missing("no"), { status: 404 });', "Missing"],
  ["a.go", '    panic("no")', "panic"],
  ["a.go", '    return fmt.Errorf("f: %w", ErrMissing)', "ErrMissing"],
  ["a.rs", '    panic!("no");', "panic"],
  ["a.rs", '    return Err("no".into());', "error"],
  ["a.rb", "  raise Missing", "Missing"],
  ["a.php", "    throw new \\RuntimeException();", "\\RuntimeException"],
  ["A.cs", "    ArgumentNullException.ThrowIfNull(x);", "ArgumentNullException"],
])("The error that leaves %s is told by its name: %s", (path, body, expected) => {
  expect(added("raise", path, body)).toEqual([`raise raises = ${expected}`]);
});

test("An error that is only handed on is none of the function's own", () => {
  const body = '    z, err := g()\n    if err != nil {\n        return fmt.Errorf("g: %w", err)\n    }\n    use(z)';
  expect(added("raise", "a.go", body)).toEqual([]);
  expect(added("reject", "a.go", body)).toEqual([]);
  expect(added("raise", "a.rs", "    let z = g().map_err(|e| Err(e))?;")).toEqual([]);
});

test("An error that is raised no more is told as gone, and one that took its place is told alone", () => {
  const raising = (name: string) => inside("a.py", `    if x:\n        raise ${name}(y)\n    g()`);
  expect(of("raise", "a.py", raising("KeyError"), inside("a.py", "    g()"))).toEqual(["-raise raises = KeyError"]);
  expect(of("raise", "a.py", raising("KeyError"), raising("ValueError"))).toEqual(["raise raises = ValueError"]);
});

test.each([
  ["a.py", "    try:\n        g()\n    except (KeyError, OSError) as e:\n        pass", ["KeyError", "OSError"]],
  ["a.py", "    try:\n        g()\n    except:\n        pass", ["anything"]],
  ["a.ts", "    try { g(); } catch (error) { h(); }", ["anything"]],
  ["a.go", "    if errors.Is(err, ErrMissing) { g() }", ["ErrMissing"]],
  ["A.java", "    try { g(); } catch (IOException | SQLException e) { h(); }", ["IOException", "SQLException"]],
  ["a.rb", "  begin\n    g\n  rescue IOError, KeyError => e\n    h\n  end", ["IOError", "KeyError"]],
  ["a.php", "    try { g(); } catch (A | B $e) { h(); }", ["A", "B"]],
  ["A.cs", "    try { G(); } catch (IOException e) { H(); }", ["IOException"]],
])("What is caught in %s is told error by error: %s", (path, body, expected) => {
  expect(added("catch", path, body)).toEqual(expected.map((each) => `catch catches = ${each}`));
});

test.each([
  ["a.py", "class Missing(LookupError):\n    pass\n", "Missing = LookupError"],
  ["a.ts", "export class Missing extends Error {}\n", "Missing = Error"],
  ["a.go", 'package a\n\nfunc (e *Missing) Error() string { return "m" }\n', "Missing = error"],
  ["A.java", "class Missing extends RuntimeException {}\n", "Missing = RuntimeException"],
  ["a.rb", "class Missing < StandardError\nend\n", "Missing = StandardError"],
  ["a.php", "<?php\nclass Missing extends \\Exception {}\n", "Missing = \\Exception"],
  ["A.cs", "class Missing : Exception {}\n", "Missing = Exception"],
])("A new class of errors in %s is told with what it is a kind of: %s", (path, text, expected) => {
  expect(of("error-class", path, null, text)).toEqual([`error-class ${expected}`]);
});
