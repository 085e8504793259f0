import { createHash } from "node:crypto";
import { MultirunError, messageOf } from "../../model/error.js";
import { groupBy } from "../../model/groups.js";
import { longestTestId, mostTests, type TestResult } from "../../model/record.js";
import { redact, type Secret } from "../../model/secret.js";
import { compareText, visible } from "../../model/text.js";

/** A test as a report tells it. */
export interface FoundTest {
  /** File, suites and name, outermost first; parts may be empty or repeat one another. */
  path: string[];
  status: "pass" | "fail" | "skip" | "error";
}

/** Suites within suites; nobody nests deeper, and every level is part of each name below it. */
export const deepest = 20;
/** Results read from one report; several may be one test's. */
export const mostFound = 10 * mostTests;

export interface NamingOptions {
  /** Folders whose paths are left out of names, as they differ from run to run. */
  folders: readonly string[];
  /** Kept out of names. */
  secrets: readonly Secret[];
}

/**
 * Tests by ids that are equal in all runs, sorted. Of tests that share an id the worst result counts, as reports come in
 * any order. What merely sums up the tests below it is no test.
 * @throws MultirunError `bad_artifact` where there are more of them, or more levels, than anybody has
 */
export function nameTests(found: readonly FoundTest[], options: NamingOptions): TestResult[] {
  if (found.some(({ path }) => path.length > 2 * deepest)) {
    throw new MultirunError("bad_artifact", `its tests are nested deeper than ${2 * deepest} levels`);
  }
  if (found.length > mostFound) {
    throw new MultirunError("bad_artifact", `it has ${found.length} results, of which at most ${mostFound} are read`);
  }
  const named = found.map(({ path, status }) => ({ parts: partsOf(path, options), status }));
  const tests = withoutSums(named);
  const byId = groupBy(tests, ({ parts }) => shortened(parts.join(" › ")));
  if (byId.size > mostTests) {
    throw new MultirunError("bad_artifact", `it has ${byId.size} tests, of which at most ${mostTests} are kept`);
  }
  return [...byId]
    .map(([id, same]): TestResult => ({ id, status: worstOf(same.map(({ status }) => status)) }))
    .sort((a, b) => compareText(a.id, b.id));
}

interface NamedTest {
  parts: string[];
  status: FoundTest["status"];
}

function partsOf(path: readonly string[], { folders, secrets }: NamingOptions): string[] {
  const parts = path.map((part) => {
    const relative = folders.reduce((text, folder) => text.replaceAll(`${folder}/`, ""), part);
    return visible(redact(relative, secrets)).trim();
  });
  const told = parts.filter((part, at) => part !== "" && part !== parts[at - 1]);
  return told.length > 0 ? told : ["a test without a name"];
}

/** Subtests' parents end as their subtests do; one that fails by itself says something of its own. */
function withoutSums(tests: readonly NamedTest[]): NamedTest[] {
  const below = new Map<string, boolean>();
  for (const { parts, status } of tests) {
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = JSON.stringify(parts.slice(0, depth));
      below.set(parent, (below.get(parent) ?? false) || isFailing(status));
    }
  }
  return tests.filter(({ parts, status }) => {
    const failing = below.get(JSON.stringify(parts));
    return failing === undefined || (isFailing(status) && !failing);
  });
}

function isFailing(status: FoundTest["status"]): boolean {
  return status === "fail" || status === "error";
}

function worstOf(statuses: readonly FoundTest["status"][]): FoundTest["status"] {
  return (["error", "fail", "skip"] as const).find((status) => statuses.includes(status)) ?? "pass";
}

/** Names that are cut stay as different as they were. */
function shortened(name: string): string {
  if (name.length <= longestTestId) return name;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  // A character cut in half would be no text.
  const start = name.slice(0, longestTestId - mark.length - 2).replace(/[\ud800-\udbff]$/, "");
  return `${start}… ${mark}`;
}

/** What a parser said, without the passage of the document it shows. */
export function unreadable(form: string, error: unknown): MultirunError {
  const [said = ""] = messageOf(error).split("\n");
  return new MultirunError("bad_artifact", `it is no ${form}: ${visible(said).slice(0, 200)}`, { cause: error });
}
