import { expect, test } from "vitest";
import { undefinedNames } from "../../../src/facts/code/undefined-names.js";
import { reader } from "./kinds/reading.js";

const { read } = await reader(["python", "typescript"]);
const names = (before: string | null, after: string, path = "a.py") =>
  undefinedNames(before === null ? null : read(path, before), read(path, after));

test("A name that is used and that nothing binds is told with its line", () => {
  expect(names("import os\n", "import os\n\ndef f(x):\n    return Missing(x) + os.sep\n")).toEqual([
    { name: "Missing", line: 4 },
  ]);
});

test("A name that base used already is none of the run's", () => {
  expect(names("print(magic)\n", "print(magic)\nprint(magic)\n")).toEqual([]);
});

test.each([
  "import a.b\nimport c as d\nfrom e import (f as g, h)\nprint(a, d, g, h)\n",
  "def f(x, y=1, *args, key: int = 2, **kw):\n    return x, y, args, key, kw\n",
  "f = lambda a, *b, **c: (a, b, c)\n",
  "for a, (b, *c) in x():\n    print(a, b, c)\n".replace("x()", "[]"),
  "print([a for a in [] if a], {b: c for b, c in []})\n",
  "try:\n    pass\nexcept OSError as e:\n    print(e)\n",
  "with open('x') as f, open('y') as (g, h):\n    print(f, g, h)\n",
  "if (n := len('x')) > 1:\n    print(n)\n",
  "a = b = 1\nc, d = a, b\ne: int = 3\nprint(c, d, e)\n",
  "def f():\n    global made\n    made = 1\n\nprint(made)\n",
  "match 3:\n    case [a, *b]:\n        print(a, b)\n    case {'k': c, **d}:\n        print(c, d)\n    case int() as e:\n        print(e)\n",
  "class A[T]:\n    x: T\n\ntype B[U] = list[U]\n\ndef f[V](v: V) -> B[V]:\n    return v\n",
  "class A:\n    def f(self):\n        return __class__, self, super()\n",
  "x = 1\nprint(x.missing, dict(missing=1), f'{x!r:>{x}}')\n",
  "raise UnicodeDecodeError(__name__, NotImplemented, Ellipsis)\n",
  "größe = 1\nprint(größe)\n",
])("What Python binds is known: %s", (text) => {
  expect(read("a.py", text).broken).toEqual([]);
  expect(names(null, text)).toEqual([]);
});

test.each([
  ["imports everything of another", "from a import *\nprint(b)\n"],
  ["does not parse", "def f(:\n    missing\n"],
  ["makes up names while it runs", "globals()['a'] = 1\nprint(a)\n"],
])("Of a file that %s nothing is said", (_why, text) => {
  expect(names(null, text)).toEqual([]);
});

test("Languages in which names come from elsewhere are not asked", () => {
  expect(names(null, "console.log(missing);\n", "a.ts")).toEqual([]);
});
