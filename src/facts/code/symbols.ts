import { declares, headOf, holdsDefinitions, wordsOf } from "./declarations.js";
import type { Grammar } from "./languages/grammar.js";
import { localsOf } from "./locals.js";
import { isDocumentation, normalFormOf } from "./normal-form.js";
import { type CodeSymbol, partOf, partsOf, type SymbolKind, type SyntaxNode } from "./syntax.js";

interface Draft {
  name: string;
  kind: SymbolKind;
  nodes: SyntaxNode[];
  definition: SyntaxNode | null;
  documentation: string;
  exported: boolean;
}

/** Where a declaration stands: in which class, and behind which keywords. */
interface Scope {
  prefix: string;
  owner: boolean | undefined;
  /** The node that stands for the declaration: with its `export` and its decorators. */
  outer: SyntaxNode | null;
  words: ReadonlySet<string>;
}

const longestName = 80;

/**
 * What of a text is compared one with one, by name. Methods are symbols of their own, functions inside functions belong
 * to theirs; a class is its head.
 */
export function symbolsOf(root: SyntaxNode, text: string, grammar: Grammar): Map<string, CodeSymbol> {
  const collector = new Collector(text, grammar);
  collector.all(root.children, { prefix: "", owner: undefined, outer: null, words: new Set() });
  const symbols = new Map<string, CodeSymbol>();
  for (const [name, draft] of collector.drafts) {
    const exported = draft.exported || collector.listed.has(name);
    symbols.set(name, finished({ ...draft, exported }, text, grammar));
  }
  return symbols;
}

function finished(draft: Draft, text: string, grammar: Grammar): CodeSymbol {
  const language = { grammar, text };
  const locals = localsOf(draft.nodes, draft.definition, language);
  return {
    ...draft,
    locals: locals.names,
    normalForm: normalFormOf(draft.nodes, locals, language),
    line: Math.min(...draft.nodes.map(({ line }) => line)),
    endLine: Math.max(...draft.nodes.map(({ endLine }) => endLine)),
  };
}

class Collector {
  readonly drafts = new Map<string, Draft>();
  readonly listed = new Set<string>();
  private readonly counts = new Map<string, number>();
  private comments: SyntaxNode[] = [];

  constructor(
    private readonly text: string,
    private readonly grammar: Grammar,
  ) {}

  all(nodes: readonly SyntaxNode[], scope: Scope): void {
    let comments: SyntaxNode[] = [];
    let end = 0;
    for (const node of nodes) {
      if (node.role === "comment") {
        // One behind code is about that code.
        if (node.line === end) continue;
        if (node.line > (comments.at(-1)?.endLine ?? 0) + 1) comments = [];
        comments.push(node);
      } else if (node.named) {
        this.comments = node.line <= (comments.at(-1)?.endLine ?? -1) + 1 ? comments : [];
        this.visit(node, scope);
        comments = [];
        end = node.endLine;
      }
    }
  }

  private visit(node: SyntaxNode, scope: Scope): void {
    if (node.role === "import") this.add("<imports>", "imports", scope.outer ?? node, scope);
    else if (node.role === "function" || node.role === "type") this.define(this.nameOf(node), node.role, node, scope);
    else if (node.role === "class") this.class(node, scope);
    else if (node.role === "declare") this.value(node, partsOf(node, partOf(node, "name") ? "name" : "type"), scope);
    else if (node.role === "assign") this.assigned(node, scope);
    else this.other(node, scope);
  }

  /** A statement around definitions, or one that is nothing but itself. */
  private other(node: SyntaxNode, scope: Scope): void {
    if (isDocumentation(node, this.grammar)) return;
    const inner = node.children.filter((child) => child.named && child.role !== "comment");
    if (node.role === "call" && this.callsOf(node, this.grammar.importCalls)) {
      this.add("<imports>", "imports", scope.outer ?? node, scope);
      return;
    }
    const definition = partOf(node, "argument");
    if (definition?.role === "function" && this.callsOf(node, this.grammar.modifyingCalls)) {
      this.visit(definition, { ...scope, outer: scope.outer ?? node });
      return;
    }
    const blocks = inner.some(({ role }) => role === "block");
    if (blocks ? !inner.some(holdsDefinitions) : node.role !== null || !inner.some(declares)) {
      this.add(scope.prefix + this.rest(node), "code", scope.outer ?? node, scope);
      if (node.type === this.grammar.exportList && !partOf(node, "module")) this.list(node);
      return;
    }
    const words = new Set([...scope.words, ...wordsOf(node)]);
    if (!blocks) {
      const outer = inner.filter(declares).length === 1 ? (scope.outer ?? node) : null;
      for (const child of inner) if (declares(child)) this.visit(child, { ...scope, words, outer });
      return;
    }
    for (const child of inner) {
      if (child.role === "block") this.all(child.children, { ...scope, outer: null });
      else if (holdsDefinitions(child)) this.visit(child, { ...scope, outer: null });
      else this.add(`${scope.prefix}<code>`, "code", child, scope);
    }
  }

