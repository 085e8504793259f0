import type { Grammar } from "./languages/grammar.js";
import type { Locals } from "./locals.js";
import { partOf, type Role, type SyntaxNode } from "./syntax.js";

/** What binds as tightly as anything: parentheses around it never mean anything. */
const primary: ReadonlySet<Role> = new Set<Role>([
  "name",
  "string",
  "number",
  "constant",
  "call",
  "member",
  "subscript",
  "list",
  "map",
  "argument",
  "comment",
]);
/** What takes a looser expression only in parentheses. */
const operators: ReadonlySet<Role> = new Set<Role>(["binary", "unary", "choose", "await", "member", "subscript"]);
const closing = /^[)\]}>|]$/;
/** One character is not a string of one, whatever its quotes. */
const characters = new Set(["rune_literal", "character_literal", "char_literal"]);
/** Parentheses among it: those that mean something are nodes or brackets. */
const layout = /[\s()]+|\\\r?\n/g;
const braces = new Set(["{", "}"]);
const parentheses = new Set(["(", ")"]);

/**
 * Tokens without comments, layout, quote style, trailing commas, optional semicolons and parentheses that mean nothing;
 * `locals` are numbered in order of appearance. Where operators nest, brackets say how, whether or not the text has
 * parentheses there. Two symbols with equal tokens are the same program.
 */
export function normalFormOf(
  nodes: readonly SyntaxNode[],
  locals: Locals,
  { grammar, text }: { grammar: Grammar; text: string },
): string[] {
  const writer = new Writer(grammar, text, locals);
  for (const node of nodes) {
    writer.write(node);
    writer.tokens.push("⏎");
  }
  return writer.tokens;
}

class Writer {
  readonly tokens: string[] = [];
  private readonly numbers = new Map<SyntaxNode, Map<string, string>>();
  private readonly inside: SyntaxNode[] = [];
  private count = 0;
  private readonly variables: ReadonlySet<string>;
  private readonly bareLists: ReadonlySet<string>;

  constructor(
    private readonly grammar: Grammar,
    private readonly text: string,
    private readonly locals: Locals,
  ) {
    this.variables = new Set(grammar.variables);
    this.bareLists = new Set(grammar.bareLists);
  }

  write(node: SyntaxNode): void {
    const scoped = this.locals.scopes.has(node);
    if (scoped) this.inside.push(node);
    this.node(node);
    if (scoped) this.inside.pop();
  }

  private node(node: SyntaxNode): void {
    if (node.role === "comment" || isDocumentation(node, this.grammar)) return;
    if (node.role === "string") this.string(node);
    else if (node.children.length === 0 || this.variables.has(node.type)) this.leaf(node);
    else if (node.role === "block") this.block(node);
    else this.inner(node);
  }

  private block(node: SyntaxNode): void {
    this.tokens.push("⇥");
    let end = node.start;
    for (const [at, child] of node.children.entries()) {
      this.between(end, child.start);
      end = child.end;
      if (!child.named && (braces.has(child.type) || this.isLayout(child, node, at))) continue;
      const before = this.tokens.length;
      this.write(child);
      if (child.named && this.tokens.length > before) this.tokens.push("⏎");
    }
    this.between(end, node.end);
    this.tokens.push("⇤");
  }

  /** Grammars leave out some of the text between nodes; what is not layout there counts too. */
  private between(from: number, to: number): void {
    if (to <= from) return;
    const missed = this.text.slice(from, to).replace(layout, "");
    if (missed !== "") this.tokens.push(missed);
  }

  private inner(node: SyntaxNode): void {
    const bare = this.bareLists.has(node.type);
    const brackets = bare || needsBrackets(node);
    if (brackets) this.tokens.push("‹");
    const { children } = node;
    let end = node.start;
    for (let at = 0; at < children.length; at++) {
      const child = children[at];
      if (!child) continue;
      this.between(end, child.start);
      end = child.end;
      if (!child.named && this.isLayout(child, node, at)) continue;
      if (bare && parentheses.has(child.type)) continue;
      this.write(child);
    }
    this.between(end, node.end);
    if (brackets) this.tokens.push("›");
  }

  private isLayout(token: SyntaxNode, parent: SyntaxNode, at: number): boolean {
    if (token.type === ";") return !this.grammar.semicolons && parent.role !== "loop";
    if (token.type === "," || token.type === "\n") return isTrailing(parent, at);
    // A parameter alone may stand without them.
    return parentheses.has(token.type) && parent.role === "function";
  }

