/** One statement of a SQL text, by offsets in UTF-16 units; `words` are its first four bare words, lower case. */
export interface Statement {
  start: number;
  end: number;
  words: string[];
}

export interface SqlText {
  statements: Statement[];
  /** Offset of the first backslash outside of quotes and comments: no SQL has one, psql's commands begin with it. */
  backslash: number | undefined;
}

/**
 * What a statement is made of, in the order in which it is tried; quotes and comments by their beginning.
 * Lexical rules: https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
const token =
  /(?<space>\s+|--[^\n]*)|(?<comment>\/\*)|(?<dollar>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)|(?<quote>[eE]?'|")|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<other>[\s\S])/y;

/** Splits where the server does, also around bodies written BEGIN ATOMIC … END (as psql does it). */
export function readSql(sql: string): SqlText {
  const statements: Statement[] = [];
  let backslash: number | undefined;
  let current: Statement | undefined;
  let depth = 0;
  let word = "";
  for (let at = 0; at < sql.length; ) {
    const { end, kind, text } = next(sql, at);
    if (text === ";" && depth === 0) {
      if (current) statements.push({ ...current, end: at });
      current = undefined;
    } else if (kind !== "space") {
      current ??= { start: at, end, words: [] };
      current.end = end;
      if (kind === "word") {
        const previous = word;
        word = text.toLowerCase();
        if (current.words.length < 4) current.words.push(word);
        depth = depthAfter(depth, current.words, previous, word);
      }
      if (text === "(") depth += 1;
      if (text === ")") depth = Math.max(0, depth - 1);
      if (text === "\\") backslash ??= at;
    }
    at = end;
  }
  if (current) statements.push(current);
  return { statements, backslash };
}

/** Blocks inside a routine's body; a bare BEGIN is a transaction. */
function depthAfter(depth: number, first: readonly string[], previous: string, word: string): number {
  if (!/^create (or replace )?(function|procedure)\b/.test(first.join(" "))) return depth;
  if (word === "atomic" && previous === "begin") return depth + 1;
  if (word === "case" && depth > 0) return depth + 1;
  return word === "end" && depth > 0 ? depth - 1 : depth;
}

/** A word, a sign, or what stands in quotes, with its quotes. */
export interface SqlToken {
  start: number;
  end: number;
  kind: "quoted" | "word" | "other";
  text: string;
}

/** What a SQL text says, without white space and comments. */
export function* sqlTokens(sql: string): Generator<SqlToken> {
  for (let at = 0; at < sql.length; ) {
    const { end, kind } = next(sql, at);
    if (kind !== "space") yield { start: at, end, kind, text: sql.slice(at, end) };
    at = end;
  }
}

interface Token {
  end: number;
  kind: "space" | "quoted" | "word" | "other";
  text: string;
}

function next(sql: string, at: number): Token {
  token.lastIndex = at;
  const match = token.exec(sql);
  const groups = match?.groups ?? {};
  const text = match?.[0] ?? sql.slice(at);
  if (groups["comment"]) return { end: endOfComment(sql, at), kind: "space", text: "" };
  if (groups["dollar"]) {
    const close = sql.indexOf(text, at + text.length);
    return { end: close === -1 ? sql.length : close + text.length, kind: "quoted", text: "" };
  }
  const end = at + text.length;
  if (groups["space"]) return { end, kind: "space", text: "" };
  if (groups["quote"]) return { end: endOfQuoted(sql, end, text), kind: "quoted", text: "" };
  return { end, kind: groups["word"] ? "word" : "other", text };
}

/** A doubled quote and, in E'…', whatever follows a backslash do not close it. Without a close it runs to the end. */
function endOfQuoted(sql: string, start: number, opening: string): number {
  const mark = opening.length === 2 ? /\\[\s\S]|''|'/g : opening === "'" ? /''|'/g : /""|"/g;
  mark.lastIndex = start;
  for (let match = mark.exec(sql); match; match = mark.exec(sql)) {
    if (match[0].length === 1) return mark.lastIndex;
  }
  return sql.length;
}

/** Block comments nest. */
function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(sql); match; match = mark.exec(sql)) {
    depth += match[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}

/** Line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
