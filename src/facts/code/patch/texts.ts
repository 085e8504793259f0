import { type BaseFile, largestText } from "../../../model/code.js";
import { applyHunks } from "./apply.js";
import { hunksOf } from "./hunks.js";
import { startsOf } from "./lines.js";
import type { FileChange } from "./parse.js";

/** Nobody wrote a longer line by hand. */
const longestLine = 100_000;
/** Characters of one file's part of a patch: what gives two texts within the limit needs no more. */
export const largestPart = 4 * largestText;

/** A file at one moment; null: it is not there. */
export type Content = { text: string | null; partial?: true } | { unread: string };

export interface Texts {
  before: Content;
  after: Content;
}

export const noBaseText = "no base text";
export const notApplying = "does not apply";
const alreadyThere = `${notApplying}: the file is there already`;
const notThere = `${notApplying}: the file is not there`;

/** What a change makes of a file. A file that cannot be read afterwards is of no use before either. */
export function textsOf(change: FileChange, before: Content): Texts {
  const refused = refusalOf(change);
  if (refused !== undefined) return unreadTexts(refused);
  if (change.status === "deleted") return deletion(change, before);
  if ("unread" in before) return unreadTexts(before.unread);
  const isThere = before.text !== null;
  if (isThere === (change.status === "added")) return unreadTexts(isThere ? alreadyThere : notThere);
  const applied = applyHunks(change, before.text ?? "");
  if ("line" in applied) return unreadTexts(`${notApplying} at line ${applied.line}`);
  return checked(before, before.partial ? { ...applied, partial: true } : applied);
}

export function unreadTexts(unread: string): Texts {
  return { before: { unread }, after: { unread } };
}

/** What was deleted stands in the patch. */
function deletion(change: FileChange, before: Content): Texts {
  const nothing = { text: null };
  const known = !("unread" in before);
  if (!known && !before.unread.startsWith(noBaseText)) return unreadTexts(before.unread);
  if (known && before.text === null) return unreadTexts(notThere);
  const told = toldText(change);
  if (!known) return told === undefined ? unreadTexts(noBaseText) : checked({ text: told }, nothing);
  if (change.body.broken === null && told === "") return checked(before, nothing);
  const applied = applyHunks(change, before.text ?? "");
  return "line" in applied ? unreadTexts(`${notApplying} at line ${applied.line}`) : checked(before, nothing);
}

/** All lines a deletion takes away; undefined where it is cut off. */
function toldText({ body, crlf }: FileChange): string | undefined {
  if (body.broken !== null) return undefined;
  const lines: string[] = [];
  for (const hunk of hunksOf(body, crlf)) for (const { text } of hunk.lines) lines.push(text);
  return lines.join("");
}

function refusalOf({ kind, binary, body }: FileChange): string | undefined {
  if (kind !== "file") return kind === "link" ? "symbolic link" : "submodule";
  if (binary) return "binary";
  return body.text.length > largestPart ? "too large" : undefined;
}

type Known = Exclude<Content, { unread: string }>;

function checked(before: Known, after: Known): Texts {
  const problem = problemOf(before.text ?? "") ?? problemOf(after.text ?? "");
  return problem === undefined ? { before, after } : unreadTexts(problem);
}

function problemOf(text: string): string | undefined {
  if (text.length > largestText) return "too large";
  if (text.includes("\0")) return "binary";
  return hasLongLine(text) ? "lines too long" : undefined;
}

function hasLongLine(text: string): boolean {
  if (text.length <= longestLine) return false;
  return startsOf(text).some((start, line, starts) => (starts[line + 1] ?? start) - start > longestLine);
}

export function contentOf(file: BaseFile | undefined): Content {
  return file === undefined ? { unread: noBaseText } : file;
}
