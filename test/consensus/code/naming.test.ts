import { expect, test } from "vitest";
import { codeNaming } from "../../../src/consensus/code/naming.js";
import { runId } from "../../../src/model/ids.js";
import { comparer, type Texts } from "../../support/code.js";

const { readings, tell } = await comparer("python", "java");

const base: Texts = { "load.py": "def load(path):\n    return read(path)\n" };
const helped = (name: string) => ({
  "load.py": `def ${name}(path, limit=5):\n    if path.size > limit:\n        raise ValueError(path)\n    return strip(path)\n\n\ndef load(path):\n    return read(${name}(path))\n`,
});

test("what does the same under another name is one thing with several names", () => {
  const all = readings(base, [helped("clean"), helped("clean"), helped("tidy"), base]);
  const [naming, ...more] = codeNaming(all);
  expect(more).toEqual([]);
  expect(naming?.title).toBe("Names of `clean`");
  expect(naming?.options.map(({ label, runs }) => [label, runs])).toEqual([
    ["`clean`", ["r01", "r02"]],
    ["`tidy`", ["r03"]],
  ]);
  expect(codeNaming([...all].reverse())).toEqual([naming]);
});

test("a reference gives nothing a name", () => {
  const all = readings(base, [helped("clean"), helped("clean"), helped("tidy")]);
  expect(codeNaming(all, new Set([runId.parse("r03")]))).toEqual([]);
});

test("which doc comments follow the change is one choice, also where they stand before the code", () => {
  const text = (first: string, second: string, body: string) => `class Writer {
  /** ${first} */
  void value(int a) {
    ${body}
  }

  /** ${second} */
  void other(int a) {
    write(a);
  }
}
`;
  const path = "src/Writer.java";
  const run = (first: string, second: string) => ({ [path]: text(first, second, "check(a);") });
  const { questions } = tell({ [path]: text("Writes.", "Writes too.", "write(a);") }, [
    run("Checks.", "Like the first."),
    run("Looks.", "Checks elsewhere."),
    run("Checks it.", "Writes too."),
    run("Writes.", "Writes too."),
  ]);
  expect(questions["Are doc comments of existing code changed?"]).toEqual({
    "of `Writer.other`, `Writer.value`": "1 2",
    "of `Writer.value`": "3",
    no: "4",
  });
});
