import { expect, test } from "vitest";
import { loadGrammars } from "../../../src/clients/grammars.js";
import { readCode } from "../../../src/facts/code/read-code.js";
import type { Language } from "../../../src/facts/code/syntax.js";
import type { SymbolChange } from "../../../src/model/code.js";
import { runId } from "../../../src/model/ids.js";

const rust: Language[] = ["rust"];
const { parse } = await loadGrammars(rust);
const path = "src/config.rs";
const lines = (body: string, marks = "", assertion = 'assert_eq!(load("a"), 1);') =>
  [
    "pub fn load(text: &str) -> u32 {",
    `    ${body}`,
    "}",
    "",
    "#[cfg(test)]",
    "mod tests {",
    "    use super::*;",
    "",
    "    #[test]",
    ...(marks === "" ? [] : [`    ${marks}`]),
    "    fn loads() {",
    `        ${assertion}`,
    "    }",
    "}",
  ].join("\n");

const said = ({ name, asserts, skips }: SymbolChange) =>
  `${name}${asserts < 0 ? " asserts less" : ""}${skips > 0 ? " is skipped" : ""}`;

function reading(after: string) {
  const [before, now] = [lines("1"), after].map((text) => text.split("\n"));
  const hunk = `@@ -1,${before?.length} +1,${now?.length} @@\n`;
  const body = [...(before ?? []).map((line) => `-${line}`), ...(now ?? []).map((line) => `+${line}`)].join("\n");
  const end = "\n\\ No newline at end of file";
  const marked = body.replace("\n+", `${end}\n+`);
  const patch = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}${marked}${end}\n`;
  const run = { id: runId.parse("r01"), patch, schema: null } as Parameters<typeof readCode>[0][number];
  const [read] = readCode([run], new Map([[path, { text: lines("1") }]]), parse);
  return { state: read?.state, files: read?.files.map(({ fileClass, symbols }) => [fileClass, symbols.map(said)]) };
}

test("Rust's tests are tests although they stand in the file of what they test", () => {
  expect(reading(lines("2", "#[ignore]"))).toEqual({
    state: "changed",
    files: [
      ["source", ["load"]],
      ["test", ["tests.loads is skipped"]],
    ],
  });
});

test("A run that changes nothing but tests in a source file changes tests only", () => {
  expect(reading(lines("1", "", 'load("a");'))).toEqual({
    state: "tests only",
    files: [["test", ["tests.loads asserts less"]]],
  });
});

test("What is no test but stands behind an attribute stays part of the program", () => {
  const marked = lines("1").replace("pub fn load", '#[cfg(feature = "test")]\npub fn load');
  expect(reading(marked)).toEqual({ state: "changed", files: [["source", ["load"]]] });
});
