import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toJson } from "../../../src/clients/files.js";
import { compareFolder } from "../../../src/pipeline/compare/compare.js";
import { createExperimentFolder, type ExperimentFolder } from "../../../src/pipeline/folder.js";
import { synthesizeFolder } from "../../../src/pipeline/synthesize.js";
import { renderMarkdown } from "../../../src/report/markdown.js";
import { renderTerminal } from "../../../src/report/terminal.js";
import { benchOf } from "../../support/compare.js";
import { temporaryFolder } from "../../support/folder.js";
import { experimentOf } from "../../support/report.js";
import { column, id, key, run, snapshot, table } from "../../support/runs.js";

const long = "x".repeat(10_000_000);
const users = (...more: ReturnType<typeof column>[]) =>
  snapshot([table("users", { columns: [id(), ...more], constraints: [key("id")] })]);

/** Four runs, of which the second is then spoilt. */
async function experiment(): Promise<ExperimentFolder> {
  const folder = await createExperimentFolder(join(await temporaryFolder(), "x"), experimentOf(4));
  for (const n of [1, 2, 3, 4]) {
    const { record, schema, rows } = run(n, { schema: users(column("email", "text")), files: ["a.txt"] });
    const files = folder.run(`r0${n}`);
    await mkdir(files.folder);
    await writeFile(files.record, toJson(record));
    await writeFile(files.schema, toJson(schema));
    await writeFile(files.rows, toJson(rows));
  }
  return folder;
}

type File = "record" | "schema";
type Spoil = (text: string) => string | Uint8Array;

const changed = (path: string) => ({ path, oldPath: null, status: "added", added: 1, deleted: 0 });
const withFiles =
  (paths: string[]): Spoil =>
  (text) => {
    const record = JSON.parse(text);
    return JSON.stringify({ ...record, patch: { ...record.patch, files: paths.length, changed: paths.map(changed) } });
  };
const withColumns =
  (n: number): Spoil =>
  () =>
    JSON.stringify(users(...Array.from({ length: n }, (_, at) => column(`c${at}`, "text"))));
const polluted: Spoil = (text) => text.replace("{", '{"__proto__": {"counted": true, "polluted": 1},');
const latin: Spoil = (text) => Buffer.concat([Buffer.from(text.slice(0, -3)), Buffer.from(', "\xff": 1}', "latin1")]);

const cases: [name: string, file: File, spoil: Spoil, reason: string][] = [
  ["a record of one line of 10 MB", "record", () => long, "is no JSON"],
  ["a record that is cut off", "record", (text) => text.slice(0, 200), "is no JSON"],
  ["a record of NUL bytes", "record", () => "\0".repeat(1000), "is no JSON"],
  ["a record that is not UTF-8", "record", latin, "is not UTF-8"],
  ["a record that names a prototype", "record", polluted, 'unknown key "__proto__"'],
  ["a record of a run elsewhere", "record", (text) => text.replace('"r02"', '"../r02"'), "a run id looks like r01"],
  ["a path of 10 MB", "record", withFiles([long]), "Too big"],
  [
    "a hundred thousand files",
    "record",
    withFiles(Array.from({ length: 100_000 }, (_, at) => `f${at}`)),
    "at most 5000",
  ],
  ["a schema of one line of 10 MB", "schema", () => long, "is no JSON"],
  ["a name of 10 MB", "schema", (text) => text.replace('"users"', `"${long}"`), "Too big"],
  ["a schema that is not UTF-8", "schema", latin, "is not UTF-8"],
  ["a schema that names a prototype", "schema", polluted, 'unknown key "__proto__"'],
  ["brackets without an end", "schema", () => "[".repeat(1_000_000), "is no JSON"],
  ["a hundred thousand columns", "schema", withColumns(100_000), "at most 1600"],
];

test.each(cases)(
  "%s makes its run unreadable in that respect, and the others' report comes",
  async (_, file, spoil, said) => {
    const folder = await experiment();
    const path = folder.run("r02")[file];
    await writeFile(path, spoil(await readFile(path, "utf8")));
    const report = await synthesizeFolder(folder.path);
    const [first, second, third] = report.runs;
    expect(second?.unreadable.map(({ reason }) => reason).join()).toContain(said);
    expect([first, third].map((each) => [each?.counted, each?.unreadable])).toEqual([
      [true, []],
      [true, []],
    ]);
    expect(report.agreed.map(({ title }) => title)).toContain("`users`");
    expect(JSON.stringify(report).length).toBeLessThan(50_000);
    expect("polluted" in {}).toBe(false);
    expect(renderTerminal(report).length + renderMarkdown(report).length).toBeLessThan(50_000);
  },
);

test("a reason of 10 MB is cut, and a path that leads out of the repo is a name and nothing else", async () => {
  const folder = await experiment();
  const path = folder.run("r02").record;
  const record = JSON.parse(await readFile(path, "utf8"));
  const patch = { ...record.patch, changed: [changed("../../etc/passwd"), changed("a\0b")] };
  await writeFile(path, JSON.stringify({ ...record, outcome: "crashed", reason: long, patch }));
  const report = await synthesizeFolder(folder.path);
  expect(report.runs[1]?.reason).toHaveLength(2_001);
  expect(renderTerminal(report)).not.toContain("\0");
});

test("hostile files in a compared folder are their own runs' trouble", async () => {
  const good = "CREATE TABLE users (id int PRIMARY KEY);\n";
  const wide = `CREATE TABLE t (${Array.from({ length: 2_000 }, (_, at) => `c${at} int`).join()});`;
  const header =
    "diff --git a/../../x b/../../x\nnew file mode 100644\n--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n";
  const bench = await benchOf({
    "a.sql": good,
    "b.sql": good,
    "binary.sql": Buffer.from([0xff, 0xfe, 0x41]),
    "__proto__.sql": good,
    "long.sql": `SELECT '${long}'::int;`,
    "nul.sql": "CREATE TABLE a (id int);\n\0DROP TABLE a;",
    "wide.sql": wide,
    "out.patch": header,
    "prose.patch": "I could not do it, sorry.\n",
    "record.checks.json": '{"__proto__": {"polluted": 1}}',
  });
  const { runs, agreed } = await compareFolder(bench);
  const reasons = new Map(
    runs.map(({ variant, unreadable }) => [variant, unreadable.map(({ reason }) => reason).join()]),
  );
  expect(reasons.get("a")).toBe("");
  expect(reasons.get("__proto__")).toBe("");
  expect(reasons.get("binary")).toContain("not UTF-8");
  expect(reasons.get("long")).toContain("SQLSTATE 22P02");
  expect(reasons.get("nul")).toContain("line 2 holds a NUL byte");
  expect(reasons.get("wide")).toContain("SQLSTATE 54011");
  expect(reasons.get("out")).toContain("leads out of the work tree");
  expect(reasons.get("prose")).toContain("no patch that git can read");
  expect(reasons.get("record")).not.toBe("");
  expect(JSON.stringify(runs).length).toBeLessThan(30_000);
  expect(agreed).toBeDefined();
  expect(readdirSync(bench.temporary)).toEqual([]);
});
