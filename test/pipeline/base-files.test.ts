import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { experimentId } from "../../src/model/ids.js";
import { Secret } from "../../src/model/secret.js";
import { keepBaseFiles, readKeptFiles, writeBaseFiles } from "../../src/pipeline/base-files.js";
import { planComparison } from "../../src/pipeline/compare/plan.js";
import { createExperimentFolder } from "../../src/pipeline/folder.js";
import { compareDeps } from "../support/compare.js";
import { errorOf } from "../support/expect.js";
import { testDeps } from "../support/experiment.js";
import { createRepository, temporaryFolder } from "../support/repository.js";

/** An experiment whose two runs left these patches. */
async function experimentOn(repo: string, commit: string, patches: string[]) {
  const experiment = planComparison({
    id: experimentId.parse("x"),
    title: "x",
    names: patches.map((_, at) => `n${at}`),
    references: 0,
    base: commit,
    repo,
    createdAt: "2026-01-01T00:00:00.000Z",
    seeds: [],
    hasDatabase: false,
    temporary: temporaryFolder(),
    overrides: undefined,
  });
  const folder = await createExperimentFolder(join(temporaryFolder(), "out"), experiment);
  for (const [at, { id }] of experiment.runs.entries()) {
    mkdirSync(folder.run(id).folder);
    writeFileSync(folder.run(id).patch, patches[at] ?? "");
  }
  const logged = testDeps();
  const deps = { ...compareDeps(), log: logged.log };
  return { experiment, folder, deps, lines: logged.lines, secrets: [new Secret("sk-known-key-1")] };
}

const edit = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

test("the texts the runs' patches ask for are kept beside them, and no others", async () => {
  const files = { "src/a.py": "a\n", "src/b.py": "a\n", "src/c.py": "a\n", "yarn.lock": "a\n" };
  const repository = createRepository(files);
  const patches = [edit("src/a.py") + edit("yarn.lock"), edit("src/b.py") + edit("../../etc/passwd")];
  const place = await experimentOn(repository.path, repository.git("rev-parse", "HEAD"), patches);
  await keepBaseFiles(place);
  rmSync(repository.path, { recursive: true });
  expect(await readKeptFiles(place.folder)).toEqual(
    new Map([
      ["src/a.py", { text: "a\n" }],
      ["src/b.py", { text: "a\n" }],
    ]),
  );
  expect(place.lines).toEqual([]);
});

test("a secret that the repo itself holds is written as stars, line by line as in a patch", async () => {
  const repository = createRepository({ "src/a.py": "key = 'sk-known-key-1'\na\n" });
  const place = await experimentOn(repository.path, repository.git("rev-parse", "HEAD"), [edit("src/a.py"), ""]);
  await keepBaseFiles(place);
  expect(await readKeptFiles(place.folder)).toEqual(new Map([["src/a.py", { text: "key = '**-*****-***-*'\na\n" }]]));
});

test("without the repo nothing is kept, which is said, and nothing fails", async () => {
  const place = await experimentOn("/nonexistent", "0".repeat(40), [edit("src/a.py"), ""]);
  await keepBaseFiles(place);
  expect(await readKeptFiles(place.folder)).toBe(undefined);
  expect(place.lines).toEqual([expect.stringMatching(/^the texts of 0+ cannot be kept: /)]);
});

test("names every object has do no harm", async () => {
  const { folder } = await experimentOn("/nonexistent", "0".repeat(40), [""]);
  await writeBaseFiles(folder, new Map(["__proto__", "constructor", "a"].map((path) => [path, { text: "x" }])));
  expect(readFileSync(folder.baseFiles, "utf8")).toContain('"__proto__": {');
  const kept = await readKeptFiles(folder);
  expect(kept?.get("constructor")).toEqual({ text: "x" });
  expect(kept?.get("a")).toEqual({ text: "x" });
  expect(({} as { text?: string }).text).toBe(undefined);
});

test.each([
  ["another version", { version: 2, files: {} }],
  ["an unknown key", { version: 1, files: {}, more: 1 }],
  ["a file of neither kind", { version: 1, files: { a: {} } }],
  ["a file that is too large", { version: 1, files: { a: { text: "x".repeat(1_000_001) } } }],
  [
    "too much in all",
    {
      version: 1,
      files: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, { text: "x".repeat(1_000_000) }])),
    },
  ],
])("a file with %s is refused", async (_, content) => {
  const { folder } = await experimentOn("/nonexistent", "0".repeat(40), [""]);
  writeFileSync(folder.baseFiles, JSON.stringify(content));
  expect(await errorOf(() => readKeptFiles(folder))).toMatchObject({ code: "bad_artifact" });
});
