import { expect, test } from "vitest";
import { languageOf } from "../../../src/facts/code/languages.js";

test("A file's name tells its language", () => {
  const told = ["a/b.py", "a.PYI", "a.mjs", "a.mts", "a.tsx", "a.go", "A.java", "a.rs", "Rakefile", "x/a.php", "A.cs"];
  expect(told.map((path) => languageOf(path))).toEqual([
    "python",
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "rust",
    "ruby",
    "php",
    "c-sharp",
  ]);
});

test("A file without an ending is told by its first line", () => {
  expect(languageOf("bin/run", "#!/usr/bin/env python3\nx = 1\n")).toBe("python");
  expect(languageOf("bin/run", "#!/usr/bin/env -S node --no-warnings\n")).toBe("javascript");
  expect(languageOf("bin/run", "#!/usr/bin/ruby2.7\n")).toBe("ruby");
  expect(languageOf("bin/run", "#!/bin/sh\n")).toBe(null);
});

test("What no table knows has no language, names of an object's own properties among them", () => {
  for (const path of ["README.md", "constructor", "a.constructor", "a.toString", ".py", "Makefile", ""]) {
    expect(languageOf(path)).toBe(null);
  }
});
