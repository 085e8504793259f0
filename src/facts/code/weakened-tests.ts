import {
  type BaseFile,
  type CodeReading,
  type FileReading,
  type SymbolChange,
  weakensTests,
} from "../../model/code.js";
import { classOf } from "./patch/classes.js";

export interface WeakenedTest {
  path: string;
  line?: number;
  /** In words. */
  found: string;
}

/**
 * Tests that a run took away: deleted, moved out of the tests, emptied, skipped, asserting less, or in a file that nobody can
 * read any more. A test that went to another file as it was is not among them.
 * @param base texts of the commit it was made for
 */
export function weakenedTests({ files }: CodeReading, base: ReadonlyMap<string, BaseFile>): WeakenedTest[] {
  const tests = files.filter(isTest);
  const added = tests.flatMap(({ symbols }) => symbols.filter(({ status }) => status === "added"));
  const elsewhere = new Set(added.map(({ normal }) => normal));
  return tests.flatMap((file) => weakenedIn(file, base.get(file.oldPath ?? file.path), elsewhere));
}

/** A file that is or was for tests. */
function isTest({ fileClass, path, oldPath }: Pick<FileReading, "fileClass" | "path" | "oldPath">): boolean {
  return fileClass === "test" || classOf(oldPath ?? path) === "test";
}

/** True for files that may hold tests: Rust keeps them beside what they test. */
export function mayHoldTests(file: Pick<FileReading, "fileClass" | "path" | "oldPath">): boolean {
  return isTest(file) || file.path.endsWith(".rs");
}

function weakenedIn(file: FileReading, old: BaseFile | undefined, elsewhere: ReadonlySet<string>): WeakenedTest[] {
  const { path, oldPath, status, fileClass, symbols } = file;
  const lost = symbols.filter((each) => isLost(each, elsewhere));
  if (status === "deleted") {
    const hadTests = symbols.some(({ kind }) => kind !== "imports");
    return hadTests && lost.length === 0 ? [] : [{ path, found: "deleted" }];
  }
  if (fileClass !== "test") return [{ path: oldPath ?? path, found: `no test any more, but ${path}` }];
  if (status === "added" || old === undefined) return lost.map((each) => told(path, each));
  if (file.unread !== null) return "text" in old ? [{ path, found: `cannot be read any more: ${file.unread}` }] : [];
  if (file.broken !== null) return [{ path, line: file.broken, found: "does not parse any more" }];
  return lost.map((each) => told(path, each));
}

function isLost(change: SymbolChange, elsewhere: ReadonlySet<string>): boolean {
  if (change.kind === "imports" || !weakensTests(change)) return false;
  return change.status !== "removed" || !elsewhere.has(change.normal);
}

/** Where a removed test stood is no line of the file as it is. */
function told(path: string, { name, line, status, skips }: SymbolChange): WeakenedTest {
  if (status === "removed") return { path, found: `${name} removed` };
  return { path, line, found: skips > 0 ? `${name} skipped` : `${name} asserts less` };
}
