import { expect, test } from "vitest";
import { contentViolations, patchViolations } from "../../../src/capture/contract/violations.js";
import { type ForbiddenKind, forbiddenKinds } from "../../../src/model/config.js";
import type { RunArtifacts } from "../../../src/model/fact.js";
import type { ChangedFile, CheckResult } from "../../../src/model/record.js";
import { createRepository } from "../../support/repository.js";

/** What git makes of changed files. */
function patchOf(before: Record<string, string>, after: Record<string, string | null>): string {
  const repository = createRepository(before);
  for (const [path, text] of Object.entries(after)) {
    if (text === null) repository.git("rm", "--quiet", path);
    else repository.write(path, text);
  }
  repository.git("add", "--all");
  return `${repository.git("diff", "--cached", "--find-renames", "HEAD")}\n`;
}

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  oldPath: null,
  status: "modified",
  added: 1,
  deleted: 1,
  ...more,
});

function found(
  forbid: ForbiddenKind[],
  { patch = "", changed = [], checks = null, before = null }: Given,
): { rule: string; path: string; found?: string | undefined }[] {
  const run = { id: "r01", record: { patch: { changed } }, schema: null, rows: null, checks, patch, unreadable: [] };
  return contentViolations({ forbid }, run as unknown as RunArtifacts, { schema: null, checks: before });
}

interface Given {
  patch?: string;
  changed?: ChangedFile[];
  checks?: CheckResult[] | null;
  before?: CheckResult[] | null;
}

test("a new package is found in its manifest; one in another version, one that moves and one that goes are not new", () => {
  const manifest = (dependencies: object, more = {}) => JSON.stringify({ name: "app", dependencies, ...more }, null, 2);
  const patch = patchOf(
    { "package.json": manifest({ a: "^1.0.0", b: "^1.0.0", c: "1.0.0" }), "go.mod": "module x\n\nrequire (\n)\n" },
    {
      "package.json": manifest({ a: "^2.0.0", "left-pad": "^1.3.0" }, { devDependencies: { b: "^1.0.0" } }),
      "go.mod": "module x\n\nrequire (\n\tgithub.com/x/y v1.2.3\n)\n",
    },
  );
  expect(found(["new dependencies"], { patch })).toEqual([
    { rule: "forbid new dependencies", path: "go.mod", found: "github.com/x/y" },
    { rule: "forbid new dependencies", path: "package.json", found: "left-pad" },
  ]);
});

