import { grammarOf, languageOf } from "./languages.js";
import { lexed } from "./lexer.js";
import { symbolsOf } from "./symbols.js";
import type { CodeText } from "./syntax.js";
import { neutral, type Parse } from "./tree.js";

/**
 * Reads one text: by its grammar where there is one, by its tokens where there is none or the parser gives up. It never
 * throws for any text.
 */
export function readText(path: string, text: string, parse: Parse): CodeText {
  const language = languageOf(path, text);
  if (!language) return lexed(path, text);
  const parsed = parse(language, text);
  if ("unread" in parsed) return { ...lexed(path, text), unread: parsed.unread };
  const grammar = grammarOf(language);
  const root = neutral(parsed.root, text, grammar);
  return { path, text, language, symbols: symbolsOf(root, text, grammar), broken: parsed.broken, root };
}
