import { cSharp } from "./languages/c-sharp.js";
import { go } from "./languages/go.js";
import type { Grammar } from "./languages/grammar.js";
import { java } from "./languages/java.js";
import { javascript } from "./languages/javascript.js";
import { php } from "./languages/php.js";
import { python } from "./languages/python.js";
import { ruby } from "./languages/ruby.js";
import { rust } from "./languages/rust.js";
import type { Language } from "./syntax.js";

const grammars: Record<Language, Grammar> = {
  python,
  javascript,
  typescript: javascript,
  tsx: javascript,
  go,
  java,
  rust,
  ruby,
  php,
  "c-sharp": cSharp,
};

/** The languages that are read as trees, and so the grammars a bundle carries. */
export const treeLanguages = Object.keys(grammars).sort() as Language[];

const endings: Record<string, Language> = {
  py: "python",
  pyi: "python",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  go: "go",
  java: "java",
  rs: "rust",
  rb: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  ru: "ruby",
  php: "php",
  phtml: "php",
  cs: "c-sharp",
};
const names: Record<string, Language> = { Rakefile: "ruby", Gemfile: "ruby", Vagrantfile: "ruby" };
const programs: Record<string, Language> = {
  python: "python",
  node: "javascript",
  deno: "typescript",
  ruby: "ruby",
  php: "php",
};

/** The language of a file by its name, or by its `#!` line; null where it is read by tokens. */
export function languageOf(path: string, text = ""): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const own = (table: Record<string, Language>, key: string) => (Object.hasOwn(table, key) ? table[key] : undefined);
  const byName = own(names, name) ?? (dot > 0 ? own(endings, name.slice(dot + 1).toLowerCase()) : undefined);
  if (byName) return byName;
  const words = dot > 0 ? [] : (/^#!([^\n]*)/.exec(text.slice(0, 200))?.[1] ?? "").trim().split(/\s+/);
  const line = words.map((word) => word.slice(word.lastIndexOf("/") + 1).replace(/[\d.]+$/, ""));
  const called = line[0] === "env" ? line.slice(1).find((word) => !/^-|=/.test(word)) : line[0];
  return called ? (own(programs, called) ?? null) : null;
}

export function grammarOf(language: Language): Grammar {
  return grammars[language];
}
