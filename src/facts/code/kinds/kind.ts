import type { CodeKindWords } from "../../../model/code.js";
import { visible } from "../../../model/text.js";
import type { CodeSymbol, CodeText, Role, SyntaxNode } from "../syntax.js";
import type { Spelling } from "./spelling.js";

/** One observation in one symbol of one text. What a run does is what its text says and base's does not, and the reverse. */
export interface Found {
  /** What it is about, the same in all runs that speak of it: the name that gets a fallback, the function that is called. */
  slot: string;
  /** What is said of it, comparable: see `Spelling`. */
  value: string;
  /** The same as `value` with the names this text uses, for labels. */
  shown?: string;
  /** True where it says little by itself: a call of a built-in, a type test for text. */
  slight?: boolean;
}

/** Where a kind of fact looks: one symbol and how its text is spelled. */
export interface Place {
  symbol: CodeSymbol;
  text: CodeText;
  spelling: Spelling;
}

/**
 * One kind of code fact. A new kind is a new file in this folder that exports one of these, and a line in `kinds.ts`.
 * It reads one node of one text and knows nothing of other runs, of base, or of how decisions are made.
 */
export interface CodeKind extends CodeKindWords {
  /** The roles of the nodes it wants to see. */
  roles: readonly Role[];
  /** What it says of one of them. */
  read(node: SyntaxNode, place: Place): Found[];
  /** What it says of a text without a tree: symbols hold tokens only. */
  readTokens?(place: Place): Found[];
  /** True where it is news only of a symbol that base has too: that a new function is asynchronous changes nothing. */
  ofChanges?: boolean;
}

/** Between back-ticks, in one line without deceiving characters, at most `length` UTF-16 units between them. */
export function quoted(text: string, length = 60): string {
  // A huge text is not worth cleaning whole.
  return `\`${cut(visible(text.slice(0, 2000)).trim().replaceAll("`", "'"), length)}\``;
}

/** At most `length` UTF-16 units, never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const longestTitle = 80;

/** A question, with its place where there is room for it. */
export function asked(question: string, where = ""): string {
  const whole = `${question}${visible(where)}?`;
  return whole.length <= longestTitle ? whole : `${question}?`;
}
