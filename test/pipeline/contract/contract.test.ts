import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Dropped } from "../../../src/facts/dropped.js";
import { type Contract, contractSchema, mostViolations, type Violation } from "../../../src/model/contract.js";
import { MultirunError } from "../../../src/model/error.js";
import type { ChangedFile } from "../../../src/model/record.js";
import { Secret } from "../../../src/model/secret.js";
import { parseStrict } from "../../../src/model/strict.js";
import { judgeContract } from "../../../src/pipeline/contract/contract.js";
import { createRepository, git } from "../../support/repository.js";
import { openRun } from "../../support/workspace.js";

interface Case {
  base: Record<string, string>;
  /** By path what the run leaves; null where it deletes it. */
  run: Record<string, string | null>;
  contract: Contract;
  dropped?: Dropped[] | "unread";
}

/** What of real work in a real work tree breaks a contract. */
async function judge({ base, run, contract, dropped = [] }: Case): Promise<Violation[]> {
  const user = createRepository({ "app.ts": "export const a = 1;\n", ...base });
  const { agent, capture } = await openRun(user);
  for (const [path, text] of Object.entries(run)) {
    mkdirSync(join(agent.path, path, ".."), { recursive: true });
    if (text === null) rmSync(join(agent.path, path));
    else writeFileSync(join(agent.path, path), text);
  }
  const { text: _, file, ...patch } = await capture();
  const experiment = { repo: user.path, base: user.git("rev-parse", "HEAD") };
  const context = { deps: { git }, experiment } as Parameters<typeof judgeContract>[0];
  return judgeContract(context, { contract, patch, file, dropped, secrets: [new Secret("hunter22-secret")] });
}

const forbidding = (...forbid: string[]): Contract => ({ forbid });

test("a new dependency is told with its place, and one that moved or got another version is none", async () => {
  const base = { "package.json": '{\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "^1.0.0"\n  }\n}\n' };
  const now =
    '{\n  "dependencies": {\n    "a": "^2.0.0",\n    "left-pad": "^1.3.0"\n  },\n  "devDependencies": { "b": "^1.0.0" }\n}\n';
  const run = { "package.json": now, "tool/requirements.txt": "# none\nflask==3.0\n" };
  expect(await judge({ base, run, contract: forbidding("new dependencies") })).toEqual([
    { rule: "forbid new dependencies", path: "package.json", line: 4, found: "npm left-pad" },
    { rule: "forbid new dependencies", path: "tool/requirements.txt", line: 2, found: "pip flask" },
  ]);
});

const suite = `import { expect, test } from "vitest";
test("adds", () => {
  expect(1 + 1).toBe(2);
});
test("takes away", () => {
  expect(2 - 1).toBe(1);
});
`;

test.each([
  ["deleted", { "test/sum.test.ts": null }, /deleted/],
  ["emptied", { "test/sum.test.ts": "" }, /removed/],
  [
    "taken out of its file",
    { "test/sum.test.ts": suite.slice(0, suite.indexOf('test("takes')) },
    /takes away.* removed/,
  ],
  ["skipped", { "test/sum.test.ts": suite.replace('test("takes', 'test.skip("takes') }, /takes away/],
  [
    "without its assertion",
    { "test/sum.test.ts": suite.replace("  expect(2 - 1).toBe(1);\n", "  void 0;\n") },
    /asserts less/,
  ],
  ["made unreadable", { "test/sum.test.ts": `${suite}\0` }, /cannot be read any more/],
  ["broken", { "test/sum.test.ts": `${suite}test("x", () => {{{ \n` }, /does not parse/],
  [
    "moved out of the tests",
    { "test/sum.test.ts": null, "attic/sum.ts": suite },
    /no test any more, but attic\/sum.ts/,
  ],
])("a test that is %s is a deleted test", async (_, run, found) => {
  const violations = await judge({ base: { "test/sum.test.ts": suite }, run, contract: forbidding("deleted tests") });
  expect(violations.length).toBeGreaterThan(0);
  for (const each of violations) {
    expect(each).toMatchObject({ rule: "forbid deleted tests", path: "test/sum.test.ts" });
    expect(each.found).toMatch(found);
  }
});

test.each([
  ["added", { "test/more.test.ts": suite.replace("adds", "adds more") }],
  ["laid out otherwise", { "test/sum.test.ts": suite.replace("1 + 1", "1+1") }],
  ["moved to another file of tests", { "test/sum.test.ts": null, "test/all/sum.test.ts": suite }],
])("a test that is %s is none", async (_, run) => {
  const found = await judge({ base: { "test/sum.test.ts": suite }, run, contract: forbidding("deleted tests") });
  expect(found).toEqual([]);
});

test("drops are read from added lines of SQL, and from the database what no text shows", async () => {
  const base = { "db/1.sql": "CREATE TABLE notes (body text);\nDROP TABLE older;\nALTER TABLE notes\n  ADD x int;\n" };
  const run = {
    "db/1.sql": "CREATE TABLE other ();\nDROP TABLE older;\nALTER TABLE notes\n  ADD x int,\n  DROP COLUMN body;\n",
    "db/2.sql": "DROP TABLE notes;\n",
    "db/2.down.sql": "DROP TABLE teams;\n",
    "tests/clean.sql": "DROP TABLE everything;\n",
  };
  const dropped: Dropped[] = [
    { kind: "table", name: "notes" },
    { kind: "type", name: "state" },
  ];
  const rule = "forbid migrations that drop";
  expect(await judge({ base, run, contract: forbidding("migrations that drop"), dropped })).toEqual([
    { rule, path: "db/1.sql", line: 5, found: "column notes.body" },
    { rule, path: "db/2.sql", line: 1, found: "table notes" },
    { rule, path: "", found: "type state" },
  ]);
});

