import { languageOf } from "../languages.js";
import { type Fragment, type Frame, indentOf, isClass, type Shown } from "./frame.js";
import { frameBraces } from "./frame-braces.js";
import { framePython } from "./frame-python.js";

/** Two parts of one class no further apart than this are taken as parts of one method. */
const nearby = 12;

/**
 * The text that all lines shown make, at their places. What begins or ends within a definition, a comment or brackets gets
 * the missing ends on the unknown lines beside it, so that a parser reads it alike in all runs.
 */
export function framed(path: string, { lines, headings }: Shown): string {
  const numbers = [...lines.keys()].sort((a, b) => a - b);
  const rows: string[] = Array.from({ length: numbers.at(-1) ?? 0 }, () => "\n");
  for (const [line, text] of lines) rows[line - 1] = text;
  const frame = framerOf(path);
  if (!frame) return rows.join("");
  const parts = fragmentsOf({ lines, headings }, numbers, rows);
  let free = 0;
  for (const [at, part] of parts.entries()) {
    const { before, after } = frame(part);
    const begin = part.first - 1;
    const above = before.slice(Math.max(0, before.length - (begin - free)));
    put(rows, begin - above.length, above);
    const end = begin + part.lines.length;
    const room = (parts[at + 1]?.first ?? Number.POSITIVE_INFINITY) - 1 - end;
    // A line without its newline is the last one of base: nothing is missing behind it.
    const isEnd = !rows[end - 1]?.endsWith("\n");
    const below = isEnd ? [] : after.length <= room ? after : [after.join(" ")].slice(0, room);
    put(rows, end, below);
    free = end + below.length;
  }
  return rows.join("");
}

function put(rows: string[], at: number, lines: readonly string[]): void {
  for (const [k, line] of lines.entries()) rows[at + k] = `${line}\n`;
}

function framerOf(path: string): ((fragment: Fragment) => Frame) | undefined {
  const language = languageOf(path);
  if (language === "python") return framePython;
  if (language === null || language === "ruby") return undefined;
  return (fragment) => frameBraces(fragment, language);
}

function fragmentsOf({ headings }: Shown, numbers: readonly number[], rows: readonly string[]): Fragment[] {
  const unit = unitOf(rows);
  const parts: Fragment[] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    const end = last ? last.first + last.lines.length : 0;
    const heading = headings.get(number) ?? "";
    if (last && (number === end || belongs(last, heading, number - end))) {
      for (let line = end; line <= number; line++) last.lines.push(rows[line - 1]?.replace(/\r?\n$/, "") ?? "");
    } else {
      parts.push({ first: number, lines: [rows[number - 1]?.replace(/\r?\n$/, "") ?? ""], heading, unit });
    }
  }
  return parts;
}

const definition = /^(?:[\w@]+\s+)*(?:class|def|function|func|fn|interface|struct|impl|trait|enum|module|namespace)\b/;

/** True where a part that git names so goes on with the definition in which the last one ended. */
function belongs({ heading, lines }: Fragment, next: string, gap: number): boolean {
  const current = lines.findLast((line) => definition.test(line))?.trim() ?? heading;
  if (next === "" || !current.startsWith(next)) return false;
  return !isClass(current) || gap <= nearby;
}

/** The least that any line is indented. */
function unitOf(rows: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const indent = indentOf(row);
    if (indent > 1 && indent < least && row.trim() !== "" && !/^\s*\*/.test(row)) least = indent;
  }
  return Number.isFinite(least) ? least : 4;
}
