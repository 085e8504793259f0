import type { BaseFile } from "../../src/model/code.js";
import { randomOf } from "../../test/support/random.js";

export interface Amount {
  runs: number;
  /** Edited files, 25 changed lines in each. */
  files: number;
  /** New functions of each run, in one new file. */
  functions: number;
  /** Characters of a build folder in each patch. */
  build: number;
}

interface Language {
  ending: string;
  /** A function of nine lines; the second and third of its body are those that runs change. */
  body(name: string, at: number): string[];
  /** What they become. */
  answers: (own: string) => string[][];
}

const python: Language = {
  ending: "py",
  body: (name, at) => [
    `def ${name}(source, default):`,
    `    value = lookup(source, "key ${at}")`,
    "    if value is None:",
    "        return default",
    "    result = convert(value)",
    `    total = result + ${at}`,
    "    log(total)",
    "    return total",
    "",
  ],
  answers: (own) => [
    ["    if value is None:", '        raise ValueError("no value")', "    check(value)"],
    ["    if not isinstance(value, str):", '        raise TypeError("no text")', "    check(value)"],
    ['    value = value or "nothing"', "    check(value)", "    count(value)"],
    ["    if value is None:", `        raise KeyError("${own}")`, `    check(value, "${own}")`],
  ],
};

const script: Language = {
  ending: "ts",
  body: (name, at) => [
    `export function ${name}(source: Source, fallback: number) {`,
    `  const value = lookup(source, "key ${at}");`,
    "  if (value === null)",
    "    return fallback;",
    "  const result = convert(value);",
    `  const total = result + ${at};`,
    "  log(total);",
    "  return total;",
    "}",
  ],
  answers: (own) => [
    ["  if (value === null)", '    throw new RangeError("no value");', "  check(value);"],
    ['  if (typeof value !== "string")', '    throw new TypeError("no text");', "  check(value);"],
    ['  const known = value ?? "nothing";', "  check(known);", "  count(known);"],
    ["  if (value === null)", `    throw new Error("${own}");`, `  check(value, "${own}");`],
  ],
};

const functionsPerFile = 20;
/** Every fourth function is edited, two lines to three. */
const step = 4;

/** Runs that all edit the same functions, most of them in one of three ways. */
export function madeRuns({ runs, files, functions, build }: Amount): {
  base: Map<string, BaseFile>;
  patches: string[];
} {
  const random = randomOf(7);
  const base = new Map<string, BaseFile>();
  for (let file = 0; file < files; file++) {
    base.set(pathOf(file), {
      text: linesOf(file)
        .map((line) => `${line}\n`)
        .join(""),
    });
  }
  const patches = Array.from({ length: runs }, (_, run) => {
    const parts = Array.from({ length: files }, (_, file) => edited(file, run, random));
    return [...parts, added(functions, run), built(build)].join("");
  });
  return { base, patches };
}

const languageOf = (file: number) => (file % 2 === 0 ? python : script);
const pathOf = (file: number) => `src/part_${file}.${languageOf(file).ending}`;

function linesOf(file: number): string[] {
  return Array.from({ length: functionsPerFile }, (_, at) => languageOf(file).body(`part_${file}_${at}`, at)).flat();
}

function edited(file: number, run: number, random: () => number): string {
  const path = pathOf(file);
  const lines = linesOf(file);
  const hunks: string[] = [];
  for (let at = 0; at < functionsPerFile; at += step) {
    const start = at * 9;
    const answers = languageOf(file).answers(`run ${run}`);
    const answer = answers[random() < 0.1 ? 3 : Math.floor(random() * 3)] ?? [];
    const context = (from: number, to: number) => lines.slice(from, to).map((line) => ` ${line}\n`);
    const moved = (at / step) * (answer.length - 2);
    hunks.push(
      `@@ -${start + 1},7 +${start + 1 + moved},${5 + answer.length} @@\n`,
      ...context(start, start + 2),
      ...lines.slice(start + 2, start + 4).map((line) => `-${line}\n`),
      ...answer.map((line) => `+${line}\n`),
      ...context(start + 4, start + 7),
    );
  }
  return `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

function added(functions: number, run: number): string {
  const lines = Array.from({ length: functions }, (_, at) =>
    script.body(`${run % 2 ? "made" : "new"}${at}`, at),
  ).flat();
  return lines.length === 0 ? "" : newFile("src/added.ts", lines);
}

function built(characters: number): string {
  const line = `var a=${"x".repeat(90)};`;
  const lines = Array.from({ length: Math.ceil(characters / (line.length + 2)) }, () => line);
  return lines.length === 0 ? "" : newFile("build/lib/bundle.js", lines);
}

function newFile(path: string, lines: readonly string[]): string {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..3333333\n--- /dev/null\n+++ b/${path}\n`;
  return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
}
