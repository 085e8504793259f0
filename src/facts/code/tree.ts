import { type Grammar, none, type Shape } from "./languages/grammar.js";
import { partsOfRole } from "./languages/parts.js";
import { type Language, partOf, type Role, type SyntaxNode } from "./syntax.js";

/**
 * Reads a text by the grammar of its language, or says why not. Handed in by whoever may load grammars. The nodes come
 * with the grammar's own field names as `part` and without roles; `broken` are the lines that do not parse.
 */
export type Parse = (language: Language, text: string) => { root: SyntaxNode; broken: number[] } | { unread: string };

const unknown: Shape = {
  role: null,
  fields: {},
  rest: [],
  dissolved: false,
  inside: none,
  holding: none,
  callee: null,
  part: null,
};
const noParts: ReadonlySet<string> = new Set();
const grouping = new Set(["parenthesized_expression", "parenthesized_statements"]);
/** What is in them means nothing of its own. */
const whole: ReadonlySet<Role> = new Set<Role>(["text", "comment", "name", "number"]);
const punctuation = /^[,;:(){}[\]]$/;
/** Assignments that name no value. */
const stepping = new Set(["++", "--"]);
const around = new Set(["(", ")"]);

/** Gives a grammar's tree the words all languages share, in place: roles, parts, and no nodes that only hold others. */
export function neutral(root: SyntaxNode, text: string, grammar: Grammar): SyntaxNode {
  return new Reader(grammar, text).read(root, null, shapeOf(root, undefined, grammar), null);
}

function shapeOf(node: SyntaxNode, outer: Shape | undefined, grammar: Grammar): Shape {
  // Keywords share their names with nodes: the token `if` is not a condition.
  if (!node.named) return unknown;
  const inside = outer && outer.inside !== none ? outer.inside : undefined;
  const special = inside && (inside[node.type] ?? inside[`${node.part} ${node.type}`]);
  const shape = special ?? grammar.shapes[node.type] ?? unknown;
  if (shape.holding === none) return shape;
  for (const type in shape.holding) {
    const other = shape.holding[type];
    if (other && node.children.some((child) => child.type === type)) return other;
  }
  return shape;
}

class Reader {
  constructor(
    private readonly grammar: Grammar,
    private readonly text: string,
  ) {}

  read(node: SyntaxNode, parent: SyntaxNode | null, shape: Shape, part: string | null): SyntaxNode {
    // Go's named results and receivers are written as parameters, yet no caller passes them.
    node.role = shape.role === "parameter" && (part === "result" || part === "receiver") ? null : shape.role;
    node.part = part;
    node.parent = parent;
    if (node.role && whole.has(node.role)) {
      node.children = [];
      return node;
    }
    if (node.children.length === 0) return node;
    const children: SyntaxNode[] = [];
    this.place(node, shape, null, node, children, shape.callee !== null);
    node.children = adopt(children);
    if (node.role === "call" && this.grammar.raising) this.raise(node, this.grammar.raising);
    return node;
  }

  private raise(call: SyntaxNode, raising: readonly string[]): void {
    const callee = partOf(call, "callee");
    if (!callee || !raising.includes(this.text.slice(callee.start, callee.end))) return;
    call.role = "raise";
    callee.part = null;
    const value = partOf(call, "argument");
    if (value) value.part = "value";
  }

  /** Puts the children of `source` into `into`, as children of `parent`; of those left out, their own children. */
  private place(
    source: SyntaxNode,
    shape: Shape,
    inherited: string | null,
    parent: SyntaxNode,
    into: SyntaxNode[],
    gathers = false,
  ): void {
    const own = (shape.role && partsOfRole[shape.role]) || noParts;
    const children = gathers ? gather(source, shape) : source.children;
    // A list that is left out has no elements.
    const rest = shape.dissolved === "alone" && source !== parent ? [] : shape.rest;
    let position = 0;
    for (const child of children) {
      if (grouping.has(source.type) && around.has(child.type)) continue;
      // Some grammars take `this` for a keyword.
      if (!child.named && this.grammar.shapes[child.type]?.role === "name") child.named = true;
      const inner = shapeOf(child, shape, this.grammar);
      const field = child.part;
      let part: string | null | undefined;
      if (inner.role === "comment") part = null;
      else if (field !== null) part = shape.fields[field] ?? (own.has(field) ? field : undefined);
      else if (child.named) part = inner.part ?? rest[Math.min(position++, rest.length - 1)];
      part = part ?? (child.named ? inherited : null);
      if (parent.role === "string") part = inner.role === "text" || inner.role === "hole" ? "piece" : null;
      // Grammars give a field's name to the commas between its nodes too.
      if (part === "" || (!child.named && punctuation.test(child.type))) part = null;
      if (!child.named && (parent.role === "unary" || stepping.has(child.type))) part = "operator";
      if (inner.role === "comment" || !leftOut(child, inner)) {
        into.push(child.type === gathered ? this.member(child, parent) : this.read(child, parent, inner, part));
      } else {
        this.place(child, inner, part, parent, into);
      }
    }
  }

  private member(node: SyntaxNode, parent: SyntaxNode): SyntaxNode {
    return this.read(node, parent, { ...unknown, role: "member" }, "callee");
  }
}

const gathered = "callee";

/** The call's children with its object and name as one node, which no grammar's own type is called. */
function gather(call: SyntaxNode, shape: Shape): SyntaxNode[] {
  const [object, name] = shape.callee ?? ["", ""];
  const from = call.children.findIndex(({ part }) => part === object);
  const to = call.children.findIndex(({ part }) => part === name);
  const [first, last] = [call.children[from], call.children[to]];
  if (!last) return call.children;
  last.part = "name";
  if (!first || from > to) {
    last.part = "callee";
    return call.children;
  }
  first.part = "object";
  const children = call.children.slice(from, to + 1);
  const member: SyntaxNode = { ...call, type: gathered, named: true, part: "callee", children };
  member.start = first.start;
  member.line = first.line;
  member.end = last.end;
  member.endLine = last.endLine;
  return [...call.children.slice(0, from), member, ...call.children.slice(to + 1)];
}

function leftOut(node: SyntaxNode, shape: Shape): boolean {
  if (shape.dissolved !== "alone") return shape.dissolved;
  return node.children.filter(({ named }) => named).length === 1;
}

/**
 * Decorators stand beside what they decorate in some grammars, inside it in others: here they are always its first
 * children, and what stands between (`export`) comes with them.
 */
function adopt(children: SyntaxNode[]): SyntaxNode[] {
  if (!children.some(({ role }) => role === "decorator")) return children;
  const kept: SyntaxNode[] = [];
  let waiting: SyntaxNode[] = [];
  for (const child of children) {
    if (child.role === "decorator" || (waiting.length > 0 && (!child.named || child.role === "comment"))) {
      waiting.push(child);
      continue;
    }
    if (waiting.length > 0 && child.role && decorated.has(child.role)) decorate(child, waiting);
    else kept.push(...waiting);
    waiting = [];
    kept.push(child);
  }
  return [...kept, ...waiting];
}

const decorated: ReadonlySet<Role> = new Set<Role>(["function", "class", "declare", "type"]);

function decorate(node: SyntaxNode, before: readonly SyntaxNode[]): void {
  for (const each of before) {
    each.parent = node;
    if (each.role === "decorator") each.part = "decorator";
  }
  const [first] = before;
  if (!first) return;
  node.start = first.start;
  node.line = first.line;
  node.children.unshift(...before);
}
