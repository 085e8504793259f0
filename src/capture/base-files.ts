import { type BaseFile, largestBase, largestText } from "../model/code.js";
import type { Git, GitOptions } from "../model/deps.js";
import { MultirunError } from "../model/error.js";
import { compareText } from "../model/text.js";

export interface BaseFilesOptions {
  git: Git;
  /** A repository that has the commit. */
  at: GitOptions;
  /** Full sha. */
  commit: string;
  /** Inside of the tree, from its top. */
  paths: Iterable<string>;
}

/**
 * Texts of a commit's files, read from the object store: nothing is checked out, no filter runs. Paths the commit does not
 * have are left out; what is too large, or no text, has its reason.
 * @throws MultirunError `infra` where git fails
 */
export async function readBaseFiles({ git, at, commit, paths }: BaseFilesOptions): Promise<Map<string, BaseFile>> {
  const sorted = [...new Set(paths)].sort(compareText);
  // Git takes one name a line.
  const asked = sorted.filter((path) => !path.includes("\n"));
  const ask = (option: string, names: readonly string[]) =>
    git.result(["cat-file", option], { ...at, input: names.map((path) => `${commit}:${path}\n`).join("") });
  const sizes = asked.length === 0 ? [] : linesOf((await ask(sizeFormat, asked)).stdout);
  const found = new Map<string, BaseFile>();
  for (const path of sorted) if (path.includes("\n")) found.set(path, { unread: "its name holds a line break" });
  const wanted = chooseBlobs(asked, sizes, found);
  if (wanted.length === 0) return found;
  const contents = splitBatch((await ask("--batch", wanted)).stdout);
  for (const [at, path] of wanted.entries()) found.set(path, textOf(contents[at]));
  return new Map([...found].sort(([one], [other]) => compareText(one, other)));
}

const sizeFormat = "--batch-check=%(objecttype) %(objectsize)";

function linesOf(stdout: Uint8Array): string[] {
  return Buffer.from(stdout).toString("utf8").split("\n");
}

/** Those that fit; of the others the reason is noted. */
function chooseBlobs(paths: readonly string[], sizes: readonly string[], found: Map<string, BaseFile>): string[] {
  let left = largestBase;
  return paths.filter((path, at) => {
    const size = /^blob (\d+)$/.exec(sizes[at] ?? "")?.[1];
    if (size === undefined) return false;
    const fits = Number(size) <= Math.min(largestText, left);
    if (fits) left -= Number(size);
    else found.set(path, { unread: "too large" });
    return fits;
  });
}

/** `<object> blob <size>`, the content and a newline, again and again. */
function splitBatch(stdout: Uint8Array): Buffer[] {
  const bytes = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  const contents: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(bytes.toString("latin1", at, end))?.[1];
    if (size === undefined) throw new MultirunError("infra", "git cat-file gave no object where there was one");
    contents.push(bytes.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return contents;
}

/** Bytes that are no UTF-8 become what they become in a patch, so that the two fit. */
function textOf(content: Buffer | undefined): BaseFile {
  if (content === undefined || content.includes(0)) return { unread: "binary" };
  return { text: content.toString("utf8") };
}
