import { expect, test } from "vitest";
import { partsOf } from "../../../src/consensus/code/tests-of.js";
import { comparer } from "../../support/code.js";

const { tell } = await comparer("python");

test("a test is taken apart at its joints, and not inside of quotes and brackets", () => {
  expect(partsOf('if a and b == " and " or f(c and d)')).toEqual(["a", 'b == " and "', "f(c and d)"]);
  expect(partsOf("if lonely")).toEqual(["lonely"]);
});

test("what joins a test is new, what stays in it is not", () => {
  const text = (condition: string) =>
    `def check(value, strict):\n    if ${condition}:\n        raise ValueError(value)\n`;
  const [before, stricter, looser] = ["is_bad(value)", "strict and is_bad(value)", "is_bad(value) or value.empty"].map(
    (condition) => ({ "check.py": text(condition) }),
  );
  if (!before || !stricter || !looser) throw new Error("three texts");
  const { questions } = tell(before, [stricter, stricter, looser, looser]);
  expect(questions["Which test is new in `check`?"]).toEqual({
    "tests `if strict`": "1 2",
    "tests `if empty`": "3 4",
  });
});

test("runs that test one thing in unlike ways agree that it is tested", () => {
  const text = (condition: string) =>
    `def load(path, limits):\n    data = read(path)\n    ${condition}\n    return parse(data)\n`;
  const run = (condition: string) => ({ "load.py": text(condition) });
  const base = run("pass");
  const { questions } = tell(base, [
    run("if limits.size < len(data): return None"),
    run("if limits.size <= len(data): return None"),
    run("if limits.size and limits.size < len(data): return None"),
    run("cache(data)"),
    run("cache(data)"),
  ]);
  expect(questions["Is there a test on `size` in `load`?"]).toEqual({ "tests `size`": "1 2 3", "not tested": "4 5" });
});
