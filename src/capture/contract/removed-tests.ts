import { classOf } from "../../facts/code/patch/classes.js";
import { changedLines, type PatchLine } from "../../facts/patch-lines.js";
import type { Violation } from "../../model/record.js";

/** How tests begin, with their names: functions called test…, and calls that are given a sentence. */
const named = [
  /\b(?:def|func|fn|function|fun|void|sub)\s+(test\w*|Test\w*)/,
  /^\s*(?:it|test|specify|scenario)(?:\.\w+)*[\s(]+(["'`])(?<name>.+?)\1/,
];
/** Marks that make the function below them a test, whatever it is called. */
const marks =
  /^\s*(?:@(?:Test|ParameterizedTest|RepeatedTest)\b|\[(?:Test|TestCase|Fact|Theory|TestMethod)\b|#\[(?:\w+::)?test\b)/;

/**
 * Tests whose beginnings a patch takes away and nowhere adds again, by lines: a test that is moved or changed inside is
 * still there. Where a mark alone tells a test, so many are missing as marks were not put back.
 */
export function removedTests(patch: string): Omit<Violation, "rule">[] {
  const files = changedLines(patch, (path) => classOf(path) === "test" || path.endsWith(".rs"));
  const added = new Set(files.flatMap((file) => namesIn(file.added)));
  const named = files.flatMap(({ path, removed }) =>
    [...new Set(namesIn(removed))].filter((name) => !added.has(name)).map((found) => ({ path, found })),
  );
  const lost = files.map((file) => ({ path: file.path, count: marksIn(file.removed) - marksIn(file.added) }));
  const marked = new Set(lost.filter(({ count }) => count > 0).map(({ path }) => path));
  const told = named.filter(({ path }) => marked.has(path)).length;
  const unnamed = lost.reduce((sum, { count }) => sum + count, 0) - told;
  const [most] = lost.sort((a, b) => b.count - a.count);
  if (unnamed <= 0 || !most) return named;
  return [...named, { path: most.path, found: unnamed === 1 ? "1 test" : `${unnamed} tests` }];
}

function marksIn(lines: readonly PatchLine[]): number {
  return lines.filter(({ text }) => marks.test(text)).length;
}

function namesIn(lines: readonly PatchLine[]): string[] {
  return lines.flatMap(({ text }) => nameIn(text) ?? []);
}

function nameIn(line: string): string | undefined {
  for (const pattern of named) {
    const match = pattern.exec(line);
    if (match) return match.groups?.["name"] ?? match[1];
  }
  return undefined;
}
