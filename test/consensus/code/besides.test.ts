import { expect, test } from "vitest";
import { comparer, type Texts } from "../../support/code.js";

const { tell } = await comparer("python", "typescript");

const load = (line: string) => `def load(path):\n${line}    return read(path)\n`;
const store = (line: string) => `def store(path, data):\n${line}    write(path, data)\n`;
const base: Texts = { "app/load.py": load(""), "app/store.py": store("") };
const main = { "app/load.py": load("    check(path)\n") };

test("what some runs change beside the place is one row, by the way they change it", () => {
  const locked = { ...main, "app/store.py": store("    lock(path)\n") };
  const { questions } = tell(base, [
    locked,
    locked,
    { ...main, "app/store.py": store("    if not data:\n        raise ValueError(path)\n") },
    main,
    main,
  ]);
  expect(questions["Besides: what becomes of `store` (`store.py`)?"]).toEqual({
    "calls `lock()`": "1 2",
    "raises `ValueError` when `not data`; raises `ValueError`": "3",
    untouched: "4 5",
  });
});

test("ways that would be told in the same words are one", () => {
  const noisy = (name: string) => ({ ...main, "app/store.py": store(`    ${name} = 1\n    lock(path)\n`) });
  const { questions } = tell(base, [noisy("a"), noisy("b"), main, main]);
  expect(questions["Besides: what becomes of `store` (`store.py`)?"]).toEqual({
    "calls `lock()`": "1 2",
    untouched: "3 4",
  });
});

test("symbols that the same runs change are one row", () => {
  const path = "app/store.py";
  const both = (line: string) => `${store(line)}\n\ndef drop(path):\n${line}    remove(path)\n`;
  const wide: Texts = { ...base, [path]: both("") };
  const edited = { ...main, [path]: both("    lock(path)\n") };
  const { questions } = tell(wide, [edited, edited, main, main]);
  expect(questions["Besides: what becomes of `drop`, `store`?"]).toEqual({ changed: "1 2", untouched: "3 4" });
});

test("a file that one run alone adds is told as a file, and not by what is in it", () => {
  const own = { ...main, "app/extra.py": "LIMIT = 5\n\n\ndef extra(a, b=3):\n    return send(a, b)\n" };
  const { questions } = tell(base, [own, main, main, main]);
  expect(questions["Is a file `app/extra.py` added?"]).toEqual({ yes: "1" });
  expect(JSON.stringify(questions)).not.toMatch(/LIMIT|calls `send|parameter/);
});

test("a file that several runs add is one row, and where they use it another", () => {
  const extra = { "app/extra.py": "def extra(a):\n    return send(a)\n" };
  const used = { "app/load.py": load("    check(path)\n    extra(path)\n"), ...extra };
  const elsewhere = { ...main, "app/store.py": store("    extra(path)\n"), ...extra };
  const { questions } = tell(base, [used, used, elsewhere, { ...main, ...extra }, main, main]);
  expect(questions["Is a file `extra.py` added?"]).toEqual({ yes: "1 2 3 4" });
  expect(questions["Where is `extra` used?"]).toEqual({
    "in `load`": "1 2",
    "in `store`": "3",
    "nowhere: never called": "4",
  });
});

test("a name that is imported and stands nowhere else is told", () => {
  const before = "export function load(a: string) {\n  return a;\n}\n";
  const after = `import { unused, trim } from "./text";\n${before.replace("return a", "return trim(a)")}`;
  const { questions } = tell({ "src/load.ts": before }, [{ "src/load.ts": after }, { "src/load.ts": `${before}//\n` }]);
  expect(questions["Is `unused` imported and never used?"]).toEqual({ "imports `unused` and never uses it": "1" });
  expect(Object.keys(questions).filter((title) => title.includes("never used"))).toHaveLength(1);
});

test("a run that makes the change in what others change beside it does not leave that untouched", () => {
  const path = "app/both.py";
  const wide: Texts = { [path]: `${load("")}\n\n${store("")}` };
  const here = { [path]: `${load("    check(path)\n")}\n\n${store("    lock(path)\n")}` };
  const there = { [path]: `${load("")}\n\n${store("    check(path)\n")}` };
  const alone = { [path]: `${load("    check(path)\n")}\n\n${store("")}` };
  const { questions } = tell(wide, [here, here, alone, alone, there]);
  const [title] = Object.keys(questions).filter((each) => each.startsWith("Besides: what becomes of `store`"));
  expect(questions[title ?? ""]).toEqual({ "calls `lock()`": "1 2", untouched: "3 4" });
});
