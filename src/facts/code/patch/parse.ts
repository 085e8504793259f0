import { type Body, skipHunks } from "./hunks.js";
import { LineReader } from "./lines.js";
import { nameIn, namesOf, nowhere, unquote, withoutPrefixes } from "./names.js";

/** What one part of a patch does to one file. */
export interface FileChange {
  /** Empty where nothing tells it. */
  path: string;
  /** Where it was moved or copied from. */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed" | "copied";
  /** What it is afterwards (or was, where it is deleted): links and submodules have no text of their own. */
  kind: "file" | "link" | "submodule";
  binary: boolean;
  /** True where the whole part has line ends of two characters, as a patch that came by mail. */
  crlf: boolean;
  body: Body;
}

const gitHead = "diff --git ";

/**
 * Takes a patch apart into files: of git with its extended headers (git-diff(1), "generating patch text"), or of any
 * `diff -u`. Text between files is passed over, as git does. Time is linear in the text; hunks are counted only, until
 * somebody asks for them (`hunksOf`).
 */
export function parsePatch(text: string): FileChange[] {
  const reader = new LineReader(text);
  const files: FileChange[] = [];
  while (!reader.done) {
    const isGit = reader.starts(gitHead);
    if (isGit || beginsPlain(reader)) files.push(readFile(reader, isGit));
    else reader.skip();
  }
  return files;
}

/** `--- ` and `+++ ` with a hunk behind them: less could be anybody's text. */
function beginsPlain(reader: LineReader): boolean {
  if (!reader.starts("--- ")) return false;
  const second = reader.next;
  if (!reader.text.startsWith("+++ ", second)) return false;
  const third = reader.text.indexOf("\n", second) + 1;
  return third > 0 && reader.text.startsWith("@@ -", third);
}

interface Header {
  names: [string, string] | undefined;
  from: string | undefined;
  to: string | undefined;
  copied: boolean;
  oldMode: string | undefined;
  newMode: string | undefined;
  added: boolean;
  deleted: boolean;
  binary: boolean;
  /** True where it names two contents of the file, which then differ. */
  hasContent: boolean;
}

function readFile(reader: LineReader, isGit: boolean): FileChange {
  const crlf = reader.text.startsWith("\r\n", reader.next - 2);
  const header = isGit ? readHeader(reader) : noHeader();
  if (!header.binary && beginsNames(reader)) readNames(reader, header, isGit);
  const body = skipHunks(reader);
  if (isCutOff(header, body)) body.broken = 1;
  const [old, now] = header.names ?? ["", ""];
  const [oldPath, path] = [header.from ?? old, header.to ?? now];
  const status = statusOf(header);
  const moved = status === "renamed" || status === "copied";
  return {
    path: status === "deleted" ? oldPath : path,
    oldPath: moved ? oldPath : null,
    status,
    kind: kindOf((status === "deleted" ? header.oldMode : header.newMode) ?? header.oldMode),
    binary: header.binary,
    crlf,
    body,
  };
}

function noHeader(): Header {
  return {
    names: undefined,
    from: undefined,
    to: undefined,
    copied: false,
    oldMode: undefined,
    newMode: undefined,
    added: false,
    deleted: false,
    binary: false,
    hasContent: false,
  };
}

/** The first lines of a file in a patch of git's, up to its names or its content. */
function readHeader(reader: LineReader): Header {
  const header = noHeader();
  const names = namesOf(reader.line().slice(gitHead.length));
  header.names = names && withoutPrefixes(names);
  for (reader.skip(); !reader.done && !header.binary; reader.skip()) {
    if (!readExtended(reader, header)) break;
  }
  return header;
}

const extended =
  /^(?<words>index|old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|(?:dis)?similarity index|Binary files|GIT binary patch)(?: (?<rest>.*))?$/su;

/** How git calls the content of an empty file that comes or goes, by SHA-1 and by SHA-256. */
const emptyContent = /^(?:0+\.\.(?:e69de29|473a0f4)|(?:e69de29|473a0f4)[0-9a-f]*\.\.0+(?: |$))/;

/** False for a line that is no part of a header. */
function readExtended(reader: LineReader, header: Header): boolean {
  const { words, rest = "" } = extended.exec(reader.line())?.groups ?? {};
  if (words === undefined) return false;
  if (words === "index") {
    header.newMode ??= / (\d+)$/.exec(rest)?.[1];
    header.hasContent = !emptyContent.test(rest);
  }
  if (words === "old mode" || words === "deleted file mode") header.oldMode = rest;
  if (words === "new mode" || words === "new file mode") header.newMode = rest;
  if (words === "rename from" || words === "copy from") header.from = unquote(rest);
  if (words === "rename to" || words === "copy to") header.to = unquote(rest);
  header.added ||= words === "new file mode";
  header.deleted ||= words === "deleted file mode";
  header.copied ||= words === "copy to";
  header.binary ||= words === "Binary files" || words === "GIT binary patch";
  return true;
}

function beginsNames(reader: LineReader): boolean {
  return reader.starts("--- ") && reader.text.startsWith("+++ ", reader.next);
}

/** `---` and `+++` name each side for itself: surer than the first line, where names may hold blanks. */
function readNames(reader: LineReader, header: Header, isGit: boolean): void {
  const old = nameIn(reader.line());
  reader.skip();
  const now = nameIn(reader.line());
  reader.skip();
  if (old === nowhere) header.added = true;
  if (now === nowhere) header.deleted = true;
  // On one side only a prefix cannot be told from a folder; the first line of git's has both.
  if (isGit && header.names && (old === nowhere || now === nowhere)) return;
  const [one, other] = withoutPrefixes([old, now]);
  header.names = [old === nowhere ? other : one, now === nowhere ? one : other];
}

/** Every change of git's says what it is; a header alone is cut off. */
function isCutOff({ from, added, deleted, binary, newMode, hasContent }: Header, { text }: Body): boolean {
  if (text !== "" || binary) return false;
  return hasContent || (from === undefined && newMode === undefined && !added && !deleted);
}

function statusOf({ from, to, copied, added, deleted }: Header): FileChange["status"] {
  if (from !== undefined && to !== undefined) return copied ? "copied" : "renamed";
  return added ? "added" : deleted ? "deleted" : "modified";
}

function kindOf(mode: string | undefined): FileChange["kind"] {
  if (mode === "120000") return "link";
  return mode === "160000" ? "submodule" : "file";
}
