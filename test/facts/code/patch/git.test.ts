import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPatch } from "../../../../src/facts/code/patch/read-patch.js";
import type { BaseFile } from "../../../../src/model/code.js";
import { createRepository, gitAt, type Repository } from "../../../support/repository.js";

type Files = Record<string, string>;

/** Few different lines, so that hunks could be taken for others, with all kinds of ends. */
const line = fc.tuple(
  fc.constantFrom(
    "",
    "a",
    "b",
    "  b",
    "}",
    "-- x",
    "++ y",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    "é ü",
    "\\ No newline",
  ),
  fc.constantFrom("\n", "\n", "\n", "\r\n", " \n", "\t\n"),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom("", "", "end", "\r"))
  .map(([lines, end]) => `${lines.map((parts) => parts.join("")).join("")}${end}`);

/** A text and what becomes of it: some lines go, some come. */
const edit = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(80), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 5 }))
  .map(([before, changes]) => {
    const lines = before.split(/(?<=\n)/);
    for (const [at, gone, fresh] of changes) lines.splice(at, gone, ...fresh.map((parts) => parts.join("")));
    return [before, lines.join("")] as const;
  });

/** Commits one tree after the other and returns git's own patch. */
function patchOf(repository: Repository, before: Files, after: Files, ...options: string[]): string {
  const [old, now] = [before, after].map((files) => {
    repository.git("rm", "-r", "--quiet", "--ignore-unmatch", ".");
    for (const [name, content] of Object.entries(files)) repository.write(name, content);
    return repository.commit();
  });
  const args = ["diff", "--binary", "--full-index", ...options, old ?? "", now ?? ""];
  return `${gitAt(repository.path, ...args)}\n`;
}

function baseOf(files: Files): Map<string, BaseFile> {
  return new Map(Object.entries(files).map(([name, content]) => [name, { text: content }]));
}

function resultOf(patch: string, base: Files): Map<string, string | null> {
  const { files, reason } = readPatch(patch, baseOf(base));
  expect([reason, files.filter(({ unread }) => unread !== null)]).toEqual([null, []]);
  const after = new Map<string, string | null>(Object.entries(base));
  for (const file of files) {
    if (file.status === "renamed" && file.oldPath !== null) after.delete(file.oldPath);
    if (file.after === null) after.delete(file.path);
    else after.set(file.path, file.after);
  }
  return after;
}

test("a patch of git's, applied to what it was made from, gives what it was made for", () => {
  const repository = createRepository();
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), fc.nat(3), (edits, context) => {
      const before: Files = {};
      const after: Files = {};
      for (const [at, [old, now]] of edits.entries()) {
        before[`src/f${at}.py`] = old;
        after[`src/f${at}.py`] = now;
      }
      const patch = patchOf(repository, before, after, `--unified=${context}`);
      expect(resultOf(patch, before)).toEqual(new Map(Object.entries(after)));
    }),
    { numRuns: 25 },
  );
});

test("renames with edits, new files and deleted files come out as git has them", () => {
  const repository = createRepository();
  fc.assert(
    fc.property(edit, text, text, ([old, now], gone, fresh) => {
      // Enough in common that git sees one file in two places, and too little in the other two.
      const common = Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join("");
      const before = { "src/a b.py": `${common}${old}`, "src/gone.py": `${"gone\n".repeat(40)}${gone}` };
      const after = { 'lib/ü\t"b".py': `${common}${now}`, "src/fresh.py": `${fresh}y` };
      const patch = patchOf(repository, before, after, "--find-renames");
      expect(
        readPatch(patch, baseOf(before)).files.map(({ path, oldPath, status }) => [path, oldPath, status]),
      ).toEqual([
        ['lib/ü\t"b".py', "src/a b.py", "renamed"],
        ["src/fresh.py", null, "added"],
        ["src/gone.py", null, "deleted"],
      ]);
      expect(resultOf(patch, before)).toEqual(new Map(Object.entries(after)));
    }),
    { numRuns: 15 },
  );
});

test("what git itself applies at another place gives the same text here", () => {
  const repository = createRepository();
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join("");
  const old = numbered(0, 200);
  const now = old
    .replace("line 20\n", "line twenty\n")
    .replace("line 150\n", "")
    .replace("line 180\n", "line 180\nnew\n");
  const patch = patchOf(repository, { "a.py": old }, { "a.py": now });
  const shifted = `${numbered(1000, 1040)}${old.replace("line 100\n", "line 100\nmore\nand more\n")}`;
  repository.write("a.py", shifted);
  repository.write("the.patch", patch);
  gitAt(repository.path, "apply", "the.patch");
  const [file] = readPatch(patch, baseOf({ "a.py": shifted })).files;
  expect(file?.after).toBe(readFileSync(join(repository.path, "a.py"), "utf8"));
});
