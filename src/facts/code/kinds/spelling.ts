import { type CodeText, partOf, type SyntaxNode } from "../syntax.js";
import { cut } from "./kind.js";

/** Beyond it a spelling is cut: long expressions are told by their beginning. */
const longest = 120;

const sameOperator: Record<string, string> = {
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "&&": "and",
  "||": "or",
  is: "==",
  "is not": "!=",
};
const turned: Record<string, string> = { ">": "<", ">=": "<=" };
const nothing = new Set(["None", "null", "undefined", "nil", "nullptr", "NULL"]);
const spaced = new Set([
  "and",
  "or",
  "==",
  "!=",
  "<",
  "<=",
  "in",
  "not in",
  "+",
  "-",
  "*",
  "/",
  "??",
  "=",
  "=>",
  "?",
  "if",
  "else",
]);

/**
 * How expressions are compared: a chain keeps its last name (`self.x`, `obj.x` and `x` agree), bound locals are `_`,
 * strings have one quote style, comparisons one direction, and the words for nothing are one. `shown` is the same with
 * the locals' names, for labels.
 */
export class Spelling {
  private readonly kept = new Map<SyntaxNode, string>();

  constructor(
    readonly text: CodeText,
    private readonly locals: ReadonlySet<string>,
  ) {}

  /** Of a node that is not there: empty. */
  of(node: SyntaxNode | undefined): string {
    if (!node) return "";
    const before = this.kept.get(node);
    if (before !== undefined) return before;
    const spelled = cut(this.spell(node, this.locals, 0), longest);
    this.kept.set(node, spelled);
    return spelled;
  }

  shown(node: SyntaxNode | undefined): string {
    return node ? cut(this.spell(node, none, 0), longest) : "";
  }

  /** As it is written. */
  source(node: SyntaxNode | undefined): string {
    return node ? this.text.text.slice(node.start, node.end) : "";
  }

  isLocal(name: string): boolean {
    return this.locals.has(name);
  }

  /** What a test asks to be missing (`x is None`, `!x`), as shown; undefined for other tests. */
  missing(condition: SyntaxNode | undefined): string | undefined {
    const node = bare(condition);
    if (node?.role === "unary" && this.operator(node) === "not") return this.subject(partOf(node, "value"));
    return this.againstNothing(node, "==");
  }

  /** What a test asks to be there (`x`, `x != null`), as shown; undefined for other tests. */
  present(condition: SyntaxNode | undefined): string | undefined {
    const node = bare(condition);
    return this.subject(node) ?? this.againstNothing(node, "!=");
  }

  private againstNothing(node: SyntaxNode | undefined, operator: string): string | undefined {
    if (node?.role !== "binary" || this.operator(node) !== operator) return undefined;
    const sides = [partOf(node, "left"), partOf(node, "right")];
    const empty = sides.find((side) => side && nothing.has(this.source(side)));
    return empty && this.shown(sides.find((side) => side !== empty));
  }

  private subject(node: SyntaxNode | undefined): string | undefined {
    const inner = bare(node);
    return inner?.role === "name" || inner?.role === "member" ? this.shown(inner) : undefined;
  }

  private operator(node: SyntaxNode): string {
    const own = partOf(node, "operator");
    const written = own
      ? this.source(own).replace(/\s+/g, " ")
      : node.children
          .filter((child) => !child.named)
          .map((child) => this.source(child))
          .join(" ");
    if (node.role === "unary" && written === "!") return "not";
    return sameOperator[written] ?? written;
  }

