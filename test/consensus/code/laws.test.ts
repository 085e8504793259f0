import { expect, test } from "vitest";
import { codeFacts } from "../../../src/consensus/code/code-facts.js";
import { kindWords } from "../../../src/facts/code/kinds/kinds.js";
import { runId } from "../../../src/model/ids.js";
import { comparer, type Texts, toldBy } from "../../support/code.js";

const { readings } = await comparer("python", "typescript", "go");

/** One task in three languages: give up, take a default, or fail where a value is missing. */
const tasks: Record<string, { base: Texts; runs: Texts[] }> = {
  python: {
    base: {
      "app/load.py": "def load(path, encoding):\n    data = read(path)\n    return data.decode(encoding)\n",
      "app/other.py": "def other(path):\n    return path\n",
    },
    runs: [
      "    encoding = encoding or 'utf-8'\n",
      "    encoding = encoding or 'utf-8'\n",
      "    encoding = encoding or detect(data)\n",
      "    if encoding is None:\n        raise ValueError(path)\n",
      "    if encoding is None:\n        return helper(data)\n",
    ].map((line, at) => ({
      "app/load.py": `def load(path, encoding):\n    data = read(path)\n${line}    return data.decode(encoding)\n${
        at === 4 ? "\n\ndef helper(data):\n    return data.strip()\n" : ""
      }`,
      ...(at > 2 ? { "app/other.py": "def other(path):\n    return normal(path)\n" } : {}),
    })),
  },
  typescript: {
    base: { "src/load.ts": "export function load(name: string) {\n  return fetchAll(name);\n}\n" },
    runs: [
      "  if (!name) throw new Error(name);\n",
      "  if (!name) throw new TypeError(name);\n",
      "  if (!name) return [];\n",
      "  logger.warn(name);\n",
    ].map((line) => ({ "src/load.ts": `export function load(name: string) {\n${line}  return fetchAll(name);\n}\n` })),
  },
  go: {
    base: { "load.go": "package a\n\nfunc Load(name string) error {\n\treturn fetch(name)\n}\n" },
    runs: [
      '\tif name == "" {\n\t\treturn ErrEmpty\n\t}\n',
      '\tif name == "" {\n\t\treturn nil\n\t}\n',
      "\ttrace(name)\n",
    ].map((line) => ({ "load.go": `package a\n\nfunc Load(name string) error {\n${line}\treturn fetch(name)\n}\n` })),
  },
};

for (const [language, { base, runs }] of Object.entries(tasks)) {
  test(`the order of runs means nothing (${language})`, () => {
    const all = readings(base, runs);
    const told = toldBy(all);
    expect(Object.keys(told.questions).length).toBeGreaterThan(2);
    expect(toldBy([...all].reverse())).toEqual(told);
    expect(toldBy([...all.slice(2), ...all.slice(0, 2)])).toEqual(told);
  });

  test(`an identical extra run moves nobody to another answer (${language})`, () => {
    const before = toldBy(readings(base, runs)).questions;
    const [first = {}] = runs;
    const after = toldBy(readings(base, [...runs, first])).questions;
    const extra = String(runs.length + 1);
    const shared = Object.keys(before).filter((title) => after[title] !== undefined && before[title] !== undefined);
    expect(shared.length).toBeGreaterThan(1);
    for (const title of shared) {
      const answers = Object.values(after[title] ?? {}).map((each) => each.split(" "));
      // The copy answers as the first does; all others stand together as they did.
      for (const each of answers) expect(each.includes(extra)).toBe(each.includes("1"));
      const divided = answers.map((each) => each.filter((run) => run !== extra).join(" ")).sort();
      expect(divided).toEqual(Object.values(before[title] ?? {}).sort());
    }
  });

  test(`a run that changes nothing is a state and answers nothing else (${language})`, () => {
    const { questions } = toldBy(readings(base, [...runs, {}]));
    const idle = String(runs.length + 1);
    const answered = Object.entries(questions).filter(([, answers]) =>
      Object.values(answers).some((each) => each.split(" ").includes(idle)),
    );
    expect(answered).toEqual([["Does the run change production code?", expect.objectContaining({ "no patch": idle })]]);
  });

  test(`the same readings give the same bytes (${language})`, () => {
    const bytes = () => JSON.stringify([...codeFacts(readings(base, runs), kindWords)]);
    expect(bytes()).toBe(bytes());
  });
}

test("a reference decides nothing and is told all the same", () => {
  const { base, runs } = tasks["python"] ?? { base: {}, runs: [] };
  const reference = runId.parse("r04");
  const all = readings(base, runs);
  const facts = codeFacts(all, kindWords, new Set([reference]));
  const without = codeFacts(
    all.filter(({ run }) => run !== reference),
    kindWords,
  );
  for (const [run, each] of without) expect(facts.get(run)).toEqual(each);
  expect(facts.get(reference)?.length).toBeGreaterThan(0);
});
