import { createHash } from "node:crypto";
import { type CodeText, partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { cut } from "./kind.js";
import { bare, nothing, operatorOf } from "./reading.js";

/** Beyond it a spelling is cut: long expressions are told by their beginning. */
const longest = 120;
const deepest = 40;

const itself = /^(?:self|this|super|cls|\$this)$/;
const turned: Record<string, string> = { ">": "<", ">=": "<=" };
/** Exact opposites. `<` and `>=` are none: neither holds where one side is not a number. */
const opposite: Record<string, string> = { "==": "!=", "!=": "==", in: "not in", "not in": "in", and: "or", or: "and" };
const spaced = new Set("and or == != in not in ?? = => ? if else for : as".split(" "));
const meaningless = new Set(["(", ")", ",", ";"]);
/** What separates words wherever a grammar names it: nothing of the program. */
const tight = /^[.!)\]}]/;

/**
 * How expressions are compared: a chain keeps its last name (`self.x`, `obj.x` and `x` agree), bound locals are `_`,
 * strings have one quote style, comparisons one direction, the words for nothing are one, and what is denied as a whole
 * is denied part by part. `shown` is the same with the locals' names, for labels.
 */
export class Spelling {
  /** Expressions stand in expressions, and every kind asks for its own: each is spelled once. */
  private readonly canonical = new Map<SyntaxNode, string>();
  private readonly named = new Map<SyntaxNode, string>();

  constructor(
    readonly text: CodeText,
    private readonly locals: ReadonlySet<string>,
  ) {}

  /**
   * Of a node that is not there: empty. Two expressions that begin alike and are too long to tell whole differ by a
   * number at the end.
   */
  of(node: SyntaxNode | undefined, length = longest): string {
    if (!node) return "";
    const spelled = this.spell(node, this.locals, 0);
    if (spelled.length <= length) return spelled;
    return `${cut(spelled, length - 9)}#${this.digest(node)}`;
  }

  shown(node: SyntaxNode | undefined, length = longest): string {
    return node ? cut(this.spell(node, none, 0), length) : "";
  }

  /** As it is written. */
  source(node: SyntaxNode | undefined): string {
    return node ? this.text.text.slice(node.start, node.end) : "";
  }

  isLocal(name: string): boolean {
    return this.locals.has(name);
  }

  private spell(node: SyntaxNode, locals: ReadonlySet<string>, depth: number): string {
    const kept = locals === none ? this.named : this.canonical;
    const before = kept.get(node);
    if (before !== undefined) return before;
    const spelled = depth > deepest ? "…" : this.spellAnew(node, locals, depth);
    kept.set(node, spelled);
    return spelled;
  }

