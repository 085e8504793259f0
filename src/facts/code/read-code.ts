import { createHash } from "node:crypto";
import type { BaseFile, CodeReading, FileReading, PatchedFile, PatchState, SymbolChange } from "../../model/code.js";
import type { RunArtifacts } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import { differences } from "./differences.js";
import { splitInlineTests } from "./inline-tests.js";
import { withFragments } from "./patch/fragments.js";
import { unseen } from "./patch/frame.js";
import { readPatch } from "./patch/read-patch.js";
import { readText } from "./read-text.js";
import { Outline } from "./spans.js";
import type { CodeText } from "./syntax.js";
import type { Parse } from "./tree.js";
import { undefinedNames } from "./undefined-names.js";
import { unusedImports } from "./unused-imports.js";

/**
 * Reads what each run's patch does to the code: its files, and in those whose text is read every symbol that differs from
 * base. A text that several runs share is read once.
 * @param wanted the files that are read; all others are left out
 * @returns one reading for each run whose patch is known
 */
export function readCode(
  runs: readonly Pick<RunArtifacts, "id" | "patch" | "schema">[],
  base: ReadonlyMap<string, BaseFile> | null,
  parse: Parse,
  wanted: (file: PatchedFile) => boolean = () => true,
): CodeReading[] {
  const texts = withFragments(
    runs.flatMap(({ patch }) => patch ?? []),
    base,
  );
  const patches = runs.flatMap(({ id, patch, schema }) => {
    if (patch === null) return [];
    const reading = readPatch(patch, texts);
    // What migrations made of the database is read there.
    const files = reading.files
      .filter(wanted)
      .map((file) => (schema !== null && file.path.endsWith(".sql") ? { ...file, before: null, after: null } : file));
    return [{ ...reading, id, files }];
  });
  const read = readFiles(
    patches.flatMap(({ files }) => files),
    parse,
  );
  return patches.map(({ id, state, reason, files }): CodeReading => {
    const readings = files.flatMap((file) => read.get(file) ?? []);
    return { run: id, state: refined(state, readings), reason, files: readings };
  });
}

/** One file of base after the other, as what was read of it takes a hundred times its size. */
function readFiles(files: readonly PatchedFile[], parse: Parse): Map<PatchedFile, FileReading[]> {
  const read = new Map<PatchedFile, FileReading[]>();
  for (const same of groupBy(files, ({ path, oldPath }) => oldPath ?? path).values()) {
    const reader = new Reader(parse);
    for (const file of same) {
      read.set(file, reader.file(file));
      // All texts of all runs together are the most that is held here.
      [file.before, file.after] = [null, null];
    }
  }
  return read;
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

/** A text of base, read. */
interface Old {
  number: number;
  text: CodeText;
  outline: Outline | undefined;
}

class Reader {
  readonly #before = new Map<string, Old>();
  readonly #pairs = new Map<string, Read>();

  constructor(private readonly parse: Parse) {}

  /** A source file with tests in it is read as two: the program, and the tests. One of both may be missing. */
  file({ before, after, ...file }: PatchedFile): FileReading[] {
    const result = after === null ? null : createHash("sha256").update(after).digest("hex");
    const read = this.#between(file, { before, after, result });
    const { tests, ...said } = file.partial ? inPart(read) : read;
    if (file.fileClass !== "source" || tests.length === 0) {
      return [{ ...file, result, ...said, symbols: [...said.symbols, ...tests] }];
    }
    const beside: FileReading = {
      ...file,
      result,
      fileClass: "test",
      symbols: tests,
      broken: null,
      undefinedNames: [],
    };
    const isTestsOnly = file.status === "modified" && said.broken === null && said.symbols.length === 0;
    return isTestsOnly
      ? [beside]
      : [
          { ...file, result, ...said },
          { ...beside, added: 0, deleted: 0 },
        ];
  }

  #between(
    { path, oldPath }: Pick<PatchedFile, "path" | "oldPath">,
    { before, after, result }: Pick<PatchedFile, "before" | "after"> & Pick<FileReading, "result">,
  ): Read {
    if (before === null && after === null) return { symbols: [], tests: [], broken: null, undefinedNames: [] };
    const old = before === null ? undefined : this.#old(oldPath ?? path, before);
    const key = `${path}\u0001${old?.number ?? ""}\u0001${result}`;
    const known = this.#pairs.get(key);
    if (known) return known;
    const parts = after !== null && (oldPath ?? path) === path ? old?.outline?.differences(after) : undefined;
    const read = parts
      ? { ...parts, tests: [], broken: null }
      : whole(old?.text ?? null, after === null ? null : readText(path, after, this.parse));
    this.#pairs.set(key, read);
    return read;
  }

  #old(path: string, text: string): Old {
    const known = this.#before.get(text);
    if (known) return known;
    const read = readText(path, text, this.parse);
    // Where tests stand beside the program, only whole texts tell which is which.
    const outline = read.language === "rust" ? undefined : Outline.of(read, (part) => readText(path, part, this.parse));
    const old = { number: this.#before.size, text: read, outline };
    this.#before.set(text, old);
    return old;
  }
}

function whole(old: CodeText | null, now: CodeText | null): Read {
  const broken = old && old.broken.length > 0 ? null : (now?.broken[0] ?? null);
  const { program: symbols, tests } = splitInlineTests(differences(old, now), old, now);
  const unused = now ? unusedImports(symbols, now) : [];
  return {
    symbols,
    tests,
    broken,
    undefinedNames: now ? undefinedNames(old, now) : [],
    ...(unused.length > 0 ? { unusedImports: unused } : {}),
  };
}

/** What is not shown may define a name, end a bracket or hold another `yield`: nothing is said that it could undo. */
function inPart({ symbols, tests }: Read): Read {
  const known = (all: readonly SymbolChange[]) =>
    all.map((each) => ({
      ...each,
      name: placed(each.name),
      facts: each.facts.filter(({ kind }) => kind !== "generator"),
    }));
  return { symbols: known(symbols), tests: known(tests), broken: null, undefinedNames: [] };
}

/** A function whose name nobody shows is called by its place. */
function placed(name: string): string {
  return name.replace(unseenName, (_, line: string) => `<line ${line}>`);
}

const unseenName = new RegExp(`\\b${unseen}(\\d+)\\b`, "g");
