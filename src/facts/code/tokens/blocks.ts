import type { SymbolKind } from "../syntax.js";
import { braced } from "./braces.js";
import type { TokenRules } from "./rules.js";
import type { Token } from "./scan.js";

/** A part of a text that is compared by its name. */
export interface Block {
  name: string;
  kind: SymbolKind;
  tokens: Token[];
}

type Begins = (tokens: readonly Token[], at: number, depth: number) => Pick<Block, "name" | "kind"> | undefined;

/** Everything before the first block, and what belongs to none. */
export const rest = { name: "<code>", kind: "code" } as const;

/** Parts the tokens of a text as its format does: by keys, statements, instructions, functions. */
export function blocksOf(tokens: readonly Token[], rules: TokenRules): Block[] {
  switch (rules.blocks) {
    case "braces":
    case "rules":
      return braced(tokens, "", rules.blocks === "rules");
    case "keys":
      return split(tokens, key);
    case "sections":
      return split(tokens, sections());
    case "pairs":
      return split(tokens, pair);
    case "statements":
      return split(tokens, statement);
    case "instructions":
      return split(tokens, instruction);
    case "commands":
      return split(tokens, command());
    case "targets":
      return split(tokens, target);
    default:
      return tokens.length > 0 ? [{ ...rest, tokens: [...tokens] }] : [];
  }
}

function split(tokens: readonly Token[], begins: Begins): Block[] {
  const blocks: Block[] = [];
  // A comment belongs to what follows it.
  let comments: Token[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "comment") {
      comments.push(token);
      continue;
    }
    const next = begins(tokens, at, depth);
    const last = blocks.at(-1);
    if (!last || (next && !(next.name === rest.name && last.name === rest.name))) {
      blocks.push({ ...(next ?? rest), tokens: [...comments, token] });
    } else for (const each of [...comments, token]) last.tokens.push(each);
    comments = [];
    if (token.kind === "sign")
      depth = Math.max(0, depth + (opens.has(token.text) ? 1 : closes.has(token.text) ? -1 : 0));
  }
  return blocks;
}

export const opens = new Set(["{", "(", "["]);
export const closes = new Set(["}", ")", "]"]);
const named = (name: string, kind: SymbolKind = "value") => ({ name: name.slice(0, 80), kind });
const bare = (token: Token) => (token.kind === "string" ? token.text.replace(/^["']+|["']+$/g, "") : token.text);

/** The tokens from here to one of these signs, as they are written together; undefined where the line ends before. */
function until(tokens: readonly Token[], from: number, signs: string): string | undefined {
  let name = "";
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token || (at > from && token.indent >= 0)) return undefined;
    if (token.kind === "sign" && signs.includes(token.text)) return name === "" ? undefined : name;
    name += bare(token);
  }
  return undefined;
}

const key: Begins = (tokens, at) => {
  const token = tokens[at];
  if (token?.indent !== 0) return undefined;
  const name = token.text === "-" ? undefined : until(tokens, at, ":");
  return name === undefined ? rest : named(name);
};

function sections(): Begins {
  let prefix = "";
  return (tokens, at, depth) => {
    const token = tokens[at];
    if (!token || token.indent < 0 || depth > 0) return undefined;
    if (token.text === "[") {
      const name = until(tokens, tokens[at + 1]?.text === "[" ? at + 2 : at + 1, "]");
      if (name === undefined) return undefined;
      prefix = `${name}.`;
      return named(name, "class");
    }
    const name = until(tokens, at, "=:");
    return name === undefined ? undefined : named(prefix + name);
  };
}

const pair: Begins = (tokens, at, depth) => {
  const token = tokens[at];
  if (!token || depth > 1 || (depth === 1 && (token.text === "}" || token.text === "]")))
    return depth <= 1 ? rest : undefined;
  if (depth === 0) return rest;
  return tokens[at + 1]?.text === ":" && token.kind !== "sign" ? named(bare(token)) : undefined;
};

const subject =
  /^(create|alter|drop)(?: or replace| temp| temporary| unique| materialized| concurrently)* (table|view|index|function|procedure|trigger|type|schema|extension|sequence|policy|role|domain)(?: concurrently| if not exists| if exists| only)* ([^ ]+)/i;
const change = /^(insert into|update|delete from|truncate|grant|revoke|comment on|copy)(?: table| column)? ([^ ]+)/i;

const statement: Begins = (tokens, at, depth) => {
  let before = tokens[at - 1];
  for (let back = at - 1; before?.kind === "comment"; back--) before = tokens[back - 1];
  if (depth > 0 || (before && before.text !== ";")) return undefined;
  let head = "";
  for (const token of tokens.slice(at, at + 14)) {
    const joined = token.text === "." || head.endsWith(".");
    head += (head === "" || joined ? "" : " ") + (token.text === "(" ? " (" : token.text.replaceAll('"', ""));
  }
  const [, verb, kind, name] = subject.exec(head) ?? [];
  if (verb && kind && name) {
    const code = /function|procedure|trigger/i.test(kind);
    return named(`${verb} ${kind} ${name}`.toLowerCase(), code ? "function" : "value");
  }
  const [, doing, on] = change.exec(head) ?? [];
  return doing && on ? named(`${doing} ${on}`.toLowerCase()) : rest;
};

const instruction: Begins = (tokens, at) => {
  const token = tokens[at];
  if (!token || token.indent < 0 || !/^[A-Za-z]+$/.test(token.text)) return undefined;
  const next = tokens[at + 1];
  return named(
    `${token.text.toUpperCase()} ${next && next.indent < 0 && next.kind !== "sign" ? bare(next) : ""}`.trim(),
  );
};

function command(): Begins {
  let inside = false;
  return (tokens, at, depth) => {
    const token = tokens[at];
    if (!token || token.indent < 0 || depth > 0 || closes.has(token.text)) return undefined;
    const names = token.text === "function" ? tokens[at + 1] : tokens[at + 1]?.text === "(" ? token : undefined;
    inside = names !== undefined;
    if (names?.kind === "word" && inside) return named(names.text, "function");
    const set = token.text === "export" || token.text === "readonly" || token.text === "local" ? at + 1 : at;
    const variable = tokens[set];
    return variable?.kind === "word" && tokens[set + 1]?.text === "=" ? named(variable.text) : rest;
  };
}

const target: Begins = (tokens, at) => {
  const token = tokens[at];
  if (token?.indent !== 0) return undefined;
  const variable = until(tokens, at, "=")?.replace(/[:?+]+$/, "");
  const made = until(tokens, at, ":");
  if (made !== undefined && (variable === undefined || made.length < variable.length)) return named(made, "function");
  return variable === undefined ? rest : named(variable);
};
