import type { Grammar } from "./languages/grammar.js";
import { partsOf, type SyntaxNode, walk } from "./syntax.js";

/** Parts of a pattern that say what is taken apart, not what the pieces are called. */
const notBound = new Set(["type", "default", "value", "object", "callee", "index"]);

/**
 * The names bound inside functions of these nodes. The parameters of `definition` are not among them, as callers may use
 * those; those of functions inside it are.
 */
export function localsOf(
  nodes: readonly SyntaxNode[],
  definition: SyntaxNode | null,
  { grammar, text }: { grammar: Grammar; text: string },
): ReadonlySet<string> {
  const finder = new Finder(grammar, text, definition);
  for (const node of nodes) finder.search(node, false);
  for (const name of finder.kept) finder.bound.delete(name);
  return finder.bound;
}

class Finder {
  readonly bound = new Set<string>();
  readonly kept = new Set<string>();
  private readonly variables: ReadonlySet<string>;
  private readonly outward: ReadonlySet<string>;

  constructor(
    private readonly grammar: Grammar,
    private readonly text: string,
    private readonly definition: SyntaxNode | null,
  ) {
    this.variables = new Set(grammar.variables);
    this.outward = new Set(grammar.outward);
  }

  search(node: SyntaxNode, inside: boolean): void {
    const deeper = inside || node.role === "function";
    if (node.role === "function") this.enter(node, inside);
    else if (inside) this.statement(node);
    for (const child of node.children) if (child.named) this.search(child, deeper);
  }

  private enter(node: SyntaxNode, inside: boolean): void {
    const parameters = partsOf(node, "parameter");
    const into = node === this.definition ? this.kept : this.bound;
    for (const each of [...parameters, ...partsOf(node, "receiver")]) this.bind(each, into);
    // A method's name belongs to its class or object.
    const method = node.parent?.role === "map" || node.parent?.parent?.role === "class";
    if (inside && !method) for (const name of partsOf(node, "name")) this.bind(name, this.bound);
  }

  private statement(node: SyntaxNode): void {
    if (node.role === "declare" && node.parent?.parent?.role !== "class") this.bindParts(node, "name");
    else if (node.role === "loop") this.bindParts(node, "target");
    else if (node.role === "catch" || node.role === "switch" || node.role === "binary") this.bindParts(node, "name");
    else if (node.role === "assign" && this.grammar.assignmentBinds) this.bindParts(node, "target");
    else if (this.outward.has(node.type)) {
      for (const each of walk(node)) if (this.variables.has(each.type)) this.kept.add(this.source(each));
    }
  }

  private bindParts(node: SyntaxNode, part: string): void {
    for (const each of partsOf(node, part)) this.bind(each, this.bound);
  }

  private bind(node: SyntaxNode, into: Set<string>): void {
    if (this.variables.has(node.type)) into.add(this.source(node));
    if (node.role === "member" || node.role === "subscript" || node.role === "call") return;
    for (const child of node.children) {
      const key = child.part === "key" && node.children.some(({ part }) => part === "value");
      const value = child.part === "value" && node.role === "pair";
      if (child.named && !key && (value || !notBound.has(child.part ?? ""))) this.bind(child, into);
    }
  }

  private source(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }
}
