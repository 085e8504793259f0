import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportOf, writeExperiment } from "../../../src/pipeline/compare/gathered.js";
import { compareRefs, gatherRefs } from "../../../src/pipeline/compare/refs.js";
import { synthesizeFolder } from "../../../src/pipeline/synthesize.js";
import { benchOf } from "../../support/compare.js";
import { errorOf } from "../../support/expect.js";

/** A repo in which three branches left `main` and `main` went on. */
async function repoBench() {
  const bench = await benchOf({});
  const repo = join(bench.out, "repo");
  mkdirSync(repo, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repo, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      stdio: "pipe",
    });
  const commit = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(repo, name), text);
    git("add", "--all");
    git("commit", "--quiet", "--message=x");
  };
  git("init", "--quiet", "--initial-branch=main");
  commit({ "app.txt": "one\ntwo\n", "old.txt": "old\nfile\n" });
  for (const [name, files] of [
    ["try-1", { "app.txt": "one\n1\ntwo\n" }],
    ["try-2", { "app.txt": "one\n2\ntwo\n", "new.txt": "new\n" }],
    ["try-10", { "app.txt": "one\n10\ntwo\n", "new.txt": "new\n" }],
  ] as const) {
    git("checkout", "--quiet", "-b", name, "main");
    commit(files);
  }
  git("checkout", "--quiet", "-b", "pr", "main");
  git("mv", "old.txt", "older.txt");
  commit({ "app.txt": "one\npr\ntwo\n" });
  git("checkout", "--quiet", "main");
  commit({ "other.txt": "main went on\n" });
  const { deps, temporary, cancel } = bench;
  const refs = ["try-10", "try-2", "try-1"];
  return { git, bench, commit, options: { deps, temporary, cancel, repo, base: "main", refs } };
}

test("branches count from where they left base, in natural order, whatever order they are named in", async () => {
  const { options, git } = await repoBench();
  const before = `${git("status", "--porcelain")}${git("for-each-ref")}${git("count-objects", "-v")}`;
  const report = await compareRefs(options);
  expect(report.runs.map(({ id, variant, patch }) => [id, variant, patch])).toEqual([
    ["r01", "try-1", { files: 1, added: 1, deleted: 0, applies: true }],
    ["r02", "try-2", { files: 2, added: 2, deleted: 0, applies: true }],
    ["r03", "try-10", { files: 2, added: 2, deleted: 0, applies: true }],
  ]);
  const other = await compareRefs({ ...options, refs: [...options.refs].reverse() });
  expect(JSON.stringify(other)).toBe(JSON.stringify(report));
  expect(`${git("status", "--porcelain")}${git("for-each-ref")}${git("count-objects", "-v")}`).toBe(before);
  expect(readdirSync(options.temporary)).toEqual([]);
});

test("a branch that conflicts with what base has become does not apply", async () => {
  const { options, commit } = await repoBench();
  commit({ "app.txt": "main\nchanged\nit\n" });
  const { runs } = await compareRefs(options);
  expect(runs.map(({ patch }) => patch?.applies)).toEqual([false, false, false]);
});

test("a branch without a common ancestor is compared as a whole, and that is said", async () => {
  const { options, git, commit } = await repoBench();
  git("checkout", "--quiet", "--orphan", "apart");
  commit({ "app.txt": "apart\n" });
  const said: string[] = [];
  const deps = { ...options.deps, log: { ...options.deps.log, warn: (text: string) => said.push(text) } };
  await compareRefs({ ...options, deps, refs: ["apart", "try-1"] });
  expect(said).toEqual([expect.stringMatching(/^apart: shares no history with base/)]);
});

test("a reference branch changes no count, and each decision says what it took", async () => {
  const { options, bench } = await repoBench();
  const gathered = await gatherRefs({ ...options, reference: "pr" });
  const report = await reportOf(gathered);
  const without = await compareRefs(options);
  expect(report.runs.at(-1)).toMatchObject({ id: "r04", variant: "pr", reference: true, counted: false });
  expect(report.experiment.planned).toBe(3);
  expect(report.summary).toEqual(without.summary);
  const plain = report.decisions.map(({ reference: _, options: each, ...rest }) => ({
    ...rest,
    options: each.map((option) => ({ ...option, reference: [] })),
  }));
  expect(plain).toEqual(without.decisions);
  expect(report.decisions.map(({ reference }) => reference)).toEqual([[{ name: "pr", option: "b", label: "no" }]]);
  const { path } = await writeExperiment(join(bench.out, "experiment"), gathered);
  expect(await synthesizeFolder(path)).toEqual(report);
});

test.each([
  ["an unknown ref", { refs: ["try-1", "nope"] }, '"nope" is no commit'],
  ["a ref that looks like an option", { refs: ["try-1", "--all"] }, '"--all" is no commit'],
  ["a single ref", { refs: ["try-1"] }, "1 refs: must be from 2 to 256"],
  ["too many refs", { refs: Array.from({ length: 257 }, (_, at) => `b${at}`) }, "257 refs: must be from 2 to 256"],
  ["a ref named twice", { refs: ["try-1", "try-1"] }, '"try-1" is named twice'],
  ["a reference that is counted too", { reference: "try-1" }, '"try-1" is named twice'],
  ["an unknown base", { base: "nope" }, '--base: "nope" is no commit'],
])("%s is wrong use, with value and rule", async (_name, wrong, said) => {
  const { options } = await repoBench();
  const error = await errorOf(() => compareRefs({ ...options, ...wrong }));
  expect(error.code).toBe("bad_input");
  expect(error.message).toContain(said);
  expect(error.hint).toBeTruthy();
});
