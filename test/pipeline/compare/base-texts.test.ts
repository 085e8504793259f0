import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPatch } from "../../../src/facts/code/patch/read-patch.js";
import { gatherFolder } from "../../../src/pipeline/compare/compare.js";
import { type Gathered, reportOf, writeExperiment } from "../../../src/pipeline/compare/gathered.js";
import { gatherRefs } from "../../../src/pipeline/compare/refs.js";
import { synthesizeFolder } from "../../../src/pipeline/synthesize.js";
import { benchOf } from "../../support/compare.js";
import { errorOf } from "../../support/expect.js";
import { createRepository } from "../../support/repository.js";

const edit = (path: string) =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

/** What each run's files become, or why nobody knows. */
function afterOf({ runs, base }: Gathered) {
  return runs.map(({ patch }) =>
    readPatch(patch ?? "", base.files ?? null).files.map(({ path, after, unread }) => `${path}: ${unread ?? after}`),
  );
}

test("the texts of a folder's patches are those in base/, of which no link is followed", async () => {
  const long = `src/${"x".repeat(300)}.py`;
  const paths = ["src/a.py", "src/link.py", "linked/a.py", "src/gone.py", "src/large.py", long];
  const bench = await benchOf({ "one.patch": paths.map(edit).join(""), "two.patch": edit("src/a.py") });
  const at = (...parts: string[]) => join(bench.from, "base", ...parts);
  mkdirSync(at("src"), { recursive: true });
  writeFileSync(at("src", "a.py"), "a\n");
  writeFileSync(at("src", "other.py"), "a\n");
  writeFileSync(at("src", "large.py"), "a\n".repeat(600_000));
  symlinkSync("a.py", at("src", "link.py"));
  symlinkSync("src", at("linked"));
  const gathered = await gatherFolder(bench);
  expect([...(gathered.base.files ?? [])]).toEqual([
    ["src/a.py", { text: "a\n" }],
    ["src/large.py", { unread: "too large" }],
    ["src/link.py", { unread: "no plain file" }],
    [long, { unread: "cannot be read" }],
  ]);
  expect(afterOf(gathered)[1]).toEqual(["src/a.py: b\n"]);
});

test("a folder without base/ has no texts, and its report comes all the same", async () => {
  const gathered = await gatherFolder(await benchOf({ "one.patch": edit("src/a.py"), "two.patch": edit("src/a.py") }));
  expect(gathered.base.files).toBe(undefined);
  expect(afterOf(gathered)[0]).toEqual(["src/a.py: no base text"]);
  expect((await reportOf(gathered)).runs.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
});

test("with a commit named the texts of a folder's patches are that commit's", async () => {
  const repository = createRepository({ "src/a.py": "a\n" });
  const sha = repository.git("rev-parse", "HEAD");
  repository.write("src/a.py", "something else\n");
  repository.commit();
  const bench = await benchOf({ "one.patch": edit("src/a.py"), "two.patch": edit("src/a.py") });
  const gathered = await gatherFolder({ ...bench, base: { repo: repository.path, ref: "main~1" } });
  expect(gathered.experiment.base).toBe(sha);
  expect(afterOf(gathered)).toEqual([["src/a.py: b\n"], ["src/a.py: b\n"]]);
  const error = await errorOf(() => gatherFolder({ ...bench, base: { repo: repository.path, ref: "nope" } }));
  expect(error.message).toContain('--base: "nope" is no commit');
});

test("branches are read on the commit most of them left, and an experiment's folder keeps its texts", async () => {
  const numbered = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
  const repository = createRepository({ "src/a.py": numbered, "src/b.py": "a\n" });
  const branch = (name: string, from: string, text: string) => {
    repository.git("checkout", "--quiet", "-b", name, from);
    repository.write("src/a.py", text);
    repository.commit();
  };
  branch("one", "main", numbered.replace("line 5\n", "five\n"));
  branch("two", "main", numbered.replace("line 6\n", "six\n"));
  repository.git("checkout", "--quiet", "main");
  repository.write("src/a.py", `head\n${numbered}`);
  repository.commit();
  branch("three", "main", `head\n${numbered.replace("line 7\n", "seven\n")}`);
  const bench = await benchOf({});
  const { deps, temporary, cancel, out } = bench;
  const refs = ["one", "two", "three"];
  const gathered = await gatherRefs({ deps, temporary, cancel, repo: repository.path, base: "main", refs });
  expect([...(gathered.base.files ?? [])]).toEqual([["src/a.py", { text: numbered }]]);
  const [first, second, third] = gathered.runs.map(({ patch }) =>
    readPatch(patch ?? "", gathered.base.files ?? null).files.map(({ after }) => after),
  );
  // In the order of their names: the one that left later applies to what the others left, too.
  expect([first, second, third]).toEqual([
    [numbered.replace("line 5\n", "five\n")],
    [numbered.replace("line 7\n", "seven\n")],
    [numbered.replace("line 6\n", "six\n")],
  ]);
  const { path } = await writeExperiment(join(out, "experiment"), gathered);
  expect(readdirSync(join(path, "base"))).toEqual(["files.json"]);
  expect(await synthesizeFolder(path)).toEqual(await reportOf(gathered));
});

test("a folder without base/ is compared by what its patches show of the files", async () => {
  const body = Array.from({ length: 40 }, (_, at) => `        self.x${at} = ${at}\n`).join("");
  const text = `class Box:\n    def __init__(self, name):\n${body}        self.name = name\n\n    def other(self):\n        return 1\n`;
  const repository = createRepository({ "src/box.py": text });
  const patchWith = (lines: string) => {
    repository.write("src/box.py", text.replace("        self.name = name\n", `${lines}        self.name = name\n`));
    return `${repository.git("diff")}\n`;
  };
  const raising = (error: string) => patchWith(`        if not name:\n            raise ${error}("no name")\n`);
  const files = {
    "a.patch": raising("ValueError"),
    "b.patch": raising("ValueError"),
    "c.patch": raising("TypeError"),
    "d.patch": patchWith('        name = name or "box"\n'),
  };
  const compared = async (withBase: boolean) => {
    const bench = await benchOf(files);
    if (withBase) {
      mkdirSync(join(bench.from, "base", "src"), { recursive: true });
      writeFileSync(join(bench.from, "base", "src", "box.py"), text);
    }
    const { decisions } = await reportOf(await gatherFolder(bench));
    return decisions.map(({ title, options }) => [title, ...options.map(({ label, runs }) => `${label}: ${runs}`)]);
  };
  const known = JSON.stringify(await compared(true));
  expect(known).toContain("ValueError");
  expect(JSON.stringify(await compared(false)).replaceAll("<line 40>", "__init__")).toBe(known);
});
