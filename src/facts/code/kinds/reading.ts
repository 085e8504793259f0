import { type CodeText, partOf, type SyntaxNode } from "../syntax.js";

/** The words for nothing. */
export const nothing: ReadonlySet<string> = new Set(["None", "null", "undefined", "nil", "nullptr", "NULL", "Null"]);

const sameOperator: Record<string, string> = {
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "&&": "and",
  "||": "or",
  "!": "not",
  is: "==",
  "is not": "!=",
};

/** The operator of a binary or unary expression, by one word in all languages. */
export function operatorOf(node: SyntaxNode, { text, language }: CodeText): string {
  const own = partOf(node, "operator");
  const written = own
    ? text.slice(own.start, own.end).replace(/\s+/g, " ")
    : node.children
        .filter(({ named }) => !named)
        .map(({ start, end }) => text.slice(start, end))
        .join(" ");
  // In C# `is` asks for a type.
  if (language === "c-sharp" && written === "is") return written;
  return (Object.hasOwn(sameOperator, written) ? sameOperator[written] : undefined) ?? written;
}

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

/** The name by which something is called or used: the last of a chain. */
export function lastName(node: SyntaxNode | undefined, text: CodeText): string {
  let inner = bare(node);
  while (inner?.role === "member" || inner?.role === "call") {
    inner = bare(partOf(inner, inner.role === "member" ? "name" : "callee"));
  }
  if (!inner) return "";
  if (inner.role === "name" || inner.children.length === 0) return text.text.slice(inner.start, inner.end);
  // `List<String>`: what stands behind the name are its types.
  const [first] = inner.children;
  return inner.role === null && first?.role === "name" ? lastName(first, text) : "";
}

/** The nearest node around this one with one of these roles, inside the same function. */
export function around(node: SyntaxNode, roles: ReadonlySet<string>): SyntaxNode | undefined {
  for (let outer = node.parent; outer; outer = outer.parent) {
    if (outer.role && roles.has(outer.role)) return outer;
    if (outer.role === "function" || outer.role === "class") return undefined;
  }
  return undefined;
}

/** The function a node stands in. */
export function functionOf(node: SyntaxNode): SyntaxNode | undefined {
  let outer = node.parent;
  while (outer && outer.role !== "function") outer = outer.parent;
  return outer ?? undefined;
}

/** The opposite of a test that is spelled already. */
export function negated(test: string): string {
  const compares = / (?:==|!=|<=?|in|not in|and|or|instanceof|is) /.test(test);
  if (test.startsWith("not ") && !compares) return test.slice("not ".length);
  return compares ? `not (${test})` : `not ${test}`;
}
