import type { RunArtifacts } from "../model/fact.js";
import type { RunId } from "../model/ids.js";
import type { Decision, Option } from "../model/report.js";
import { hunksOf } from "./code/patch/hunks.js";
import { parsePatch } from "./code/patch/parse.js";

/** Lines of an excerpt, and characters of one of them. */
const mostLines = 12;
const longestLine = 200;

type Evidence = Decision["facts"][number]["evidence"][number];

/**
 * Gives each option the text of the first of its runs that can show it: the changed lines around the place its first fact
 * was read from. Options that consist in not having something have none.
 */
export function tellExcerpts(decisions: readonly Decision[], runs: readonly RunArtifacts[]): Decision[] {
  const byRun = new Map(runs.map((run) => [run.id, run]));
  const hunks = new Map<RunId, Map<string, Excerpted[]>>();
  const changesOf = (run: RunArtifacts) => {
    const known = hunks.get(run.id) ?? excerptsOf(run);
    hunks.set(run.id, known);
    return known;
  };
  return decisions.map((decision) => ({
    ...decision,
    options: decision.options.map((option) => {
      const excerpt = excerptOf(option, decision.facts[0]?.evidence ?? [], (run) => {
        const artifacts = byRun.get(run);
        return artifacts ? changesOf(artifacts) : undefined;
      });
      return excerpt ? { ...option, excerpt } : option;
    }),
  }));
}

function excerptOf(
  { runs }: Option,
  evidence: readonly Evidence[],
  changesOf: (run: RunId) => ReadonlyMap<string, Excerpted[]> | undefined,
): Option["excerpt"] {
  const placed = evidence.flatMap(({ run, file, line }) => (line === null ? [] : [{ run, file, line }]));
  for (const run of placed.length === 0 ? [] : runs) {
    for (const { file, line } of placed.filter((each) => each.run === run)) {
      const hunk = changesOf(run)
        ?.get(file)
        ?.find((each) => holds(each, line));
      if (hunk) return { run, file, line, text: textAround(hunk, line) };
    }
  }
  return undefined;
}

/** One stretch of changed lines: with their signs, and where they stand before and after. */
interface Excerpted {
  lines: { text: string; before: number; after: number }[];
}

function holds({ lines }: Excerpted, line: number): boolean {
  return lines.some(({ text, before, after }) => (text.startsWith("-") ? before : after) === line);
}

/** The lines around the place, those before it first where all would be too long. */
function textAround({ lines }: Excerpted, line: number): string {
  const at = lines.findIndex(({ text, before, after }) => (text.startsWith("-") ? before : after) === line);
  const from = Math.max(0, Math.min(at - 3, lines.length - mostLines));
  return lines
    .slice(from, from + mostLines)
    .map(({ text }) => text.slice(0, longestLine))
    .join("\n");
}

function excerptsOf({ patch, sql }: RunArtifacts): Map<string, Excerpted[]> {
  const found = new Map<string, Excerpted[]>();
  for (const { path, body, crlf } of patch === null ? [] : parsePatch(patch)) {
    const stretches: Excerpted[] = [];
    for (const { oldStart, newStart, lines } of hunksOf(body, crlf)) {
      let [before, after] = [oldStart, newStart];
      const told: Excerpted["lines"] = [];
      for (const { sign, text } of lines) {
        told.push({ text: `${sign}${text.replace(/\r?\n$/, "")}`, before, after });
        if (sign !== "+") before += 1;
        if (sign !== "-") after += 1;
      }
      stretches.push({ lines: told });
    }
    found.set(path, stretches);
  }
  if (sql) {
    const lines = sql.text.split("\n").map((text, at) => ({ text: ` ${text}`, before: at + 1, after: at + 1 }));
    found.set(sql.file, [{ lines }]);
  }
  return found;
}
