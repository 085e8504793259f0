import type { CodeSymbol, CodeText, SyntaxNode } from "../syntax.js";

/** One observation in one symbol of one text. What a run does is what its text says and base's does not, and the reverse. */
export interface Found {
  /** What it is about, the same in all runs that speak of it: the name that gets a fallback, the function that is called. */
  slot: string;
  /** What is said of it, comparable. Local names are `_`, strings have one quote style, `self.x` is `x`. */
  value: string;
  node: SyntaxNode;
  /** The same as `value` with the names this text uses, for labels. */
  shown?: string;
  /** True where it says little by itself: a call of a built-in, a type test for text. */
  slight?: boolean;
}

/** What titles and labels can speak of. Names come between back-ticks; whoever renders them escapes them. */
export interface Words {
  slot: string;
  /** Where it is, quoted: ` in \`Request.__init__\``, or "" where it is in several places. */
  where: string;
  /** True where base had it and the run has not. */
  gone: boolean;
}

/**
 * One kind of code fact. A new kind is a new file in this folder that exports one of these, and a line in `kinds.ts`.
 * It reads one symbol of one text and knows nothing of other runs, of base, or of how decisions are made.
 */
export interface CodeKind {
  kind: string;
  /**
   * How much it says about what the run decided: 3 what callers see (errors, defaults, values), 2 which way it works,
   * 1 detail, below .5 only evidence for alignment, never a row.
   */
  weight: number;
  /** `value`: one slot has one of several values. `presence`: it is there or not. */
  answer: "value" | "presence";
  /** `symbol`: it means something in its symbol only, and only runs that touch the symbol are asked. `anywhere`: all are. */
  scope: "symbol" | "anywhere";
  /** True where losing what base had is news of its own. */
  loss: boolean;
  /**
   * True where it repeats text (an assignment, arguments, a returned expression) rather than naming a choice: such facts
   * make a row only where no elementary fact of the same symbol explains the split.
   */
  textual?: boolean;
  read(symbol: CodeSymbol, text: CodeText): Found[];
  /** The question, at most 80 characters: `What does \`encoding\` fall back to?` */
  title(words: Words): string;
  /** A choice in plain words: `utf-8`, `raises \`ValueError\``. */
  label(value: string, words: Words): string;
  /** The words for not having it: `no fallback`. */
  absent(words: Words): string;
}
