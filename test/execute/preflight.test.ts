import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProgram } from "../../src/execute/preflight.js";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "multirun-preflight-"));
  await mkdir(join(cwd, "bin"));
  await writeFile(join(cwd, "bin", "agent"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  await writeFile(join(cwd, "bin", "notes"), "text", { mode: 0o644 });
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const found = [
  ["a program on the path", "cat -n", "cat"],
  ["a word of the shell", "if true; then cat; fi", "if"],
  ["a builtin", "cd src && no-such", "cd"],
  ["a program after assignments", "A=1 B=two  cat", "cat"],
  ["a program that ends at an operator", "cat;no-such", "cat"],
  ["a relative path", "./bin/agent --fast", "./bin/agent"],
  ["a path without a dot", "bin/agent", "bin/agent"],
  ["a program in a relative folder of the path", "agent", "agent"],
];
test.each(found)("%s is found", async (_, line, word) => {
  expect(await findProgram(line, { path: "/usr/bin:/bin:bin", cwd })).toEqual({ word, found: true });
});

const missing = [
  ["a program that is nowhere", "no-such-agent --task x", "no-such-agent"],
  ["one after assignments", "A=1 no-such-agent", "no-such-agent"],
  ["a relative path to nothing", "./agent", "./agent"],
  ["a file that is not executable", "bin/notes", "bin/notes"],
  ["a file on the path that is not executable", "notes", "notes"],
  ["a folder", "./bin", "./bin"],
];
test.each(missing)("%s is not found, and is named", async (_, line, word) => {
  expect(await findProgram(line, { path: "/usr/bin:/bin:bin", cwd })).toEqual({ word, found: false });
});

const unjudged = [
  "$AGENT --task x",
  '"./my agent"',
  "'no such'",
  "(no-such)",
  "{ no-such; }",
  "! no-such",
  "~/bin/no-such",
  "PATH=/opt/x no-such",
  'A="b c" no-such',
  "# why\nno-such",
  "> log no-such",
  "`no-such`",
  "no\\-such",
];
test.each(unjudged)("%s is left to the shell", async (line) => {
  expect(await findProgram(line, { path: "/usr/bin:/bin", cwd })).toEqual({ word: undefined, found: true });
});

test("a word that looks like shell code is looked up and not run", async () => {
  const { found } = await findProgram("-p;touch${IFS}ran", { path: "/usr/bin:/bin", cwd });
  expect(found).toBe(false);
});