  /** `export { a }`: what is declared elsewhere in the file. */
  private list(node: SyntaxNode): void {
    for (const specifier of node.children.flatMap(({ children }) => children)) {
      const name = specifier.children.find(({ role }) => role === "name");
      if (name) this.listed.add(this.source(name));
    }
  }

  private class(node: SyntaxNode, scope: Scope): void {
    const name = this.nameOf(node);
    const exported = this.define(name, "class", node, scope);
    const prefix = `${scope.prefix}${this.memberPrefix(node) ?? name}.`;
    for (const body of partsOf(node, "body")) {
      this.all(body.children, { prefix, owner: exported, outer: null, words: new Set() });
    }
  }

  /** What stands in `impl Shape for Circle` are methods of `Circle`. */
  private memberPrefix(node: SyntaxNode): string | undefined {
    const of = partOf(node, "of");
    return of && this.source(of).replace(/<[\s\S]*/, "");
  }

  private callsOf(call: SyntaxNode, names: readonly string[] | undefined): boolean {
    const callee = partOf(call, "callee");
    return callee !== undefined && (names?.includes(this.source(callee)) ?? false);
  }

  /** `<code>`, or `app.get("/carts")` where a call hands over what to do: routes and tests are compared one with one. */
  private rest(node: SyntaxNode): string {
    const call = node.role === null && node.children[0]?.role === "call" ? node.children[0] : node;
    const callee = call.role === "call" ? partOf(call, "callee") : undefined;
    const [first, ...others] = partsOf(call, "argument");
    if (!callee || first?.role !== "string" || !others.some(({ role }) => role === "function")) return "<code>";
    return `${this.source(callee)}(${this.source(first)})`.replace(/\s+/g, " ").slice(0, longestName);
  }

  private assigned(node: SyntaxNode, scope: Scope): void {
    const targets = partsOf(node, "target");
    const operator = partOf(node, "operator");
    const plain = targets.every(({ role }) => role === "name" || role === "member" || role === "list");
    if (plain && (!operator || this.source(operator) === "=")) this.value(node, targets, scope);
    else this.add(`${scope.prefix}<code>`, "code", scope.outer ?? node, scope);
  }

  private value(node: SyntaxNode, names: readonly SyntaxNode[], scope: Scope): void {
    const name = names
      .map((each) => this.source(each).replace(/\s+/g, " "))
      .join(", ")
      .slice(0, longestName);
    const value = partOf(node, "value");
    if (name === "") this.add(`${scope.prefix}<code>`, "code", scope.outer ?? node, scope);
    else if (value?.role === "function") this.define(name, "function", value, { ...scope, outer: scope.outer ?? node });
    else this.add(scope.prefix + name, "value", scope.outer ?? node, { ...scope, words: this.words(node, scope) });
  }

  private define(name: string, kind: SymbolKind, node: SyntaxNode, scope: Scope): boolean {
    const outer = scope.outer ?? node;
    const words = this.words(node, scope);
    return this.add(
      scope.prefix + name,
      kind,
      kind === "class" ? headOf(node, outer) : outer,
      { ...scope, words },
      node,
    );
  }

  /** Tells whether it can be used by other files. */
  private add(
    name: string,
    kind: SymbolKind,
    node: SyntaxNode,
    { words, owner }: Scope,
    definition: SyntaxNode | null = null,
  ): boolean {
    const exported = this.grammar.exports({ name, words, owner });
    const before = this.drafts.get(name);
    if (before && (kind === "imports" || kind === "code")) {
      before.nodes.push(node);
      return exported;
    }
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const unique = count === 1 ? name : `${name}#${count}`;
    const documentation = this.documentationOf(definition);
    this.drafts.set(unique, { name: unique, kind, nodes: [node], definition, documentation, exported });
    return exported;
  }

  private documentationOf(definition: SyntaxNode | null): string {
    const body = definition && partOf(definition, "body");
    const docstrings = body?.children.filter((child) => isDocumentation(child, this.grammar)) ?? [];
    return [...this.comments, ...docstrings].map((each) => this.source(each).trim()).join("\n");
  }

  private words(node: SyntaxNode, scope: Scope): ReadonlySet<string> {
    return new Set([...scope.words, ...wordsOf(node)]);
  }

  /** Methods that stand outside their type are called as those inside: `Type.method`. */
  private nameOf(node: SyntaxNode): string {
    const of = partOf(node, "of");
    const base = partOf(node, "base");
    if (of)
      return `impl ${base ? `${this.source(base)} for ` : ""}${this.source(of)}`
        .replace(/\s+/g, " ")
        .slice(0, longestName);
    const written = partsOf(node, "name").map((each) => this.source(each));
    const name =
      written
        .join(" ")
        .replace(/\s+/g, " ")
        .replace(/^(["'])(.*)\1$/, "$2")
        .slice(0, longestName) || "default";
    const receiver = partOf(node, "receiver");
    const type = receiver && /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[\s\S]*)?$/u.exec(this.source(receiver))?.[1];
    return type ? `${type}.${name}` : name;
  }

  private source(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }
}
