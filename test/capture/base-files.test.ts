import { expect, test } from "vitest";
import { readBaseFiles } from "../../src/capture/base-files.js";
import { readPatch } from "../../src/facts/code/patch/read-patch.js";
import { createRepository, git, gitAt } from "../support/repository.js";

test("texts are those of the commit, whatever the work tree holds and its attributes ask for", async () => {
  const repository = createRepository({
    "src/a b.py": "one\n",
    ".gitattributes": "* text eol=crlf\n",
    "ü.py": "two\n",
  });
  const commit = repository.git("rev-parse", "HEAD");
  repository.write("src/a b.py", "changed\n");
  const paths = ["ü.py", "src/a b.py", "gone.py", "src", "src/a b.py"];
  expect(await readBaseFiles({ git, at: { cwd: repository.path }, commit, paths })).toEqual(
    new Map([
      ["src/a b.py", { text: "one\n" }],
      ["ü.py", { text: "two\n" }],
    ]),
  );
});

test("what is too large, no text, or has a line break in its name, is told with its reason", async () => {
  const repository = createRepository({
    "large.py": "x".repeat(1_000_001),
    "b.py": "a\0b",
    "a\nb.py": "x\n",
    "c.py": "x\n",
  });
  const commit = repository.git("rev-parse", "HEAD");
  const paths = ["large.py", "b.py", "a\nb.py", "c.py"];
  const files = await readBaseFiles({ git, at: { cwd: repository.path }, commit, paths });
  expect([...files]).toEqual([
    ["a\nb.py", { unread: "its name holds a line break" }],
    ["b.py", { unread: "binary" }],
    ["c.py", { text: "x\n" }],
    ["large.py", { unread: "too large" }],
  ]);
});

test("bytes that are no UTF-8 do not keep a patch from fitting", async () => {
  const repository = createRepository();
  repository.write("a.py", Buffer.from("caf\xe9\n\xff\xfe x\nold\n", "latin1"));
  const commit = repository.commit();
  repository.write("a.py", Buffer.from("caf\xe9\n\xff\xfe x\nnew\n", "latin1"));
  const patch = `${gitAt(repository.path, "diff")}\n`;
  const files = await readBaseFiles({ git, at: { cwd: repository.path }, commit, paths: ["a.py"] });
  expect(readPatch(patch, files).files).toMatchObject([{ unread: null, after: expect.stringMatching(/new\n$/) }]);
});

test("an empty list asks nothing of git", async () => {
  expect(await readBaseFiles({ git, at: { cwd: "/nonexistent" }, commit: "0".repeat(40), paths: [] })).toEqual(
    new Map(),
  );
});
