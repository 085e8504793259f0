import { readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import picomatch from "picomatch";
import { readPlainFile } from "../../clients/files.js";
import type { ReportFormat } from "../../model/config.js";
import { codeOf, MultirunError, messageOf } from "../../model/error.js";
import type { CheckReport } from "../../model/experiment.js";
import type { CheckResult } from "../../model/record.js";
import { redact, type Secret } from "../../model/secret.js";
import { type FoundTest, nameTests } from "./found.js";
import { eventIn, readGo } from "./go.js";
import { readJest } from "./jest.js";
import { readJUnit } from "./junit.js";
import { readTap } from "./tap.js";

/** Five thousand tests with long failures take a tenth of it; more would keep us busy for seconds. */
export const reportLimitBytes = 8 * 1024 * 1024;
/** One for each class of tests, and there are large projects. */
const mostFiles = 2_000;
/** What stands for the output of the check itself. */
export const printed = "-";

export interface ReportPlace {
  report: CheckReport;
  /** The workspace, as an absolute path. */
  repo: string;
  secrets: readonly Secret[];
}

/** What a check's report says, or why it says nothing. */
export type Told = Pick<CheckResult, "tests" | "unread">;

/**
 * Takes away what stands in a report's place before the check runs: what the agent wrote there is no result. Links are
 * not followed, as they lead to files of somebody else.
 * @returns why nothing in that place can be believed
 */
export function clearReport(place: ReportPlace): Promise<Told> {
  if (place.report.path === printed) return Promise.resolve({});
  return orReason(place, async () => {
    for (const path of await pathsOf(place)) await rm(path, { force: true });
    return {};
  });
}

/** Reads what the check wrote. Nothing in it is believed to be well meant: it is bounded, redacted, and only names and results are taken. */
export function readReport(place: ReportPlace, log: { path: string; droppedBytes: number }): Promise<Told> {
  return orReason(place, async () => {
    const texts = place.report.path === printed ? [await outputOf(log)] : await textsOf(place);
    const found = texts.flatMap((text) => readerOf(place.report.format ?? formatOf(text))(text));
    const folders = [place.repo, await realpath(place.repo)];
    return { tests: nameTests(found, { folders, secrets: place.secrets }) };
  });
}

async function outputOf({ path, droppedBytes }: { path: string; droppedBytes: number }): Promise<string> {
  if (droppedBytes > 0) throw new MultirunError("bad_artifact", `the check prints more than ${reportLimitBytes} bytes`);
  return (await readPlainFile(path, "it")) ?? "";
}

/** Of all files together, as of one. */
async function textsOf(place: ReportPlace): Promise<string[]> {
  const texts: string[] = [];
  let left = reportLimitBytes;
  for (const path of await pathsOf(place)) {
    const text = await readPlainFile(path, texts.length === 0 ? "it" : basename(path), left);
    if (text === undefined) continue;
    texts.push(text);
    left -= Buffer.byteLength(text);
  }
  if (texts.length === 0) throw new MultirunError("bad_artifact", "the check did not write it");
  return texts;
}

/** The place itself, or all files there whose names fit, with no link on the way from the workspace to them. */
async function pathsOf({ repo, report }: ReportPlace): Promise<string[]> {
  const path = join(await realpath(dirname(repo)), basename(repo), report.path);
  const folder = dirname(path);
  try {
    if ((await realpath(folder)) !== folder) throw new MultirunError("bad_artifact", "a link stands in its path");
    if (!basename(path).includes("*")) return [path];
    const fitting = picomatch(basename(path), { dot: true, nobrace: true, noextglob: true });
    const names = (await readdir(folder)).filter((name) => fitting(name)).sort();
    if (names.length > mostFiles) throw new MultirunError("bad_artifact", `more than ${mostFiles} files fit it`);
    return names.map((name) => join(folder, name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** A report never ends a check, whatever is wrong with it; neither does a parser that runs out of stack in it. */
async function orReason({ secrets, report }: ReportPlace, work: () => Promise<Told>): Promise<Told> {
  try {
    return await work();
  } catch (error) {
    return { unread: redact(`${report.path}: ${messageOf(error).slice(0, 500)}`, secrets) };
  }
}

function readerOf(format: ReportFormat): (text: string) => FoundTest[] {
  return { junit: readJUnit, pytest: readJUnit, tap: readTap, jest: readJest, vitest: readJest, go: readGo }[format];
}

/** By what it holds, where nobody says. */
function formatOf(text: string): ReportFormat {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith("<")) return "junit";
  if (/^(?:TAP version \d+|\d+\.\.\d+|(?:not )?ok\b)/m.test(text)) return "tap";
  if (text.split("\n").some((line) => eventIn(line) !== undefined)) return "go";
  if (start.startsWith("{")) return "jest";
  throw new MultirunError("bad_artifact", "nobody says what form it has, and it does not show");
}