test("a test that is deleted, alone or with its file, is found; one that moves or changes inside is not", () => {
  const js =
    'import { test } from "x";\ntest("adds", () => {\n  ok(1);\n});\ntest("takes away", () => {\n  ok(2);\n});\n';
  const py = "def test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n";
  const java = "class T {\n  @Test\n  void one() {}\n\n  @Test\n  void two() {}\n}\n";
  const patch = patchOf(
    {
      "test/a.test.ts": js,
      "tests/test_b.py": py,
      "src/test/java/T.java": java,
      "test/moved.test.ts": 'test("moves", f);\n',
    },
    {
      "test/a.test.ts": js.replace(/test\("takes away"[\s\S]*$/, "").replace("ok(1)", "ok(3)"),
      "tests/test_b.py": py.replace("def test_two", "def check_two"),
      "src/test/java/T.java": java.replace("  @Test\n  void two", "  void two"),
      "test/moved.test.ts": null,
      "test/new-place.test.ts": '// it moved\ntest("moves", f);\n',
    },
  );
  const of = found(["deleted tests"], { patch }).map(({ path, found }) => [path, found]);
  expect(of).toEqual([
    ["test/a.test.ts", "takes away"],
    ["tests/test_b.py", "test_two"],
    ["src/test/java/T.java", "1 test"],
  ]);
});

test("files of tests that are deleted, or moved to where none is looked for, are found by their list", () => {
  const changed = [
    file("test/a.test.ts", { status: "deleted" }),
    file("old/b.txt", { status: "renamed", oldPath: "test/b.test.ts" }),
    file("test/d.test.ts", { status: "renamed", oldPath: "test/c.test.ts" }),
    file("src/e.ts", { status: "deleted" }),
  ];
  expect(found(["deleted tests"], { changed }).map(({ path }) => path)).toEqual(["test/a.test.ts", "test/b.test.ts"]);
});

test("a test that the untouched project's check reports and the run's does not is found by its name", () => {
  const check = (ids: string[]): CheckResult => ({
    id: "c1",
    title: "npm test",
    status: "pass",
    durationMs: 1,
    tail: "",
    tests: ids.map((id) => ({ id, status: "pass" })),
  });
  const given = { before: [check(["a", "b"])], checks: [check(["a", "new"])] };
  expect(found(["deleted tests"], given)).toEqual([{ rule: "forbid deleted tests", path: "", found: "b" }]);
  // Whoever reports nothing deleted nothing.
  expect(found(["deleted tests"], { ...given, checks: null })).toEqual([]);
});

test("without a database a migration's text says what it drops, comments and strings left out", () => {
  const sql = [
    "-- DROP TABLE commented;",
    "/* drop table also_commented; */",
    "INSERT INTO notes VALUES ('drop table quoted');",
    'ALTER TABLE users DROP COLUMN IF EXISTS "nick name";',
    "drop  table if exists public.sessions;",
    "TRUNCATE TABLE logs;",
    "DROP INDEX harmless;",
  ];
  const patch = patchOf({ a: "a\n" }, { "db/002.sql": `${sql.join("\n")}\n`, "notes.md": "drop table x\n" });
  expect(found(["migrations that drop"], { patch }).map(({ path, found }) => [path, found])).toEqual([
    ["db/002.sql", 'column "nick name"'],
    ["db/002.sql", "table public.sessions"],
    ["db/002.sql", "rows of logs"],
  ]);
});

test("nothing is found where nothing is forbidden, nor of what is not forbidden", () => {
  const patch = patchOf({ a: "a\n" }, { "requirements.txt": "flask==1\n", "x.sql": "drop table y;\n" });
  expect(found([], { patch })).toEqual([]);
  expect(found(["deleted tests"], { patch })).toEqual([]);
  expect(found([...forbiddenKinds], { patch }).map(({ rule }) => rule)).toEqual([
    "forbid new dependencies",
    "forbid migrations that drop",
  ]);
});

test("sizes beyond a limit are violations; what tools write counts as bytes only", () => {
  const changed = [file("src/a.ts", { added: 300, deleted: 200 }), file("package-lock.json", { added: 9_000 })];
  const sized = (contract: object) => patchViolations(contract, { changed, bytes: 100_000 });
  expect(sized({ maxFiles: 1, maxLines: 500, maxBytes: 100_000 })).toEqual([]);
  expect(sized({ maxFiles: 0, maxLines: 499, maxBytes: 99_999 })).toEqual([
    { rule: "maxFiles 0", path: "", found: "1 files" },
    { rule: "maxLines 499", path: "", found: "500 lines" },
    { rule: "maxBytes 99999", path: "", found: "100000 bytes" },
  ]);
});

test("of a rule that is broken a hundred thousand times two hundred places are kept, and how many more there are", () => {
  const changed = Array.from({ length: 100_000 }, (_, at) => file(`build/${at}`));
  const violations = patchViolations(
    { allow: ["src/**"], deny: ["build/**"], require: ["docs/**"] },
    { changed, bytes: 1 },
  );
  expect(violations).toHaveLength(2 * 201 + 1);
  expect(violations.filter(({ path }) => path === "").map(({ rule, found }) => [rule, found])).toEqual([
    ["allow", "99800 more"],
    ["deny build/**", "99800 more"],
    ["require docs/**", undefined],
  ]);
});

test("hostile text is no trouble: unclosed comments, quotes without end, one long line", () => {
  const line = (text: string) =>
    `diff --git a/x.sql b/x.sql\nnew file mode 100644\n--- /dev/null\n+++ b/x.sql\n@@ -0,0 +1 @@\n+${text}\n`;
  for (const text of [
    "/*".repeat(500_000),
    "'".repeat(999_999),
    "drop ".repeat(200_000),
    `drop${" ".repeat(900_000)}`,
  ]) {
    expect(found(["migrations that drop"], { patch: line(text) })).toEqual([]);
  }
  const dropped = found(["migrations that drop"], { patch: line(`drop table ${"x".repeat(900_000)}`) });
  expect(dropped[0]?.found?.length).toBeLessThanOrEqual(200);
});
