import { z } from "zod";
import type { RunId } from "./ids.js";

/**
 * What a file is for. `scratch` are programs a run wrote for itself: new, used by nothing. Generated, vendored and lock
 * files are written by tools.
 */
export type FileClass = "source" | "test" | "scratch" | "generated" | "vendored" | "lock" | "docs" | "config" | "other";

/** Characters of a text that is read, and bytes of one that is kept. */
export const largestText = 1_000_000;
/** Bytes of all texts of base that are kept. */
export const largestBase = 50_000_000;

const baseFile = z.union([
  z.strictObject({ text: z.string().max(largestText) }),
  z.strictObject({ unread: z.string().max(1_000) }),
]);

/** A file of the commit all runs started from, or why it could not be read. */
export type BaseFile = z.infer<typeof baseFile>;

/** `base/files.json`: of the files that runs touch, those that are read, by path. */
export const baseFilesSchema = z
  .strictObject({ version: z.literal(1), files: z.record(z.string().max(10_000), baseFile) })
  .refine(({ files }) => sizeOf(Object.values(files)) <= largestBase, {
    error: `at most ${largestBase} characters in all`,
  });

function sizeOf(files: readonly BaseFile[]): number {
  return files.reduce((sum, file) => sum + ("text" in file ? file.text.length : 0), 0);
}

/** One file a run's patch touches. */
export interface PatchedFile {
  path: string;
  /** Where it was moved or copied from. */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed" | "copied";
  fileClass: FileClass;
  /** Lines; counted for all classes. */
  added: number;
  deleted: number;
  /** Null: it was not there, its class is only counted, or it is `unread`. */
  before: string | null;
  after: string | null;
  /** True where nobody has base's text: both are what the patches of all runs show of it. */
  partial?: true;
  /** Why there are no texts although its class is read: `no base text`, `binary`, `does not apply at line 12`. */
  unread: string | null;
}

/**
 * What a run's patch comes to as a whole. `text only` (comments and layout) is found when symbols are compared; until then
 * such a patch is `changed`.
 */
export type PatchState =
  | "changed"
  | "text only"
  | "tests only"
  | "scratch only"
  | "generated only"
  | "other files only"
  | "no patch"
  | "does not apply";

export interface PatchReading {
  state: PatchState;
  /** Why, where something does not apply. */
  reason: string | null;
  /** By path. */
  files: PatchedFile[];
}

/** What titles and labels of a code fact can speak of. Names come between back-ticks; whoever renders them escapes them. */
export interface CodeWords {
  slot: string;
  /** Where it is: ` in \`Request.__init__\``, or "" where it is in several places. */
  where: string;
  /** True where base had it and the run has not. */
  gone: boolean;
}

/** What is known of a kind of code fact without reading any code. */
export interface CodeKindWords {
  kind: string;
  /**
   * How much it says about what the run decided: 3 what callers see (errors, defaults, values), 2 which way it works,
   * 1 detail, below .5 only evidence for alignment, never a row.
   */
  weight: number;
  /** `value`: one slot has one of several values. `presence`: it is there or not. */
  answer: "value" | "presence";
  /** `symbol`: it means something in its symbol only, and only runs that touch the symbol are asked. `anywhere`: all are. */
  scope: "symbol" | "anywhere";
  /** True where losing what base had is news of its own. */
  loss: boolean;
  /**
   * True where it repeats text (an assignment, arguments, a returned expression) rather than naming a choice: such facts
   * make a row only where no elementary fact of the same symbol explains the split.
   */
  textual?: boolean;
  /** The question, at most 80 characters: `What does \`encoding\` fall back to?` */
  title(words: CodeWords): string;
  /** A choice in plain words: `utf-8`, `raises \`ValueError\``. */
  label(value: string, words: CodeWords): string;
  /** The words for not having it: `no fallback`. */
  absent(words: CodeWords): string;
}

/** What a run's symbol says and the same symbol of base does not, or (`gone`) the reverse. */
export interface CodeFact {
  kind: string;
  /** What it is about, the same in all runs that speak of it. */
  slot: string;
  /** What is said of it, comparable between runs. */
  value: string;
  /** The same with the names this run uses. */
  shown: string;
  gone: boolean;
  /** True where it says little by itself. */
  slight: boolean;
  /** Counted from 1, in the run's text, or in base's where it is gone. */
  line: number;
}

/** One function, class head, top-level value, the imports or the rest of one file, and what a run did to it. */
export interface SymbolChange {
  /** Within its file: `Class.method`. */
  name: string;
  kind: "function" | "class" | "type" | "value" | "imports" | "code";
  /** `text`: comments, layout or documentation only. */
  status: "edited" | "added" | "removed" | "text";
  /** Its name after the run, where that is another one or it belongs to something else now; undefined where it stayed. */
  movedTo?: string;
  /** True where base has it and its doc comment or docstring is another one now. */
  documented?: boolean;
  facts: CodeFact[];
  /** Hash of its normal form: equal means the same program text but for layout, comments and local names. */
  normal: string;
  /** Its text after the run (before it, where removed), cut at 20,000 characters. */
  text: string;
  line: number;
  endLine: number;
  /** Names that are used more or less often than before, sorted. */
  identifiers: string[];
  /** The statement of base behind which the run inserted and changed nothing else; null where it did more. */
  position: string | null;
  /** Asserting calls and skip marks, after minus before. */
  asserts: number;
  skips: number;
  exported: boolean;
}

/** True where a symbol of the tests is gone, skipped, or asserts less than before; what only moved is still there. */
export function weakensTests({ status, asserts, skips }: SymbolChange): boolean {
  return status === "removed" || (status === "edited" && (asserts < 0 || skips > 0));
}

export interface FileReading {
  path: string;
  oldPath: string | null;
  status: PatchedFile["status"];
  fileClass: FileClass;
  added: number;
  deleted: number;
  /** Why its text is not known; null where it was read or needs no reading. */
  unread: string | null;
  /** True where it was read in what the patches show of base's text: of what they do not show nothing is known. */
  partial?: true;
  symbols: SymbolChange[];
  /** First line that does not parse although base does; null where all parses. */
  broken: number | null;
  /** Names that are used and that nothing at hand defines. */
  undefinedNames: { name: string; line: number }[];
  /** Names that are newly imported and stand nowhere else in the file; undefined for none. */
  unusedImports?: string[];
  /** Hash of the resulting text; null where it is not known. */
  result: string | null;
}

/** Everything that was read in the patch of one run. */
export interface CodeReading {
  run: RunId;
  state: PatchState;
  /** Why, where something does not apply. */
  reason: string | null;
  files: FileReading[];
}
