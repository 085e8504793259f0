import { expect, test } from "vitest";
import { changedLines } from "../../src/facts/patch-lines.js";
import { told } from "../support/facts.js";

/** A patch of one file with one hunk of these lines. */
function patchOf(path: string, ...lines: string[]): string {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign) || line.startsWith(" ")).length;
  const head = `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,${count("-")} +1,${count("+")} @@\n${lines.join("\n")}\n`;
}

test.each([
  ["package.json", '+    "left-pad": "^1.3.0",', "npm left-pad"],
  ["web/package.json", '+    "@scope/pad": "workspace:*"', "npm @scope/pad"],
  ["requirements.txt", "+requests[socks]>=2.31  # http", "pip requests"],
  ["requirements/dev.txt", "+pytest", "pip pytest"],
  ["go.mod", "+\tgithub.com/lib/pq v1.10.9", "go github.com/lib/pq"],
  ["Gemfile", "+gem 'pg', '~> 1.5'", "gem pg"],
  ["composer.json", '+        "monolog/monolog": "^3.0"', "composer monolog/monolog"],
])("a line new in %s is a new dependency: %s", (path, line, name) => {
  expect(told({ patch: patchOf(path, line) })).toEqual([`dependency ${name} · presence: yes`]);
});

test.each([
  ["package.json", '+  "version": "1.2.3",'],
  ["package.json", '+    "node": ">=20"'],
  ["package.json", '+    "test": "vitest run"'],
  ["package.json", '+    "dev": "next dev"'],
  ["requirements.txt", "+# requests"],
  ["requirements.txt", "+-r base.txt"],
  ["go.mod", "+\tgolang.org/x/text v0.14.0 // indirect"],
  ["node_modules/a/package.json", '+    "left-pad": "^1.3.0",'],
  ["src/a.js", '+    "left-pad": "^1.3.0",'],
])("in %s this is no dependency: %s", (path, line) => {
  expect(told({ patch: patchOf(path, line) })).toEqual([]);
});

test("another version, a dropped package and one that only moved are told apart", () => {
  const lines = ['-    "pg": "^8.0.0",', '+    "pg": "^9.0.0",', '-    "koa": "2.0.0",', '-    "zod": "4.0.0"'];
  const moved = patchOf("packages/a/package.json", '+    "zod": "4.0.0"');
  expect(told({ patch: patchOf("package.json", ...lines) + moved })).toEqual([
    "known dependency npm koa · version: dropped",
    "known dependency npm pg · version: `^9.0.0`",
  ]);
});

test("a manifest written on one line names only what it did not name before", () => {
  const before = '{"name":"a","version":"1.0.0","engines":{"node":">=20"},"dependencies":{"pg":"^8.0.0"}}';
  const after =
    '{"name":"a","version":"1.0.1","engines":{"node":">=22"},"dependencies":{"pg":"^8.0.0","zod":"^4.0.0"}}';
  expect(told({ patch: patchOf("package.json", `-${before}`, `+${after}`) })).toEqual([
    "dependency npm zod · presence: yes",
  ]);
});

test("what looks like a diff inside a hunk is content", () => {
  const patch = patchOf("notes.md", "+++ b/package.json", '+    "left-pad": "^1.3.0",', "-- a/package.json");
  expect(told({ patch })).toEqual([]);
  expect(changedLines(patch, () => true)).toEqual([
    {
      path: "notes.md",
      added: [
        { text: "++ b/package.json", line: 1 },
        { text: '    "left-pad": "^1.3.0",', line: 2 },
      ],
      removed: [{ text: "- a/package.json", line: 1 }],
    },
  ]);
});

test("a file that is gone is known by its old name, and a file without a hunk has no lines", () => {
  const gone =
    "diff --git a/go.mod b/go.mod\ndeleted file mode 100644\n--- a/go.mod\n+++ /dev/null\n@@ -1 +0,0 @@\n-module x\n";
  const binary = "diff --git a/b.png b/b.png\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZ?wbhEHb\n\n";
  expect(changedLines(binary + gone, () => true)).toEqual([
    { path: "go.mod", added: [], removed: [{ text: "module x", line: 1 }] },
  ]);
});
