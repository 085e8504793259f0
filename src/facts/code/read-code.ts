import { createHash } from "node:crypto";
import type { BaseFile, CodeReading, FileReading, PatchedFile, PatchState, SymbolChange } from "../../model/code.js";
import type { RunArtifacts } from "../../model/fact.js";
import { differences } from "./differences.js";
import { splitInlineTests } from "./inline-tests.js";
import { readPatch } from "./patch/read-patch.js";
import { readText } from "./read-text.js";
import type { CodeText } from "./syntax.js";
import type { Parse } from "./tree.js";
import { undefinedNames } from "./undefined-names.js";
import { unusedImports } from "./unused-imports.js";

/**
 * Reads what each run's patch does to the code: its files, and in those whose text is read every symbol that differs from
 * base. A text that several runs share is read once.
 * @returns one reading for each run whose patch is known
 */
export function readCode(
  runs: readonly RunArtifacts[],
  base: ReadonlyMap<string, BaseFile> | null,
  parse: Parse,
): CodeReading[] {
  const reader = new Reader(parse);
  return runs.flatMap(({ id, patch, schema }): CodeReading[] => {
    if (patch === null) return [];
    const { state, reason, files } = readPatch(patch, base);
    // What migrations made of the database is read there.
    const told = (file: PatchedFile) => schema !== null && file.path.endsWith(".sql");
    const readings = files.flatMap((file) => reader.file(told(file) ? { ...file, before: null, after: null } : file));
    return [{ run: id, state: refined(state, readings), reason, files: readings }];
  });
}

/** Comments and layout alone change nothing of the program. */
function refined(state: PatchState, files: readonly FileReading[]): PatchState {
  if (state !== "changed") return state;
  const sources = files.filter(({ fileClass }) => fileClass === "source");
  if (sources.length === 0) return "tests only";
  const unknown = sources.some(({ unread }) => unread !== null);
  const changes = sources.some(
    ({ symbols, status }) => status === "renamed" || symbols.some((each) => each.status !== "text"),
  );
  return changes || unknown ? "changed" : "text only";
}

/** What of a file both sides say, kept by the texts themselves. */
type Read = Pick<FileReading, "symbols" | "broken" | "undefinedNames" | "unusedImports"> & {
  /** Changes of tests that stand in the file of what they test. */
  tests: SymbolChange[];
};

class Reader {
  readonly #texts = new Map<string, CodeText>();
  readonly #pairs = new Map<string, Read>();

  constructor(private readonly parse: Parse) {}

  /** A source file with tests in it is read as two: the program, and the tests. One of both may be missing. */
  file({ before, after, ...file }: PatchedFile): FileReading[] {
    const { path, oldPath, status, fileClass, added, deleted, unread } = file;
    const result = after === null ? null : hash(after);
    const { tests, ...said } = this.#between(oldPath ?? path, path, { before, after });
    const whole = { path, oldPath, status, fileClass, added, deleted, unread, result, ...said };
    if (fileClass !== "source" || tests.length === 0) return [{ ...whole, symbols: [...said.symbols, ...tests] }];
    const beside: FileReading = {
      ...whole,
      fileClass: "test",
      added: 0,
      deleted: 0,
      symbols: tests,
      broken: null,
      undefinedNames: [],
    };
    delete beside.unusedImports;
    const isTestsOnly = status === "modified" && said.broken === null && said.symbols.length === 0;
    return isTestsOnly ? [{ ...beside, added, deleted }] : [whole, beside];
  }

  #between(oldPath: string, path: string, { before, after }: Pick<PatchedFile, "before" | "after">): Read {
    if (before === null && after === null) return { symbols: [], tests: [], broken: null, undefinedNames: [] };
    const key = [oldPath, path, before === null ? "" : hash(before), after === null ? "" : hash(after)].join("\u0001");
    const known = this.#pairs.get(key);
    if (known) return known;
    const [old, now] = [this.#text(oldPath, before), this.#text(path, after)];
    const broken = old && old.broken.length > 0 ? null : (now?.broken[0] ?? null);
    const { program: symbols, tests } = splitInlineTests(differences(old, now), old, now);
    const unused = now ? unusedImports(symbols, now) : [];
    const read: Read = {
      symbols,
      tests,
      broken,
      undefinedNames: now ? undefinedNames(old, now) : [],
      ...(unused.length > 0 ? { unusedImports: unused } : {}),
    };
    this.#pairs.set(key, read);
    return read;
  }

  #text(path: string, text: string | null): CodeText | null {
    if (text === null) return null;
    const key = `${path}\u0001${hash(text)}`;
    const known = this.#texts.get(key) ?? readText(path, text, this.parse);
    this.#texts.set(key, known);
    return known;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
