import { expect, test } from "vitest";
import { reader } from "./reading.js";

const { of } = await reader(["python", "typescript"]);

function tested(path: "a.py" | "a.ts", condition: string): string[] {
  const [before, after] =
    path === "a.py"
      ? ["def f(x, y):\n    g()\n", `def f(x, y):\n    g()\n    if ${condition}:\n        h()\n`]
      : [
          "export function f(x: any, y: any) {\n  g();\n}\n",
          `export function f(x: any, y: any) {\n  g();\n  if (${condition}) {\n    h();\n  }\n}\n`,
        ];
  return of("cond", path, before, after);
}

test.each([
  ["a.py", "not (o.a or o.b)", "not o.a and not o.b"],
  ["a.py", "not (o.a and (o.b or o.c))", "not o.a or (not o.b and not o.c)"],
  ["a.py", "o.c and not (o.a and o.b)", "o.c and (not o.a or not o.b)"],
  ["a.py", "not o.a == o.b", "o.a != o.b"],
  ["a.py", "not o.a in o.b", "o.a not in o.b"],
  ["a.py", "not (o.a is None)", "o.a is not None"],
  ["a.ts", "!(o.a || o.b)", "!o.a && !o.b"],
  ["a.ts", "!(o.a === 3)", "o.a !== 3"],
  ["a.ts", 'typeof o.a === "undefined"', "o.a === undefined"],
  ["a.ts", '"undefined" !== typeof o.a', "o.a !== undefined"],
  ["a.ts", '!(typeof o.a === "undefined")', "o.a !== undefined"],
] as const)("In %s `%s` is the same test as `%s`", (path, one, other) => {
  expect(tested(path, one)).not.toEqual([]);
  expect(tested(path, one)).toEqual(tested(path, other));
});

test.each([
  ["a.py", "not (o.a < o.b)", "o.a >= o.b"],
  ["a.py", "not (o.a or o.b)", "not o.a or not o.b"],
  ["a.py", "not (o.a and (o.b or o.c))", "not o.a or not o.b and o.c"],
  ["a.py", "o.c and not (o.a and o.b)", "o.c and not o.a or not o.b"],
  ["a.py", "not (not (o.a or o.b) or o.c)", "o.a or o.b and not o.c"],
  ["a.py", "not not (o.a or o.b)", "not not o.a and not o.b"],
  ["a.py", "not o.a", "o.a is None"],
  ["a.ts", "!!o.a", "o.a"],
  ["a.ts", 'typeof o.a === "string"', "o.a === undefined"],
] as const)("In %s `%s` is another test than `%s`", (path, one, other) => {
  expect(tested(path, one)).not.toEqual(tested(path, other));
});
