/** What patches show of a file: lines by their number, from 1, and the definitions git names above some of them. */
export interface Shown {
  lines: Map<number, string>;
  headings: Map<number, string>;
}

/** Lines that stand together, and what is known of where they stand. */
export interface Fragment {
  /** Number of the first line, from 1. */
  first: number;
  /** Without their ends. */
  lines: string[];
  /** The definition above, as git names it; empty where it names none. */
  heading: string;
  /** Blanks by which one level is deeper than the other. */
  unit: number;
}

/** What must stand on the unknown lines around a fragment so that it reads as the part of a program it is. */
export interface Frame {
  before: string[];
  after: string[];
}

/** What stands in place of a name nobody shows; the number is that of the line behind it. */
export const unseen = "unseen_line_";

const holdsMethods = /\b(?:class|interface|struct|impl|trait|enum|module|namespace)\b/;

export function isClass(heading: string): boolean {
  return holdsMethods.test(heading);
}

export function indentOf(line: string): number {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
  return blanks.replaceAll("\t", "    ").length;
}
