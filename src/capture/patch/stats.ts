import type { ChangedFile } from "../../model/record.js";
import { type BytePath, fromBytes, toText } from "./bytes.js";

const statuses = {
  A: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
} as const satisfies Record<string, ChangedFile["status"]>;

type Lines = Pick<ChangedFile, "added" | "deleted">;

/** One changed file, its names as git has them. */
interface ByteChange extends Lines {
  path: BytePath;
  oldPath: BytePath | null;
  status: ChangedFile["status"];
}

export function parseStats(stdout: Uint8Array): ChangedFile[] {
  return parseChanges(stdout).map(({ path, oldPath, ...rest }) => ({
    path: toText(path),
    oldPath: oldPath === null ? null : toText(oldPath),
    ...rest,
  }));
}

/** Reads `git diff --raw --numstat -z`: all raw records first, then all counts in the same order. */
export function parseChanges(stdout: Uint8Array): ByteChange[] {
  const fields = fromBytes(stdout).split("\0");
  const files: Omit<ByteChange, keyof Lines>[] = [];
  const counts: Lines[] = [];
  let at = 0;
  const next = () => fields[at++] ?? "";
  while (at < fields.length - 1) {
    const head = next();
    if (head.startsWith(":")) {
      const letter = head.split(" ")[4]?.[0] ?? "M";
      const first = next();
      const status = statuses[letter as keyof typeof statuses] ?? "modified";
      files.push(letter === "R" ? { path: next(), oldPath: first, status } : { path: first, oldPath: null, status });
      continue;
    }
    const [added = "-", deleted = "-", path] = head.split("\t");
    // A rename has its two names in fields of their own.
    if (path === "") at += 2;
    counts.push({ added: lines(added), deleted: lines(deleted) });
  }
  return files.map((file, index) => ({ ...file, ...(counts[index] ?? { added: null, deleted: null }) }));
}

/** `-` stands for a binary file. */
function lines(text: string): number | null {
  return text === "-" ? null : Number(text);
}