  private leaf(node: SyntaxNode): void {
    if (node.end === node.start) return;
    const source = this.text.slice(node.start, node.end);
    if (!this.variables.has(node.type)) {
      if (node.type === "property_identifier" && node.part === "key") this.tokens.push(JSON.stringify(source));
      else if (node.named || source.trim() !== "") this.tokens.push(node.named ? source.replace(/\s+/g, " ") : source);
      return;
    }
    // `{ a }` says `{ a: a }`.
    if (node.type.startsWith("shorthand_property")) this.tokens.push(JSON.stringify(source), ":");
    this.tokens.push(isVariable(node) ? this.numbered(source, node) : source);
  }

  /** A bound name by its number among those of the symbol, any other name as it is. */
  private numbered(name: string, node: SyntaxNode): string {
    for (let at = this.inside.length - 1; at >= 0; at--) {
      const scope = this.inside[at];
      const how = scope && this.locals.scopes.get(scope)?.get(name);
      // A function's own name is the business of what is around it.
      if (!scope || how === undefined || how === "outer" || ownName(node, scope)) continue;
      if (how === "kept") return name;
      const numbers = this.numbers.get(scope) ?? new Map<string, string>();
      const number = numbers.get(name) ?? `§${++this.count}`;
      this.numbers.set(scope, numbers.set(name, number));
      return number;
    }
    return name;
  }

  private string(node: SyntaxNode): void {
    const source = this.text.slice(node.start, node.end);
    if (characters.has(node.type)) {
      this.tokens.push(source);
      return;
    }
    const raw = this.grammar.raw.test(source) && source.includes("\\") ? "r" : "";
    const meaning = raw + (/^[a-zA-Z]{0,2}(?=["'])/.exec(source)?.[0].toLowerCase().includes("b") ? "b" : "");
    const pieces = node.children.filter(({ role }) => role === "text" || role === "hole");
    const holes = pieces.some(({ role }) => role === "hole");
    let written = pieces.length === 0 ? unquoted(source) : "";
    let end = pieces[0]?.start ?? node.end;
    for (const piece of pieces) {
      written += this.text.slice(end, Math.max(end, piece.start));
      end = piece.end;
      if (piece.role === "text") written += this.text.slice(piece.start, piece.end).replace(/\\(['"`])/g, "$1");
      else if (holes && piece.role === "hole") {
        this.tokens.push(meaning + JSON.stringify(written), "+");
        written = "";
        this.write(piece);
        this.tokens.push("+");
      }
    }
    this.tokens.push(meaning + JSON.stringify(written));
  }
}

function unquoted(source: string): string {
  return /^[a-zA-Z]*("""|'''|["'`])([\s\S]*)\1$/.exec(source)?.[2] ?? source;
}

function ownName(node: SyntaxNode, scope: SyntaxNode): boolean {
  return scope.role === "function" && node.part === "name" && node.parent === scope;
}

/** Names of members, named arguments and keys are no variables, even if a local is called the same. */
function isVariable(node: SyntaxNode): boolean {
  if (node.part === "name") return node.parent?.role !== "member" && node.parent?.role !== "argument";
  return true;
}

function isTrailing(parent: SyntaxNode, at: number): boolean {
  let next = at + 1;
  while (parent.children[next]?.role === "comment") next++;
  const follower = parent.children[next];
  if (follower && (follower.named || !closing.test(follower.type))) return false;
  const elements = parent.children.filter(({ named, role }) => named && role !== "comment");
  // `(1,)` is a list of one, `(1)` is not.
  return !(parent.role === "list" && elements.length === 1 && parent.children[0]?.type === "(");
}

function needsBrackets(node: SyntaxNode): boolean {
  const outer = node.parent?.role;
  if (!outer || !node.named || node.part === null || (node.role && primary.has(node.role))) return false;
  return operators.has(outer) || (outer === "call" && node.part === "callee");
}

/** A string that stands alone at the beginning of a body. */
export function isDocumentation(node: SyntaxNode, grammar: Grammar): boolean {
  if (!grammar.docstrings || node.type !== "expression_statement" || node.children.length !== 1) return false;
  const [only] = node.children;
  if (only?.role !== "string" || only.children.some(({ role }) => role === "hole")) return false;
  const first = node.parent?.children.find(({ named, role }) => named && role !== "comment");
  const owner = node.parent?.parent;
  return first === node && (!owner || partOf(owner, "body") === node.parent);
}
