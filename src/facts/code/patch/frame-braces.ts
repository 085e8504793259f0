import type { Language } from "../syntax.js";
import { type Fragment, type Frame, indentOf, isClass, unseen } from "./frame.js";

const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}" };
const openers: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** How a function begins whose own words nobody shows. */
const functions: Partial<Record<Language, string>> = {
  javascript: "function",
  typescript: "function",
  tsx: "function",
  go: "func",
  rust: "fn",
  php: "function",
  java: "void",
  "c-sharp": "void",
};
const methodsWithoutWord: ReadonlySet<Language> = new Set<Language>(["javascript", "typescript", "tsx"]);

/**
 * A part of a text with braces begins and ends within brackets, comments and definitions. Above it comes the definition
 * git names, then what opens the brackets it closes; below it, what closes those it leaves open.
 */
export function frameBraces(fragment: Fragment, language: Language): Frame {
  const scan = scanBrackets(fragment.lines, language);
  const above = wrappersOf(fragment, language);
  const held = above.flatMap((each) => scanBrackets([each], language).open);
  const wanted = [...scan.closers].reverse().map((each) => openers[each] ?? "{");
  const covered = endsWith(held, wanted) ? wanted.length : 0;
  const missing = covered > 0 ? [] : startsWith(wanted, held) ? wanted.slice(held.length) : wanted;
  const kept = covered > 0 ? held.slice(0, -covered) : startsWith(wanted, held) ? [] : held;
  const left = [...kept, ...scan.open].reverse().map((each) => closers[each] ?? "}");
  return {
    before: [
      ...above,
      ...(missing.length > 0 ? [opened(missing, language)] : []),
      ...(scan.startsInside ? ["/*"] : []),
    ],
    after: [...(scan.endsInside ? ["*/"] : []), ...(left.length > 0 ? [left.join("")] : [])],
  };
}

function endsWith(all: readonly string[], end: readonly string[]): boolean {
  return end.length <= all.length && end.every((each, at) => each === all[all.length - end.length + at]);
}

function startsWith(all: readonly string[], begin: readonly string[]): boolean {
  return begin.length <= all.length && begin.every((each, at) => each === all[at]);
}

/** A block within a call is the body of a function that is passed. */
function opened(brackets: readonly string[], language: Language): string {
  return brackets
    .map((bracket, at) => {
      if (bracket === "(") return "unseen(";
      return bracket === "{" && brackets[at - 1] === "(" && methodsWithoutWord.has(language) ? "() => {" : bracket;
    })
    .join(" ");
}

function wrappersOf({ first, lines, heading, unit }: Fragment, language: Language): string[] {
  const code = lines.find((line) => line.trim() !== "" && !/^\s*(?:\*|\/\/|\/\*)/.test(line)) ?? "";
  const indent = indentOf(code);
  if (indent === 0 && !/^[)}\]]/.test(code)) return [];
  const name = `${unseen}${first}() {`;
  const word = functions[language] ?? "function";
  const named = headingOf(heading, word);
  if (named === undefined) return indent > 0 ? [`${word} ${name}`] : [];
  if (!isClass(heading) || indent <= unit || language === "go") return [named];
  return [named, methodsWithoutWord.has(language) ? name : `${word} ${name}`];
}

/** Git cuts what it names; what does not open a block is told by its name. */
function headingOf(heading: string, word: string): string | undefined {
  if (/^(?:@|#|\/\/|import\b|package\b|use\b|using\b|case\b|default:)/.test(heading)) return undefined;
  if (heading.endsWith("{")) return heading;
  const type = /\b(?:class|interface|struct|impl|trait|enum|module|namespace)\s+\w+/.exec(heading)?.[0];
  if (type !== undefined) return `${type} {`;
  const name = /(\w+)\s*\(/.exec(heading)?.[1];
  return name === undefined ? undefined : `${word} ${name}() {`;
}

interface Brackets {
  /** True where the lines begin or end within a comment. */
  startsInside: boolean;
  endsInside: boolean;
  /** Those opened before, innermost first, and those still open at the end. */
  closers: string[];
  open: string[];
}

function scanBrackets(lines: readonly string[], language: Language): Brackets {
  const text = lines.join("\n");
  const [begin, end] = [text.indexOf("/*"), text.indexOf("*/")];
  const inText = lines.every((line) => line.trim() === "" || /^\s*\*/.test(line));
  const startsInside = (end >= 0 && (begin < 0 || end < begin)) || (begin < 0 && inText && text.trim() !== "");
  const found: Brackets = { startsInside, endsInside: startsInside && end < 0, closers: [], open: [] };
  const code = startsInside ? (end < 0 ? "" : text.slice(end + 2)) : text;
  // A single quote also names a lifetime.
  const quotes = language === "rust" ? /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/ : /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
  const tokens = new RegExp(`//.*|/\\*[^]*?(?:\\*/|$)|${quotes.source}|\`(?:\\\\.|[^\`\\\\])*\`|[()[\\]{}]`, "g");
  for (const [token] of code.matchAll(tokens)) {
    if (token.startsWith("/*") && !token.endsWith("*/")) found.endsInside = true;
    if (token.length > 1) continue;
    const opener = openers[token];
    if (opener === undefined) found.open.push(token);
    else if (found.open.at(-1) === opener) found.open.pop();
    else if (found.open.length === 0) found.closers.push(token);
  }
  return found;
}
