import { expect, test } from "vitest";
import { loadGrammars } from "../../../../src/clients/grammars.js";
import { treeLanguages } from "../../../../src/facts/code/languages.js";
import { withFragments } from "../../../../src/facts/code/patch/fragments.js";
import { readPatch } from "../../../../src/facts/code/patch/read-patch.js";
import { readCode } from "../../../../src/facts/code/read-code.js";
import { createRepository } from "../../../support/repository.js";
import { run } from "../../../support/runs.js";

const patch = (path: string, ...hunks: string[]) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
const edit = (path: string, line: number, from: string, to: string, heading = "") =>
  patch(path, `@@ -${line} +${line} @@ ${heading}\n-${from}\n+${to}\n`);
const textOf = (path: string, ...patches: string[]) => withFragments(patches, null)?.get(path);

/** Patches that git makes of single lines changed in one text. */
function patchesOf(path: string, text: string, edits: readonly [from: string, to: string][]): string[] {
  const repository = createRepository({ [path]: text });
  return edits.map(([from, to]) => {
    expect(text.split(from)).toHaveLength(2);
    repository.write(path, text.replace(from, to));
    return `${repository.git("diff", "--unified=1")}\n`;
  });
}

async function read(patches: readonly string[]) {
  const { parse, close } = await loadGrammars(treeLanguages);
  const runs = patches.map((text, at) => ({ ...run(at + 1, {}), patch: text }));
  const readings = readCode(runs, null, parse);
  close();
  return readings.map(({ files }) =>
    files.flatMap(({ symbols, unread }) => unread ?? symbols.map(({ name, status }) => `${name} ${status}`)),
  );
}

test("what patches show of a file stands at its lines, what none shows is blank", () => {
  const text = textOf("a.txt.in", edit("a.txt.in", 2, "two", "zwei"), edit("a.txt.in", 4, "four", "vier"));
  expect(text).toEqual(undefined);
  expect(textOf("a.sh", edit("a.sh", 2, "two", "zwei"), edit("a.sh", 4, "four", "vier"))).toEqual({
    text: "\ntwo\n\nfour\n",
    partial: true,
  });
});

test("both sides of every run come from the same text, and the order of the patches means nothing", () => {
  const patches = [edit("a.py", 2, "two", "zwei"), edit("a.py", 4, "four", "vier")];
  const texts = withFragments(patches, null);
  expect(patches.map((each) => readPatch(each, texts).files.map(({ after }) => after))).toEqual([
    ["\nzwei\n\nfour\n"],
    ["\ntwo\n\nvier\n"],
  ]);
  expect(withFragments(patches.toReversed(), null)).toEqual(texts);
});

test("a last line without a newline is the end of the text", () => {
  const end = `${edit("a.py", 3, "    x = (1", "    x = (2", "def f():")}\\ No newline at end of file\n`;
  const patch = end.replace("-    x = (1\n", "-    x = (1\n\\ No newline at end of file\n");
  expect(readPatch(patch, withFragments([patch], null)).files[0]?.after).toBe("\ndef f():\n    x = (2");
});

test("a text of base that somebody has is taken as it is", () => {
  const base = new Map([["a.py", { text: "one\ntwo\n" }]]);
  expect(withFragments([edit("a.py", 2, "two", "zwei")], base)).toBe(base);
});

test("a patch that contradicts most others is unread, and they are read without it", async () => {
  const patches = [
    edit("a.py", 2, "two = 1", "two = 2"),
    edit("a.py", 2, "two = 1", "two = 3"),
    edit("a.py", 2, "other = 1", "other = 2"),
  ];
  expect(await read(patches)).toEqual([
    ["two edited"],
    ["two edited"],
    ["no base text, and other patches show other lines"],
  ]);
});

test("where as many patches say one thing as another none is believed", async () => {
  const reason = "no base text, and the patches contradict each other";
  expect(await read([edit("a.py", 2, "a", "b"), edit("a.py", 2, "c", "d")])).toEqual([[reason], [reason]]);
});

test("a cut patch does not apply, and shows nothing", () => {
  const cut = edit("a.py", 2, "two", "zwei").slice(0, -6);
  const texts = withFragments([cut, edit("a.py", 4, "four", "vier")], null);
  expect(readPatch(cut, texts).state).toBe("does not apply");
  expect(texts?.get("a.py")).toEqual({ text: "\n\n\nfour\n", partial: true });
});

test("a hunk far away costs no memory", () => {
  expect(textOf("a.py", edit("a.py", 900_000_000, "a", "b"))).toEqual({ unread: "too large" });
  const far = Array.from({ length: 200 }, (_, at) => edit(`a${at}.py`, 99_999, "a", "b")).join("");
  const texts = [...(withFragments([far], null) ?? [])];
  expect(texts.filter(([, text]) => "unread" in text).length).toBeGreaterThan(150);
});

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

const python = `import os

class Box:
    """Holds things.

    Many of them.
    """

    def first(self):
        """Says what

        is first.
        """
        value = 1
${lines(20, (at) => `        value += ${at}\n`)}        if value:
            other = dict(
                one=1,
                two=2,
            )
        else:
            other = None
        return other

${lines(20, (at) => `    x${at} = ${at}\n`)}
    def second(self):
        return 2


def third():
${lines(20, (at) => `    print(${at})\n`)}    return 3
`;

test("parts of a Python text read as what they are, wherever they begin", async () => {
  const patches = patchesOf("box.py", python, [
    ["        is first.\n", "        is the first.\n"],
    ["                two=2,\n", "                two=3,\n"],
    ["            other = None\n", "            other = {}\n"],
    ["        return 2\n", "        return 3\n"],
    ["    return 3\n", "    return 4\n"],
  ]);
  expect(await read(patches)).toEqual([
    ["Box.<line 11> text"],
    ["Box.<line 37> edited"],
    ["Box.<line 37> edited"],
    ["Box.second edited"],
    ["third edited"],
  ]);
});

const java = `class Box {
    /**
     * Says what
     * is first.
     */
    int first() {
${lines(20, (at) => `        add(${at});\n`)}        for (int i = 0; i < 3; i++) {
            call(() -> {
                inner(1);
            });
        }
        return 1;
    }

${lines(20, (at) => `    int x${at} = ${at};\n`)}
    int second() {
        return 2;
    }
}
`;

test("parts of a text with braces read as what they are, wherever they begin", async () => {
  const script = java
    .replaceAll("int first", "first")
    .replaceAll("int second", "second")
    .replace(/int x(\d+) = /g, "x$1 = ")
    .replace("int i", "let i")
    .replace("->", "=>");
  const edits: [string, string][] = [
    ["                inner(1);\n", "                inner(2);\n"],
    ["        return 2;\n", "        return 3;\n"],
  ];
  expect(await read(patchesOf("Box.java", java, edits))).toEqual([["Box.<line 28> edited"], ["Box.second edited"]]);
  expect(await read(patchesOf("box.ts", script, edits))).toEqual([["Box.<line 28> edited"], ["Box.second edited"]]);
  const go = `package a\n\nfunc third() int {\n${lines(20, (at) => `\tprint(${at})\n`)}\tif ok {\n\t\treturn 2\n\t}\n\treturn 3\n}\n`;
  expect(await read(patchesOf("a.go", go, [["\t\treturn 2\n", "\t\treturn 4\n"]]))).toEqual([["third edited"]]);
});
