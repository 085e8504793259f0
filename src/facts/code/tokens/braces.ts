import type { SymbolKind } from "../syntax.js";
import type { Block } from "./blocks.js";
import type { Token } from "./scan.js";

const rest = "<code>";
const classes =
  /^(?:class|interface|struct|object|enum|union|namespace|extension|protocol|trait|module|contract|message|service|actor|mixin|annotation|record)$/;
const imports = /^(?:import|include|using|package|use|open)$/;
const continues = /^(?:else|catch|finally|while|where|throws|extends|implements|with|get|set)$/;
const opens = new Set(["{", "(", "["]);
const closes = new Set(["}", ")", "]"]);

/**
 * Declarations as languages with braces write them: each ends with its brace, a semicolon, or its line. What is inside
 * a class is told by `Class.member`. `rules` are those of style sheets, which are called by their selector.
 */
export function braced(tokens: readonly Token[], prefix: string, rules: boolean): Block[] {
  const blocks: Block[] = [];
  const merged = new Map<string, Block>();
  for (const construct of constructs(tokens)) {
    const { name, kind, body } = headOf(construct, rules);
    const tokensOf =
      kind === "class" && body ? [...construct.slice(0, body[0]), ...construct.slice(body[1] + 1)] : construct;
    const full = name === "<imports>" ? name : prefix + name;
    const same = merged.get(full);
    if (same) for (const token of construct) same.tokens.push(token);
    else {
      const block = { name: full, kind, tokens: tokensOf };
      if (kind === "code" || kind === "imports") merged.set(full, block);
      blocks.push(block);
    }
    if (kind === "class" && body) blocks.push(...braced(construct.slice(body[0] + 1, body[1]), `${full}.`, rules));
  }
  return blocks;
}

function constructs(tokens: readonly Token[]): Token[][] {
  const all: Token[][] = [];
  let current: Token[] = [];
  let head: Token | undefined;
  let depth = 0;
  let ended = false;
  for (const token of tokens) {
    const last = current.at(-1);
    const code = token.kind !== "comment";
    // A line of the preprocessor is one declaration.
    const directive = head?.text === "#";
    const fresh = token.indent >= 0 && depth === 0 && (directive || begins(token, last));
    if (code && current.length > 0 && (ended ? token.text !== ";" && !continues.test(token.text) : fresh)) {
      all.push(current);
      current = [];
      head = undefined;
    }
    current.push(token);
    if (!code) continue;
    head ??= token;
    if (token.kind === "sign" && opens.has(token.text)) depth++;
    if (token.kind === "sign" && closes.has(token.text)) depth = Math.max(0, depth - 1);
    ended = depth === 0 && token.kind === "sign" && (token.text === "}" || token.text === ";");
  }
  if (current.length > 0) all.push(current);
  return all;
}

/** Whether a new line is a new declaration: not after a sign that wants more, nor with one that carries on. */
function begins(token: Token, last: Token | undefined): boolean {
  if (!last || last.kind === "comment") return false;
  const carries = token.kind === "sign" && !/^[#@~[<]$/.test(token.text);
  const wants = last.kind === "sign" && !/^[)\]};>?!"']$/.test(last.text);
  return !carries && !wants && !continues.test(token.text) && (last.text === ")" ? token.indent === 0 : true);
}

interface Head {
  name: string;
  kind: SymbolKind;
  /** Where its braces are; null without. */
  body: [number, number] | null;
}

function headOf(construct: readonly Token[], rules: boolean): Head {
  const open = construct.findIndex(({ text, kind }) => kind === "sign" && text === "{");
  const close = construct.findLastIndex(({ text, kind }) => kind === "sign" && text === "}");
  const body: Head["body"] = open >= 0 && close > open ? [open, close] : null;
  const code = construct.slice(0, open < 0 ? construct.length : open).filter(({ kind }) => kind !== "comment");
  const words = code.filter(({ text }) => text !== "#");
  if (imports.test(words[0]?.text.replace("@", "") ?? "")) return { name: "<imports>", kind: "imports", body };
  if (rules) {
    const name = code
      .map(({ text }) => text)
      .join("")
      .slice(0, 80);
    return { name: body && name !== "" ? name : rest, kind: body && name !== "" ? "value" : "code", body };
  }
  if (words[0]?.text === "define" && words[1]) return { name: words[1].text, kind: "value", body };
  // `template <class T>` is no class.
  const at = code.findIndex(({ text }, index) => classes.test(text) && !/^[<,(]$/.test(code[index - 1]?.text ?? ""));
  const called = code.slice(at + 1).find(({ kind, text }) => kind === "word" && !classes.test(text));
  const parenthesis = code.findIndex(({ text }) => text === "(");
  if (at >= 0 && called && body && (parenthesis < 0 || at < parenthesis))
    return { name: called.text, kind: "class", body };
  return { ...functionOrValue(code, parenthesis), body };
}

function functionOrValue(code: readonly Token[], parenthesis: number): Pick<Head, "name" | "kind"> {
  const equals = code.findIndex(({ text, kind }) => kind === "sign" && (text === "=" || text === ":"));
  const sign = code[equals];
  // `Type::name(` is a function's name; so is `name(`, if no value stands before it.
  const single = equals >= 0 && !(sign?.text === ":" && code[equals + 1]?.text === ":");
  if (parenthesis > 0 && (!single || parenthesis < equals)) {
    const name = code[parenthesis - 1];
    const owner =
      code[parenthesis - 2]?.text === ":" || code[parenthesis - 2]?.text === "." ? code[parenthesis - 3] : undefined;
    const scope = code[parenthesis - 2]?.text === ":" ? code[parenthesis - 4] : owner;
    if (name?.kind === "word" && code.length > 1 && parenthesis > 1)
      return { name: scope?.kind === "word" ? `${scope.text}.${name.text}` : name.text, kind: "function" };
  }
  const name = code.slice(0, single ? equals : code.length).findLast(({ kind }) => kind === "word");
  return single && name && equals > 0 ? { name: name.text, kind: "value" } : { name: rest, kind: "code" };
}
