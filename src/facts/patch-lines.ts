import { hunksOf } from "./code/patch/hunks.js";
import { type FileChange, parsePatch } from "./code/patch/parse.js";

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

/**
 * Changed lines of a patch, file by file, for the files with text that `wanted` asks for by their new path (the old one where
 * the file is gone).
 */
export function changedLines(patch: string, wanted: (path: string) => boolean): FileLines[] {
  return parsePatch(patch)
    .filter(({ path, body }) => body.text !== "" && wanted(path))
    .map(linesOf);
}

function linesOf({ path, body, crlf }: FileChange): FileLines {
  const [removed, added]: [PatchLine[], PatchLine[]] = [[], []];
  for (const { oldStart, newStart, lines } of hunksOf(body, crlf)) {
    let [before, after] = [oldStart, newStart];
    for (const { sign, text: line } of lines) {
      const text = line.replace(/\r?\n$/, "");
      if (sign === "-") removed.push({ text, line: before });
      if (sign === "+") added.push({ text, line: after });
      if (sign !== "+") before += 1;
      if (sign !== "-") after += 1;
    }
  }
  return { path, removed, added };
}
