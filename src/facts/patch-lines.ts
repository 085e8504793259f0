/** Without its sign. */
export interface PatchLine {
  text: string;
  /** Where it stands in the file before or after the change, counted from 1. */
  line: number;
}

/** The lines one file of a patch loses and gains. */
export interface FileLines {
  path: string;
  removed: PatchLine[];
  added: PatchLine[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Changed lines of a unified diff, file by file, for the files `wanted` asks for by their new path (the old one where the
 * file is gone). What stands in a hunk is counted off by its head, so that content which looks like a diff stays content.
 * Files whose names git had to quote are passed over.
 */
export function changedLines(patch: string, wanted: (path: string) => boolean): FileLines[] {
  const files: FileLines[] = [];
  let file: FileLines | undefined;
  let old: string | undefined;
  let [left, right] = [0, 0];
  let [before, after] = [0, 0];
  for (const line of patch.split("\n")) {
    if (left > 0 || right > 0) {
      if (line.startsWith("\\")) continue;
      const text = line.slice(1).replace(/\r$/, "");
      if (line.startsWith("+")) file?.added.push({ text, line: after });
      if (line.startsWith("-")) file?.removed.push({ text, line: before });
      if (!line.startsWith("+")) [left, before] = [left - 1, before + 1];
      if (!line.startsWith("-")) [right, after] = [right - 1, after + 1];
      continue;
    }
    const head = hunkHead.exec(line);
    if (head) {
      [before, left] = [Number(head[1]), Number(head[2] ?? 1)];
      [after, right] = [Number(head[3]), Number(head[4] ?? 1)];
    } else if (line.startsWith("diff --git ")) file = undefined;
    else if (line.startsWith("--- ")) old = pathIn(line);
    else if (line.startsWith("+++ ")) {
      const path = pathIn(line) ?? old;
      file = path !== undefined && wanted(path) ? { path, removed: [], added: [] } : undefined;
      if (file) files.push(file);
    }
  }
  return files;
}

/** Undefined for `/dev/null` and for quoted names. */
function pathIn(line: string): string | undefined {
  return /^(?:---|\+\+\+) [ab]\/(.*?)\t?$/.exec(line)?.[1];
}
