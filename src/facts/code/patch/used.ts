import { classOf, isNamedScratch, isRead, mayBeScratch } from "./classes.js";
import { hunksOf } from "./hunks.js";
import type { FileChange } from "./parse.js";

/** Lines that may bring in another file: by the words of some language, or by a file's name. */
const bringing =
  /\b(?:import|from|require|require_relative|include|use|load|source)\b|\.(?:[cm]?[jt]sx?|py|rb|php|lua|pl|sh)\b/;
/** Nobody imports anything in longer lines. */
const longestLine = 2_000;

export function isFresh({ status }: Pick<FileChange, "status">): boolean {
  return status === "added" || status === "copied";
}

/**
 * Which of the new programs that would be scratch are used after all: another changed file names them, or, where nothing in
 * their names says scratch, they are all the source there is. A test is run without being named: it is one where the
 * project's own code lies beside it.
 */
export function usedPrograms(changes: readonly FileChange[]): (path: string) => boolean {
  const candidates = changes.filter((change) => isFresh(change) && mayBeScratch(change.path));
  if (candidates.length === 0) return () => true;
  const unsure = new Set(candidates.map(({ path }) => path));
  const others = changes.filter(({ path }) => !unsure.has(path));
  const classes = others.map((change) => classOf(change.path, { fresh: isFresh(change) }));
  const words = wordsIn(others.filter((_, at) => isRead(classes[at] ?? "other")));
  const alone = !classes.includes("source");
  const flat = others.some(
    ({ path, status }, at) => status === "modified" && classes[at] === "source" && !path.includes("/"),
  );
  const fits = (path: string) => (classOf(path) === "test" ? flat : alone) && !isNamedScratch(path);
  return (path) => !unsure.has(path) || words.has(stemOf(path)) || fits(path);
}

function wordsIn(changes: readonly FileChange[]): Set<string> {
  const words = new Set<string>();
  for (const { body, crlf } of changes) {
    for (const { lines } of hunksOf(body, crlf)) {
      for (const { sign, text } of lines) {
        if (sign !== "+" || text.length > longestLine || !bringing.test(text)) continue;
        for (const [word] of text.matchAll(/[\w-]+/g)) words.add(word);
      }
    }
  }
  return words;
}

function stemOf(path: string): string {
  return path.replace(/^.*\//s, "").replace(/\.\w+$/, "");
}
