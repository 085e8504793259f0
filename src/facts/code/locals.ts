import type { Grammar } from "./languages/grammar.js";
import { partsOf, type Role, type SyntaxNode, walk } from "./syntax.js";

/** Parts of a pattern that say what is taken apart, not what the pieces are called. */
const notBound = new Set(["type", "default", "value", "object", "callee", "index"]);
/** What has names of its own in languages that declare them by block. */
const narrow: ReadonlySet<Role> = new Set<Role>(["function", "block", "loop", "catch", "case"]);
const wide: ReadonlySet<Role> = new Set<Role>(["function"]);

/** `own`: renaming it means nothing. `kept`: callers or other files use it. `outer`: the scope around binds it. */
export type Binding = "own" | "kept" | "outer";

export interface Locals {
  /** All names bound inside functions, the parameters of the definition itself not among them. */
  names: ReadonlySet<string>;
  /** What each function, and each block where blocks have names, binds. */
  scopes: ReadonlyMap<SyntaxNode, ReadonlyMap<string, Binding>>;
}

/**
 * The names bound inside functions of these nodes. The parameters of `definition` keep their names, as callers may use
 * them; those of functions inside it do not.
 */
export function localsOf(
  nodes: readonly SyntaxNode[],
  definition: SyntaxNode | null,
  { grammar, text }: { grammar: Grammar; text: string },
): Locals {
  const finder = new Finder(grammar, text, definition);
  for (const node of nodes) finder.search(node, []);
  const names = new Set<string>();
  for (const bound of finder.scopes.values()) for (const [name, how] of bound) if (how === "own") names.add(name);
  const own = definition && finder.scopes.get(definition);
  for (const [name, how] of own ?? []) if (how === "kept") names.delete(name);
  return { names, scopes: finder.scopes };
}

class Finder {
  readonly scopes = new Map<SyntaxNode, Map<string, Binding>>();
  private readonly variables: ReadonlySet<string>;
  private readonly outward: ReadonlySet<string>;
  private readonly scoped: ReadonlySet<Role>;

  constructor(
    private readonly grammar: Grammar,
    private readonly text: string,
    private readonly definition: SyntaxNode | null,
  ) {
    this.variables = new Set(grammar.variables);
    this.outward = new Set(grammar.outward);
    this.scoped = grammar.assignmentBinds ? wide : narrow;
  }

  /** `around` are the scopes the node is in, the innermost last; none outside functions. */
  search(node: SyntaxNode, around: readonly SyntaxNode[]): void {
    const opens = node.role && this.scoped.has(node.role) && (node.role === "function" || around.length > 0);
    const inside = opens ? [...around, node] : around;
    if (node.role === "function") this.enter(node, around);
    else if (inside.length > 0) this.statement(node, inside);
    for (const child of node.children) if (child.named) this.search(child, inside);
  }

  private enter(node: SyntaxNode, around: readonly SyntaxNode[]): void {
    const how = node === this.definition ? "kept" : "own";
    for (const each of [...partsOf(node, "parameter"), ...partsOf(node, "receiver")]) this.bind(each, node, how);
    // A method's name belongs to its class or object.
    const method = node.parent?.role === "map" || node.parent?.parent?.role === "class";
    const outer = around.at(-1);
    if (outer && !method) for (const name of partsOf(node, "name")) this.bind(name, outer, "own");
  }

  private statement(node: SyntaxNode, inside: readonly SyntaxNode[]): void {
    const scope = inside.at(-1);
    if (!scope) return;
    if (node.role === "declare" && node.parent?.parent?.role !== "class") {
      // JavaScript's `var` is the whole function's.
      const hoisted = node.parent?.type === this.grammar.hoisting;
      const owner = hoisted ? inside.findLast(({ role }) => role === "function") : scope;
      this.bindParts(node, "name", owner ?? scope);
    } else if (node.role === "loop") this.bindParts(node, "target", scope);
    else if (node.role === "catch" || node.role === "switch" || node.role === "binary")
      this.bindParts(node, "name", scope);
    else if (node.role === "assign" && this.grammar.assignmentBinds) {
      for (const each of partsOf(node, "target")) this.bind(each, this.assignedIn(each, inside), "own");
    } else if (this.outward.has(node.type) || node.type === this.grammar.enclosing) {
      const how = node.type === this.grammar.enclosing ? "outer" : "kept";
      for (const each of walk(node)) if (this.variables.has(each.type)) this.note(this.source(each), scope, how);
    }
  }

  private assignedIn(target: SyntaxNode, inside: readonly SyntaxNode[]): SyntaxNode {
    const name = this.source(target);
    const bound = this.grammar.assignsOutward && inside.find((scope) => this.scopes.get(scope)?.has(name));
    return bound || (inside.at(-1) ?? target);
  }

  private bindParts(node: SyntaxNode, part: string, scope: SyntaxNode): void {
    for (const each of partsOf(node, part)) this.bind(each, scope, "own");
  }

  private bind(node: SyntaxNode, scope: SyntaxNode, how: Binding): void {
    if (this.variables.has(node.type)) this.note(this.source(node), scope, how);
    if (node.role === "member" || node.role === "subscript" || node.role === "call") return;
    for (const child of node.children) {
      const key = child.part === "key" && node.children.some(({ part }) => part === "value");
      const value = child.part === "value" && node.role === "pair";
      if (child.named && !key && (value || !notBound.has(child.part ?? ""))) this.bind(child, scope, how);
    }
  }

  private note(name: string, scope: SyntaxNode, how: Binding): void {
    const bound = this.scopes.get(scope) ?? new Map<string, Binding>();
    // What must keep its name does so wherever else it is bound.
    const before = bound.get(name);
    bound.set(name, before === undefined || before === "own" ? how : before);
    this.scopes.set(scope, bound);
  }

  private source(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }
}
