/** The lines one file of a patch loses and gains, without their signs. */
export interface FileLines {
  path: string;
  removed: string[];
  added: string[];
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

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
  for (const line of patch.split("\n")) {
    if (left > 0 || right > 0) {
      if (line.startsWith("+")) file?.added.push(line.slice(1).replace(/\r$/, ""));
      if (line.startsWith("-")) file?.removed.push(line.slice(1).replace(/\r$/, ""));
      if (line.startsWith("\\")) continue;
      if (!line.startsWith("+")) left--;
      if (!line.startsWith("-")) right--;
      continue;
    }
    const head = hunkHead.exec(line);
    if (head) [left, right] = [Number(head[1] ?? 1), Number(head[2] ?? 1)];
    else if (line.startsWith("diff --git ")) file = undefined;
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