  private spell(node: SyntaxNode, locals: ReadonlySet<string>, depth: number): string {
    if (depth > 40) return "…";
    const inner = bare(node) ?? node;
    const next = (child: SyntaxNode | undefined) => (child ? this.spell(child, locals, depth + 1) : "");
    switch (inner.role) {
      case "comment":
        return "";
      case "block":
        return "…";
      case "string":
        return this.string(inner);
      case "constant":
        return nothing.has(this.source(inner)) ? "null" : this.source(inner).toLowerCase();
      case "member":
        return this.source(partOf(inner, "name")) || join(inner.children.map(next));
      case "unary":
        return this.unary(inner, next);
      case "binary":
        return this.binary(inner, next);
      case "function":
        return "(…) => …";
      default:
    }
    if (inner.children.length > 0) return join(inner.children.map(next).filter((part) => part !== ""));
    const written = this.source(inner);
    return inner.role === "name" && locals.has(written) ? "_" : written;
  }

  private string(node: SyntaxNode): string {
    const holes = node.children.some((child) => child.role === "hole");
    if (holes) return '"…"';
    const pieces = node.children.filter((child) => child.role === "text").map((child) => this.source(child));
    return JSON.stringify(pieces.length > 0 ? pieces.join("") : unquoted(this.source(node)));
  }

  private unary(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string): string {
    const operator = this.operator(node);
    const value = next(partOf(node, "value") ?? node.children.find(({ named }) => named));
    return operator === "not" ? `not ${value}` : `${operator}${value}`;
  }

  private binary(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string): string {
    const operator = this.operator(node);
    const [left, right] = [next(partOf(node, "left")), next(partOf(node, "right"))];
    const turn = turned[operator];
    if (turn) return `${right} ${turn} ${left}`;
    // Which side a constant stands on means nothing.
    if ((operator === "==" || operator === "!=") && left === "null") return `${right} ${operator} ${left}`;
    return `${left} ${operator} ${right}`;
  }
}

const none: ReadonlySet<string> = new Set();

/** Without the parentheses around it. */
export function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  while (inner && inner.role === null && inner.children[0]?.type === "(" && inner.children.at(-1)?.type === ")") {
    const named = inner.children.filter((child) => child.named && child.role !== "comment");
    const [only] = named;
    if (named.length !== 1 || !only) break;
    inner = only;
  }
  return inner;
}

function unquoted(source: string): string {
  const [, , inner] = /^[a-zA-Z]*("""|'''|"|'|`)([\s\S]*)\1$/.exec(source) ?? [];
  return inner ?? source;
}

function join(parts: readonly string[]): string {
  let joined = "";
  for (const part of parts) {
    const words = /[\p{L}\p{N}_"'…]$/u.test(joined) && /^[\p{L}\p{N}_"'…]/u.test(part);
    const wide =
      spaced.has(part) || spaced.has(/\S+$/.exec(joined)?.[0] ?? "") || joined.endsWith(",") || joined.endsWith(":");
    joined += joined !== "" && (words || wide) ? ` ${part}` : part;
  }
  return joined;
}

/** The text of a string without holes; undefined for anything else. */
export function stringOf(node: SyntaxNode | undefined, text: CodeText): string | undefined {
  const inner = bare(node);
  if (inner?.role !== "string" || inner.children.some((child) => child.role === "hole")) return undefined;
  const pieces = inner.children.filter((child) => child.role === "text");
  if (pieces.length > 0) return pieces.map((piece) => text.text.slice(piece.start, piece.end)).join("");
  return unquoted(text.text.slice(inner.start, inner.end));
}

/** The name by which something is called or used: the last of a chain. */
export function lastName(node: SyntaxNode | undefined, text: CodeText): string {
  const inner = bare(node);
  if (!inner) return "";
  if (inner.role === "member") return lastName(partOf(inner, "name"), text);
  if (inner.role === "call") return lastName(partOf(inner, "callee"), text);
  return inner.children.length === 0 || inner.role === "name" ? text.text.slice(inner.start, inner.end) : "";
}

/** The nearest node around this one with one of these roles, inside the same function. */
export function around(node: SyntaxNode, roles: ReadonlySet<string>): SyntaxNode | undefined {
  for (let outer = node.parent; outer; outer = outer.parent) {
    if (outer.role && roles.has(outer.role)) return outer;
    if (outer.role === "function" || outer.role === "class") return undefined;
  }
  return undefined;
}
