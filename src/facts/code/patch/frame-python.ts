import { type Fragment, type Frame, indentOf, isClass, unseen } from "./frame.js";

/** A line of code that begins a statement: how deep, and with which word. */
interface Step {
  indent: number;
  word: string;
}

/**
 * A part of a Python text begins anywhere: in a docstring, in brackets, three levels deep. Above it come the definition
 * git names, a method without a name where the class alone is known, and a block for each level to which it falls back.
 */
export function framePython({ first, lines, heading, unit }: Fragment): Frame {
  const scan = new Scan(lines);
  const stairs = stairsOf(scan.steps);
  const top = stairs[0]?.indent ?? unit;
  const before = [...headOf(heading), ...blocksOf(stairs, { first, heading, unit })];
  const [start] = stairs;
  if (start && /^(?:else|elif|except|finally)$/.test(start.word)) {
    before.push(`${blanks(top)}${/^e(?:lse|lif)$/.test(start.word) ? "if unseen" : "try"}: pass`);
  }
  if (scan.closers.length > 0) before.push(`${blanks(top)}unseen${[...scan.closers].reverse().map(openerOf).join("")}`);
  if (scan.startsInside) before.push(`${blanks(top)}${scan.startsInside}`);
  const after = [
    ...(scan.endsInside ? [scan.endsInside] : []),
    ...(scan.open.length > 0 ? [[...scan.open].reverse().map(closerOf).join("")] : []),
    ...(scan.last?.endsWith(":") ? [`${blanks(indentOf(scan.last) + unit)}pass`] : []),
  ];
  return { before, after };
}

function blanks(count: number): string {
  return " ".repeat(count);
}

/** Git cuts what it names. */
function headOf(heading: string): string[] {
  const [, words, name] = /^((?:async\s+)?def|class)\s+(\w+)/.exec(heading) ?? [];
  if (words === undefined) return [];
  if (heading.endsWith(":")) return [heading];
  return [words === "class" ? `class ${name}:` : `${words} ${name}():`];
}

/** Each level to which the text falls back, outermost last. */
function stairsOf(steps: readonly Step[]): Step[] {
  const stairs: Step[] = [];
  for (const step of steps) if (step.indent < (stairs.at(-1)?.indent ?? Number.POSITIVE_INFINITY)) stairs.push(step);
  return stairs;
}

function blocksOf(stairs: readonly Step[], { first, heading, unit }: Omit<Fragment, "lines">): string[] {
  const deepest = stairs[0]?.indent ?? 0;
  const blocks = stairs
    .slice(1)
    .filter(({ indent }) => indent > 0)
    .map(({ indent, word }) => ({ indent, opener: openerFor(word) }));
  if (isClass(heading) && deepest > unit) {
    const method = blocks.find(({ indent }) => indent === unit);
    if (method) method.opener = `def ${unseen}${first}():`;
    else blocks.push({ indent: unit, opener: `def ${unseen}${first}():` });
  }
  return blocks.reverse().map(({ indent, opener }) => `${blanks(indent)}${opener}`);
}

function openerFor(word: string): string {
  if (word === "except" || word === "finally") return "try:";
  return word === "else" || word === "elif" ? "if unseen:" : "with unseen:";
}

const openerOf = (closer: string) => (closer === ")" ? "(" : closer === "]" ? "[" : "{");
const closerOf = (opener: string) => (opener === "(" ? ")" : opener === "[" ? "]" : "}");

/** What of the lines is code, by their text alone. */
class Scan {
  /** The delimiter of the string the lines begin or end in. */
  startsInside: string | undefined;
  endsInside: string | undefined;
  /** Brackets that were opened before, innermost first, and those still open at the end. */
  closers: string[] = [];
  open: string[] = [];
  steps: Step[] = [];
  last: string | undefined;

  constructor(lines: readonly string[]) {
    this.startsInside = startingDelimiter(lines);
    let inside = this.startsInside;
    for (const line of lines) {
      const began = inside;
      const code = line.replace(/"""|'''|#.*$|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, (found) => {
        if (inside === undefined && found.startsWith("#")) return "";
        if (found.length !== 3 || (inside !== undefined && inside !== found)) return inside === undefined ? "''" : "";
        inside = inside === undefined ? found : undefined;
        return "";
      });
      if (began === undefined) this.code(code, line);
      else if (inside === undefined && this.steps.length === 0) this.steps.push({ indent: indentOf(line), word: "" });
    }
    this.endsInside = inside;
  }

  private code(code: string, line: string): void {
    if (code.trim() === "") return;
    const within = this.open.length > 0;
    const before = this.closers.length;
    for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
      if ("([{".includes(bracket)) this.open.push(bracket);
      else if (this.open.length > 0) this.open.pop();
      else this.closers.push(bracket);
    }
    // What stood before was within the brackets that end here.
    if (this.closers.length > before) this.steps = [];
    if (!within) this.steps.push({ indent: indentOf(line), word: /\w+/.exec(code)?.[0] ?? "" });
    this.last = code.trimEnd();
  }
}

/** An end stands alone in its line, or behind text; a beginning stands behind a definition, or before text. */
function startingDelimiter(lines: readonly string[]): string | undefined {
  let previous = "";
  for (const line of lines) {
    const [, head = "", delimiter, tail = ""] = /^(.*?)("""|''')(.*)$/s.exec(line) ?? [];
    if (delimiter !== undefined && !head.includes("#")) {
      if (previous.trimEnd().endsWith(":") || /[=(,]\s*[rbuf]*$/i.test(head)) return undefined;
      if (head.trim() === "") return tail.trim() === "" ? delimiter : undefined;
      return /^\s*[rbuf]+$/i.test(head) ? undefined : delimiter;
    }
    if (line.trim() !== "") previous = line;
  }
  return undefined;
}