  private spellAnew(node: SyntaxNode, locals: ReadonlySet<string>, depth: number): string {
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
        return this.member(inner, next);
      case "unary":
        return this.unary(inner, next);
      case "binary":
        return this.binary(inner, next);
      case "function":
        return "(…) => …";
      default:
    }
    if (inner.children.length > 0) return join(inner.children, next);
    return this.leaf(inner, locals);
  }

  /** The last name of a chain. What a literal or a call without arguments is asked of says more than its name. */
  private member(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string): string {
    const name = this.source(partOf(node, "name"));
    const object = bare(partOf(node, "object"));
    const asks = node.part === "callee" && node.parent?.children.every(({ part }) => part !== "argument");
    const literal = object?.role === "string" || object?.role === "list" || object?.role === "map";
    const plain = object?.role === "name" || object?.role === "member";
    // `requests.Session()` and `Session()` make the same.
    const owned = asks && plain && !itself.test(this.source(object)) && !/^[A-Z]/.test(name);
    if (literal || owned) return `${next(object)}.${name}`;
    return name || join(node.children, next);
  }

  private leaf(node: SyntaxNode, locals: ReadonlySet<string>): string {
    const written = cut(this.source(node), longest + 1);
    if (nothing.has(written)) return "null";
    return node.role === "name" && locals.has(written) ? "_" : written;
  }

  private string(node: SyntaxNode): string {
    if (node.children.some(({ role }) => role === "hole")) return '"…"';
    const pieces = node.children.filter(({ role }) => role === "text").map((child) => this.source(child));
    return cut(JSON.stringify(pieces.length > 0 ? pieces.join("") : unquoted(this.source(node))), longest + 1);
  }

  private unary(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string): string {
    const operator = operatorOf(node, this.text);
    const inner = bare(partOf(node, "value") ?? node.children.find(({ named }) => named));
    if (operator === "not" && inner?.role === "binary") return this.denied(inner, next, 0);
    const value = inner && this.joinedBy(inner) ? `(${next(inner)})` : next(inner);
    return /\w$/.test(operator) ? `${operator} ${value}` : `${operator}${value}`;
  }

  /** `not (a or b)` is `not a and not b`, and `not (a == b)` is `a != b`. */
  private denied(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string, depth: number): string {
    const inner = bare(node) ?? node;
    const operator = inner.role === "binary" || inner.role === "unary" ? operatorOf(inner, this.text) : "";
    // Denied twice it is no longer the value itself, but whether there is one.
    if (inner.role === "unary" && operator === "not") return `not (${next(inner)})`;
    if (inner.role !== "binary") return `not ${next(inner)}`;
    const other = Object.hasOwn(opposite, operator) ? opposite[operator] : undefined;
    const right = partsOf(inner, "right");
    const left = partOf(inner, "left");
    if (!other || !left || !right[0] || right.length > 1 || depth > deepest) return `not (${next(inner)})`;
    if (operator !== "and" && operator !== "or") return this.compared(inner, other, next);
    const sides = [left, right[0]].map((side) => {
      const own = bare(side);
      const joint = own?.role === "binary" ? operatorOf(own, this.text) : "";
      const spelled = this.denied(side, next, depth + 1);
      return (joint === "and" || joint === "or") && joint !== operator ? `(${spelled})` : spelled;
    });
    return sides.join(` ${other} `);
  }

  private binary(node: SyntaxNode, next: (child: SyntaxNode | undefined) => string): string {
    // `a < b < c`
    if (partsOf(node, "right").length !== 1) return node.children.map(next).join(" ");
    return this.compared(node, operatorOf(node, this.text), next);
  }

  private compared(node: SyntaxNode, operator: string, next: (child: SyntaxNode | undefined) => string): string {
    const absent = operator === "==" || operator === "!=" ? this.askedForUndefined(node) : undefined;
    if (absent) return `${next(absent)} ${operator} null`;
    const left = this.side(partOf(node, "left"), operator, next);
    const right = this.side(partOf(node, "right"), operator, next);
    const turn = turned[operator];
    if (turn) return `${right} ${turn} ${left}`;
    // Which side a constant stands on means nothing.
    if ((operator === "==" || operator === "!=") && /^(?:null$|"|-?\d)/.test(left)) {
      return `${right} ${operator} ${left}`;
    }
    return `${left} ${operator} ${right}`;
  }

  /** The operator between the parts of a spelling. */
  private joinedBy(node: SyntaxNode): string | undefined {
    if (node.role === "binary") return operatorOf(node, this.text);
    if (node.role !== "unary" || operatorOf(node, this.text) !== "not") return undefined;
    const value = bare(partOf(node, "value") ?? node.children.find(({ named }) => named));
    const operator = value?.role === "binary" ? operatorOf(value, this.text) : "";
    return Object.hasOwn(opposite, operator) ? opposite[operator] : undefined;
  }

  /** `x` in `typeof x === "undefined"`. */
  private askedForUndefined(node: SyntaxNode): SyntaxNode | undefined {
    const sides = [bare(partOf(node, "left")), bare(partOf(node, "right"))];
    const asks = sides.find((side) => side?.role === "unary" && operatorOf(side, this.text) === "typeof");
    if (!asks || !sides.some((side) => stringOf(side, this.text) === "undefined")) return undefined;
    return partOf(asks, "value") ?? asks.children.find(({ named }) => named);
  }

  /** Grammars leave out brackets, or have them where they mean nothing: here they stand where operators differ. */
  private side(
    node: SyntaxNode | undefined,
    operator: string,
    next: (child: SyntaxNode | undefined) => string,
  ): string {
    const inner = bare(node);
    const own = (inner && this.joinedBy(inner)) ?? operator;
    const joins = (operator === "and" || operator === "or") && own !== "and" && own !== "or";
    return own === operator || joins ? next(inner) : `(${next(inner)})`;
  }

  /** A number for the whole of a long expression: the same for the same program text. */
  private digest(node: SyntaxNode): string {
    const hash = createHash("sha256");
    for (const each of walk(node)) {
      if (each.role === "string" && each.children.every(({ role }) => role !== "hole")) {
        hash.update(stringOf(each, this.text) ?? "");
      } else if (each.children.length === 0 && each.role !== "comment" && !meaningless.has(each.type)) {
        const written = this.source(each).trim();
        if (each.part !== "piece" && !/^["'`]+$/.test(written)) hash.update(this.locals.has(written) ? "_" : written);
      }
      hash.update("\u0001");
    }
    return hash.digest("hex").slice(0, 8);
  }
}

const none: ReadonlySet<string> = new Set();

function unquoted(source: string): string {
  const [, , inner] = /^[a-zA-Z@$]*("""|'''|"|'|`)([\s\S]*)\1$/.exec(source) ?? [];
  return inner ?? source;
}

/** Children one after the other, by words; it ends where nobody would read on. */
function join(children: readonly SyntaxNode[], spell: (child: SyntaxNode) => string): string {
  let joined = "";
  let last = "";
  for (const [index, child] of children.entries()) {
    // A comma before the end says nothing.
    if (child.type === "," && closes(children, index)) continue;
    const part = spell(child);
    if (part === "") continue;
    const words = /[\p{L}\p{N}_"'…)\]}]$/u.test(last) && /^[\p{L}\p{N}_"'…]/u.test(part);
    const wide = (spaced.has(part) && part !== ":") || spaced.has(last) || last === ",";
    joined += joined !== "" && (words || wide) && !tight.test(part) ? ` ${part}` : part;
    last = part;
    if (joined.length > longest) break;
  }
  return joined;
}

function closes(children: readonly SyntaxNode[], index: number): boolean {
  const follower = children.slice(index + 1).find(({ role }) => role !== "comment");
  return follower === undefined || /^[)\]}>]$/.test(follower.type);
}

/** The text of a string without holes; undefined for anything else. */
export function stringOf(node: SyntaxNode | undefined, text: CodeText): string | undefined {
  const inner = bare(node);
  if (inner?.role !== "string" || inner.children.some(({ role }) => role === "hole")) return undefined;
  const pieces = inner.children.filter(({ role }) => role === "text");
  if (pieces.length > 0) return pieces.map((piece) => text.text.slice(piece.start, piece.end)).join("");
  return unquoted(text.text.slice(inner.start, inner.end));
}