test("limits are kept at their number and broken beyond it, and what is required must be new or changed", async () => {
  const run = { "a.txt": "1\n2\n", "b.txt": "1\n", "old.md": null };
  const base = { "old.md": "x\n", "CHANGELOG.md": "y\n" };
  const contract = { limits: { files: 3, lines: 3, bytes: 10 }, require: ["*.txt", "CHANGELOG.md", "*.md"] };
  const found = await judge({ base, run, contract });
  expect(found.map(({ rule, path, found: said }) => [rule, path, said?.replace(/^\d{3}/, "N")])).toEqual([
    ["limit lines", "", "4 of at most 3"],
    ["limit bytes", "", "N of at most 10"],
    ["require CHANGELOG.md", "", undefined],
    ["require *.md", "", undefined],
  ]);
});

test("names with the ends of lines and secrets forge nothing, and of a thousand a hundred are kept", async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x/${at}\n::error::`, "1\n"]));
  const run = { ...many, "db/x.sql": 'DROP TABLE "hunter22-secret\n::error:: pwned"' };
  const contract = { deny: ["x/**"], ...forbidding("migrations that drop") };
  const found = await judge({ base: {}, run, contract });
  const denied = found.filter(({ rule }) => rule === "deny x/**");
  expect(denied).toHaveLength(mostViolations);
  expect(denied.at(-1)?.more).toBe(200);
  expect(found.at(-1)?.found).toBe("table *** ::error:: pwned");
});

/** A patch that adds so many files, half of them tests, and what looking at it takes. */
async function timeOf(count: number): Promise<number> {
  const user = createRepository({ "a.txt": "1\n" });
  const { workspace } = await openRun(user);
  const changed = Array.from({ length: count }, (_, at): ChangedFile => {
    const path = at % 2 === 0 ? `test/${at}.test.ts` : `db/${at}.sql`;
    return { path, oldPath: null, status: "added", added: 1, deleted: 0 };
  });
  const parts = changed.map(
    ({ path }) =>
      `diff --git a/${path} b/${path}\nnew file mode 100644\nindex ${"0".repeat(40)}..${"1".repeat(40)}\n` +
      `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+DROP TABLE t\n`,
  );
  const file = join(workspace.tmp, "many.diff");
  writeFileSync(file, parts.join(""));
  const stats = { files: count, added: count, deleted: 0, bytes: 1, sha256: "", applies: true, warnings: [] };
  const experiment = { repo: user.path, base: user.git("rev-parse", "HEAD") };
  const context = { deps: { git }, experiment } as Parameters<typeof judgeContract>[0];
  const contract = { allow: ["src/**"], deny: ["db/**"], forbid: ["new dependencies", "migrations that drop"] };
  const begun = performance.now();
  const patch = { ...stats, changed };
  const found = await judgeContract(context, { contract, patch, file, dropped: null, secrets: [] });
  expect(found.filter(({ rule }) => rule === "forbid migrations that drop").at(-1)?.more).toBe(count / 2 - 100);
  expect(found).toHaveLength(300);
  return performance.now() - begun;
}

test("a patch of a hundred thousand files is looked at in linear time", async () => {
  const few = await timeOf(20_000);
  expect(await timeOf(100_000)).toBeLessThan(15 * Math.max(few, 200));
}, 120_000);

test("what cannot be looked at is told for every rule, and is no silence", async () => {
  const user = createRepository({ "a.txt": "1\n" });
  const { agent, capture } = await openRun(user);
  agent.write("a.txt", "2\n");
  const { text: _, file, ...patch } = await capture();
  renameSync(file, `${file}.away`);
  mkdirSync(file);
  const experiment = { repo: user.path, base: user.git("rev-parse", "HEAD") };
  const context = { deps: { git }, experiment } as Parameters<typeof judgeContract>[0];
  const contract = forbidding("new dependencies", "deleted tests");
  const found = await judgeContract(context, { contract, patch, file, dropped: null, secrets: [] });
  expect(found.map(({ rule }) => rule)).toEqual(["forbid new dependencies", "forbid deleted tests"]);
  expect(found[0]?.found).toContain("could not be looked at");
});

test.each([
  [
    { forbid: ["new dependancies"] },
    'did you mean "new dependencies"? (the rules: "new dependencies", "deleted tests"',
  ],
  [{ forbid: ["no such thing at all, nor anything that is like it by its letters"] }, '…" is no rule (the rules'],
  [{ limits: { files: 0 } }, "limits.files: 0: must be a whole number of at least 1"],
  [{ limits: { lines: -3 } }, "limits.lines: -3: must be a whole number"],
  [{ limits: { bytes: 1.5 } }, "limits.bytes: 1.5: must be a whole number"],
  [{ limits: { file: 1 } }, 'unknown key "limits.file"; did you mean "files"?'],
  [{ require: [""] }, "a glob cannot be empty"],
])("%j is refused with value, rule and next action", (contract, message) => {
  try {
    parseStrict(contractSchema, contract, { name: "multirun.yml" });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(MultirunError);
    expect(error).toMatchObject({ code: "bad_input", hint: "Correct this value and start again." });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message.length).toBeLessThan(400);
  }
});

test("a database that could not be read may have lost anything, and speaks of no other rule", async () => {
  const contract = forbidding("new dependencies", "migrations that drop");
  expect(await judge({ base: {}, run: { "app.ts": "" }, contract, dropped: "unread" })).toEqual([
    { rule: "forbid migrations that drop", path: "", found: "could not be looked at: its database could not be read" },
  ]);
});
