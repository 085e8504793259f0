import { type BaseFile, largestText } from "../../../model/code.js";
import { applyHunks } from "./apply.js";
import { hunksOf } from "./hunks.js";
import type { FileChange } from "./parse.js";

/** Nobody wrote a longer line by hand. */
const longestLine = 100_000;
/** Characters of one file's part of a patch: what gives two texts within the limit needs no more. */
const largestPart = 4 * largestText;

/** A file at one moment; null: it is not there. */
export type Content = { text: string | null } | { unread: string };

export interface Texts {
  before: Content;
  after: Content;
}

export const noBaseText = "no base text";
export const notApplying = "does not apply";

/** What a change makes of a file. A file that cannot be read afterwards is of no use before either. */
export function textsOf(change: FileChange, before: Content): Texts {
  const refused = refusalOf(change);
  if (refused !== undefined) return unreadTexts(refused);
  if (change.status === "deleted") return deletion(change, before);
  if ("unread" in before) return unreadTexts(before.unread);
  if (before.text === null && !isAddition(change)) return unreadTexts(`${notApplying}: the file is not there`);
  const applied = applyHunks(change, before.text ?? "");
  if ("line" in applied) return unreadTexts(`${notApplying} at line ${applied.line}`);
  return checked(before, applied);
}

function isAddition({ status }: FileChange): boolean {
  return status === "added";
}

export function unreadTexts(unread: string): Texts {
  return { before: { unread }, after: { unread } };
}

/** What was deleted stands in the patch. */
function deletion(change: FileChange, before: Content): Texts {
  const nothing = { text: null };
  const known = !("unread" in before);
  if (!known && before.unread !== noBaseText) return unreadTexts(before.unread);
  if (known && before.text === null) return unreadTexts(`${notApplying}: the file is not there`);
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

function checked(before: { text: string | null }, after: { text: string | null }): Texts {
  const problem = problemOf(before.text ?? "") ?? problemOf(after.text ?? "");
  return problem === undefined ? { before, after } : unreadTexts(problem);
}

function problemOf(text: string): string | undefined {
  if (text.length > largestText) return "too large";
  if (text.includes("\0")) return "binary";
  return hasLongLine(text) ? "lines too long" : undefined;
}

function hasLongLine(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    if (next - at > longestLine) return true;
    at = next;
  }
  return false;
}

export function contentOf(file: BaseFile | undefined): Content {
  return file === undefined ? { unread: noBaseText } : file;
}
