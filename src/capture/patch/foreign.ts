import { createHash } from "node:crypto";
import type { Git, GitOptions } from "../../model/deps.js";
import { MultirunError } from "../../model/error.js";
import type { ChangedFile, PatchStats } from "../../model/record.js";
import { type BytePath, fromBytes, shown, splitBytes, toText } from "./bytes.js";

export interface ForeignPatch {
  git: Git;
  patch: Uint8Array;
  /** An empty repository of ours: git takes nothing but the patch's own words. */
  scratch: GitOptions;
}

/**
 * Which files a patch of unknown origin changes, as git itself reads it. Whether it applies nobody can say without the tree
 * it was made for.
 * @throws MultirunError `bad_artifact`: git cannot read it, or it leads out of the repository
 */
export async function readForeignPatch({ git, patch, scratch }: ForeignPatch): Promise<PatchStats> {
  const measured = { bytes: patch.length, sha256: createHash("sha256").update(patch).digest("hex") };
  const changed = isBlank(patch) ? [] : await readChanges({ git, patch, scratch });
  const sum = (key: "added" | "deleted") => changed.reduce((total, file) => total + (file[key] ?? 0), 0);
  const applies = changed.length === 0 ? true : null;
  const head = { files: changed.length, added: sum("added"), deleted: sum("deleted") };
  return { ...head, ...measured, applies, changed, warnings: [] };
}

function isBlank(patch: Uint8Array): boolean {
  return patch.every((byte) => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09);
}

async function readChanges({ git, patch, scratch }: ForeignPatch): Promise<ChangedFile[]> {
  const ask = async (...args: string[]): Promise<Uint8Array> => {
    const { stdout, stderr, exitCode } = await git.result(["apply", ...args, "-"], {
      ...scratch,
      input: patch,
      accept: [1, 128],
    });
    if (exitCode === 0) return stdout;
    const said = /^error: (.*)$/m.exec(stderr)?.[1] ?? "git cannot read it";
    throw new MultirunError(
      "bad_artifact",
      `it is no patch that git can read: ${said.replace(/ \(allow with .*\)$/, "")}`,
    );
  };
  const counts = splitBytes(await ask("--numstat", "-z"));
  const marks = headersOf(patch);
  return counts.map((line) => changedFile(line, marks));
}

/** What the headers say of paths, as git writes them; only paths that git itself names are looked up in it. */
interface Headers {
  added: Set<BytePath>;
  deleted: Set<BytePath>;
  renamed: Map<BytePath, BytePath>;
}

function headersOf(patch: Uint8Array): Headers {
  const headers: Headers = { added: new Set(), deleted: new Set(), renamed: new Map() };
  let [before, from] = ["", ""];
  for (const line of headerLines(patch)) {
    const [, mark, name = ""] = /^(---|\+\+\+|rename from|rename to|copy to) ([^\t\r]*)/.exec(line) ?? [];
    if (mark === "---") before = name;
    if (mark === "rename from") from = unquote(name);
    if (mark === "rename to") headers.renamed.set(unquote(name), from);
    if (mark === "copy to") headers.added.add(unquote(name));
    if (mark === "+++" && before === "/dev/null") headers.added.add(withoutPrefix(name));
    if (mark === "+++" && name === "/dev/null") headers.deleted.add(withoutPrefix(before));
    // Files without lines (empty or binary) are told by their first header alone, which names them twice.
    const twice = /^diff --git ("?a\/.*) "?b\/.*$/.exec(line)?.[1];
    if (twice !== undefined) before = twice;
    if (/^new file mode /.test(line)) headers.added.add(withoutPrefix(before));
    if (/^deleted file mode /.test(line)) headers.deleted.add(withoutPrefix(before));
  }
  return headers;
}

/** All lines outside of hunks: in them, text of a file may look like a header. */
function headerLines(patch: Uint8Array): string[] {
  const left = { old: 0, now: 0 };
  return fromBytes(patch)
    .split("\n")
    .filter((line) => {
      if (left.old > 0 || left.now > 0) {
        if (!/^[+\\]/.test(line)) left.old -= 1;
        if (!/^[-\\]/.test(line)) left.now -= 1;
        return false;
      }
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk) Object.assign(left, { old: Number(hunk[1] ?? 1), now: Number(hunk[2] ?? 1) });
      return hunk === null;
    });
}

function withoutPrefix(name: string): BytePath {
  return unquote(name).replace(/^[^/]*\//, "");
}

const escapes: Record<string, string> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** Git's C quoting of names with special characters. */
function unquote(name: string): BytePath {
  if (!name.startsWith('"')) return name;
  return name
    .replace(/^"|"$/g, "")
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (escapes[code] ?? code),
    );
}

function changedFile(line: string, { added, deleted, renamed }: Headers): ChangedFile {
  const [, plus = "-", minus = "-", path = ""] = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(line) ?? [];
  const old = renamed.get(path);
  for (const each of [path, old ?? path]) refuseEscape(each);
  const lines = { added: plus === "-" ? null : Number(plus), deleted: minus === "-" ? null : Number(minus) };
  if (old !== undefined) return { path: toText(path), oldPath: toText(old), status: "renamed", ...lines };
  const status = added.has(path) ? "added" : deleted.has(path) ? "deleted" : "modified";
  return { path: toText(path), oldPath: null, status, ...lines };
}

function refuseEscape(path: BytePath): void {
  const parts = path.split("/");
  if (!path.startsWith("/") && path !== "" && !parts.includes("..") && !parts.includes(".git")) return;
  throw new MultirunError("bad_artifact", `it leads out of the work tree: ${shown(path).slice(0, 200)}`);
}
